//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file until it is closed or the process ends. It returns an error if
// another process has locked the file. It returns nil if the file system has no locks; on
// these systems, removeAbandoned removes nothing.
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

// removeAbandoned removes a file if no process has locked it.
func removeAbandoned(path string) {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f) == nil && isOpenFile(path, f) {
		os.Remove(path)
	}
}
