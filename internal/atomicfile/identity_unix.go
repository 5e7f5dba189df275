//go:build unix

package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepIdentity copies the owner, the mode and the extended attributes of the file at path
// to f. On Linux, extended attributes include access control lists.
func keepIdentity(f *os.File, path string, old fs.FileInfo) error {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	// The result is checked instead of the errors of these calls, because some file
	// systems refuse even the current value. The owner is set first, because this may
	// change the mode.
	if is, err := stat(f); err != nil {
		return err
	} else if is.Uid != was.Uid || is.Gid != was.Gid {
		_ = f.Chown(int(was.Uid), int(was.Gid))
	}
	if err := keepAttributes(f, path); err != nil {
		return err
	}
	_ = f.Chmod(old.Mode())
	is, err := stat(f)
	switch {
	case err != nil:
		return err
	case is.Uid != was.Uid || is.Gid != was.Gid:
		return fmt.Errorf("it belongs to user %d and group %d, and a new file cannot: run kubevet as its owner or as root", was.Uid, was.Gid)
	case is.Mode != was.Mode:
		return fmt.Errorf("its mode %v cannot be kept: run kubevet as its owner or as root", old.Mode())
	}
	return nil
}

func stat(f *os.File) (*syscall.Stat_t, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, fmt.Errorf("its owner is unknown")
	}
	return s, nil
}

// writable reports whether the process may write to a file. It does not open the file,
// because programs that watch the file would see this as a change.
func writable(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil
}

func hardLinks(_ string, info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
