package source

import (
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// descend opens a directory below the folder; "." is the folder again. Linux
// 5.6 can hold a whole path to the rules in one system call; sandboxes that do
// not know the call refuse it in one of two ways.
func (f *folder) descend(below string) (*folder, error) {
	opened, err := newFolder(filepath.Join(f.dir.Name(), below), func() (int, error) {
		return unix.Openat2(f.fd(), below, &unix.OpenHow{
			Flags:   uint64(folderFlags),
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
		})
	})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EAGAIN) {
		return f.descendByStep(below)
	}
	return opened, err
}
