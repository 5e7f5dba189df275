//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks a file as in use until it is closed or the process ends. It fails if another process
// has the lock. It succeeds on a file system without locks: there, removeAbandoned removes nothing.
func lock(f *os.File) error {
	err := flock(f)
	if err == unix.EWOULDBLOCK {
		return err
	}
	return nil
}

func flock(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != unix.EINTR {
			return err
		}
	}
}

// removeAbandoned removes a file that no process has locked.
func removeAbandoned(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f) == nil && has(path, f) {
		os.Remove(path)
	}
}
