package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// descend opens a directory below the folder; "." is the folder again. Linux
// 5.6 can hold a whole path to the rules in one system call; sandboxes that do
// not know the call refuse it in one of two ways.
func (f *folder) descend(below string) (*folder, error) {
	opened, err := newFolder(filepath.Join(f.path, below), func() (int, error) {
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

// list returns the entries, in no order, with their types.
func (f *folder) list() ([]fs.DirEntry, error) {
	var all []fs.DirEntry
	buf := make([]byte, 8192)
	for {
		n, err := retry(func() (int, error) { return unix.ReadDirent(f.descriptor, buf) })
		if err != nil {
			return all, &fs.PathError{Op: "readdirent", Path: f.path, Err: err}
		}
		if n <= 0 {
			return all, nil
		}
		for rest := buf[:n]; len(rest) > direntName; {
			size := int(binary.NativeEndian.Uint16(rest[direntSize:]))
			if size <= direntName || size > len(rest) {
				return all, &fs.PathError{Op: "readdirent", Path: f.path, Err: unix.EIO}
			}
			name, _, _ := bytes.Cut(rest[direntName:size], []byte{0})
			if string(name) != "." && string(name) != ".." {
				e := entry{folder: f.path, name: string(name)}
				if e.mode, err = f.mode(e.name, rest[direntType]); err == nil {
					all = append(all, e)
				} else if !errors.Is(err, unix.ENOENT) { // it vanished
					return all, &fs.PathError{Op: "stat", Path: filepath.Join(f.path, e.name), Err: err}
				}
			}
			rest = rest[size:]
		}
	}
}

// Offsets in struct linux_dirent64 (man 2 getdents).
const (
	direntSize = 16
	direntType = 18
	direntName = 19
)

// mode gives the type of an entry; where the file system does not say it with
// the name, by asking.
func (f *folder) mode(name string, kind byte) (fs.FileMode, error) {
	switch kind {
	case unix.DT_REG:
		return 0, nil
	case unix.DT_DIR:
		return fs.ModeDir, nil
	case unix.DT_LNK:
		return fs.ModeSymlink, nil
	case unix.DT_UNKNOWN:
		var stat unix.Stat_t
		if err := unix.Fstatat(f.descriptor, name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return 0, err
		}
		switch stat.Mode & unix.S_IFMT {
		case unix.S_IFREG:
			return 0, nil
		case unix.S_IFDIR:
			return fs.ModeDir, nil
		case unix.S_IFLNK:
			return fs.ModeSymlink, nil
		}
	}
	return fs.ModeIrregular, nil
}

// entry is what a directory says of a file: its name and its type.
type entry struct {
	folder, name string
	mode         fs.FileMode
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Type() fs.FileMode          { return e.mode }
func (e entry) Info() (fs.FileInfo, error) { return os.Lstat(filepath.Join(e.folder, e.name)) }
