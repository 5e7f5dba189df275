package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// descend opens a directory below the folder; "." is the folder again. Linux
// 5.6 can hold a whole path to the rules in one system call; sandboxes that do
// not know the call refuse it in one of two ways.
func (f *folder) descend(below string) (folder, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat2(f.descriptor, below, &unix.OpenHow{
			Flags:   uint64(folderFlags),
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
		})
	})
	switch err {
	case nil:
		return folder{fd, filepath.Join(f.path, below)}, nil
	case unix.ENOSYS, unix.EPERM, unix.EAGAIN:
		return f.descendByStep(below)
	}
	return folder{}, &fs.PathError{Op: "open", Path: filepath.Join(f.path, below), Err: err}
}

// list fills the listing with the entries, in no order, with their types.
func (f *folder) list(l *listing) error {
	l.reset()
	if l.buf == nil {
		l.buf = make([]byte, 32<<10)
	}
	for {
		n, err := retry(func() (int, error) { return unix.ReadDirent(f.descriptor, l.buf) })
		if err != nil {
			return &fs.PathError{Op: "readdirent", Path: f.path, Err: err}
		}
		if n <= 0 {
			return nil
		}
		for rest := l.buf[:n]; len(rest) > direntName; {
			size := int(binary.NativeEndian.Uint16(rest[direntSize:]))
			if size <= direntName || size > len(rest) {
				return &fs.PathError{Op: "readdirent", Path: f.path, Err: unix.EIO}
			}
			name := rest[direntName:size]
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			if string(name) != "." && string(name) != ".." {
				mode, err := f.mode(name, rest[direntType])
				if err == nil {
					l.add(name, mode)
				} else if !errors.Is(err, unix.ENOENT) { // it vanished
					return &fs.PathError{Op: "stat", Path: filepath.Join(f.path, string(name)), Err: err}
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
func (f *folder) mode(name []byte, kind byte) (fs.FileMode, error) {
	switch kind {
	case unix.DT_REG:
		return 0, nil
	case unix.DT_DIR:
		return fs.ModeDir, nil
	case unix.DT_LNK:
		return fs.ModeSymlink, nil
	case unix.DT_UNKNOWN:
		var stat unix.Stat_t
		if err := unix.Fstatat(f.descriptor, string(name), &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil {
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
