//go:build unix

package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// openFlags never block: opening a pipe that took a file's place would
	// otherwise wait for its writer.
	openFlags = os.O_RDONLY | unix.O_NONBLOCK
	noFollow  = unix.O_NOFOLLOW
	// folderFlags need no O_NONBLOCK, for what is no directory is not opened.
	folderFlags = os.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
)

// isLinkError reports what opening a link with noFollow gives: ELOOP, and on
// some BSDs EMLINK.
func isLinkError(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK)
}

// folder is an open directory. What is opened by way of it is in it, whatever
// is renamed or put in its place meanwhile: names are single components, and
// links are not followed. os.Root gives the same promise, but asks the system
// about every entry that it lists, which triples what a search costs.
//
// It is a descriptor rather than an os.File, which would ask the system for
// its state, register a cleanup, and is of no use to what only opens files.
type folder struct {
	descriptor int
	path       string
}

// openFolder opens a directory by its path. Links are followed.
func openFolder(path string) (folder, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, folderFlags, 0) })
	return newFolder(fd, path, err)
}

func newFolder(fd int, path string, err error) (folder, error) {
	if err != nil {
		return folder{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return folder{fd, path}, nil
}

func (f *folder) close() error { return unix.Close(f.descriptor) }

// enter opens a directory in the folder; path is its path.
func (f *folder) enter(base, path string) (folder, error) {
	fd, err := retry(func() (int, error) { return unix.Openat(f.descriptor, base, folderFlags|noFollow, 0) })
	return newFolder(fd, path, err)
}

// descendByStep opens a directory below the folder, one component at a time.
func (f *folder) descendByStep(below string) (folder, error) {
	at := *f
	for base := range strings.SplitSeq(below, string(filepath.Separator)) {
		next, err := at.enter(base, filepath.Join(at.path, base))
		if at != *f {
			at.close()
		}
		if err != nil {
			return folder{}, err
		}
		at = next
	}
	return at, nil
}

// open opens a regular file in the folder.
func (f *folder) open(base string) (*os.File, error) {
	fd, err := f.openFile(base)
	if err != nil {
		return nil, err
	}
	return regular(os.NewFile(uintptr(fd), filepath.Join(f.path, base)), nil)
}

func (f *folder) openFile(base string) (fd int, err error) {
	return retry(func() (int, error) { return unix.Openat(f.descriptor, base, openFlags|noFollow|unix.O_CLOEXEC, 0) })
}

// read reads a regular file in the folder. It is open, fstat, read and close
// for nearly all files: os.File would register each with the poller, set a
// finalizer, and read once more to see the end, which together is a third of
// what reading a tree of manifests costs.
func (f *folder) read(base string, buf []byte, limit int64) ([]byte, error) {
	fd, err := f.openFile(base)
	if err != nil {
		return buf[:0], err
	}
	defer unix.Close(fd)
	return readDescriptor(fd, buf, limit)
}

// keep reads a regular file in the folder for the shelf; nil if it cannot, or
// if the file is not what its size says, as in /proc.
func (f *folder) keep(base string, s *shelf) []byte {
	fd, err := f.openFile(base)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil
	}
	room := s.room(stat.Size)
	if room == nil {
		return nil
	}
	n, err := retry(func() (int, error) { return unix.Read(fd, room) })
	if err != nil {
		return nil
	}
	return s.take(room, n)
}

// readPath reads a regular file by its path, through links.
func readPath(path string, buf []byte, limit int64) ([]byte, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, openFlags|unix.O_CLOEXEC, 0) })
	if err != nil {
		return buf[:0], err
	}
	defer unix.Close(fd)
	return readDescriptor(fd, buf, limit)
}

func readDescriptor(fd int, buf []byte, limit int64) ([]byte, error) {
	buf = buf[:0]
	var stat unix.Stat_t
	if _, err := retry(func() (int, error) { return 0, unix.Fstat(fd, &stat) }); err != nil {
		return buf, err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFREG {
		return buf, errNotRegular
	}
	if limit > 0 && stat.Size > limit {
		return buf, &TooLargeError{limit}
	}
	// One byte more than the size: a read that leaves it empty has met the
	// end. Files in /proc have no size, and large ones may lie about it: the
	// buffer grows as bytes arrive.
	buf = grow(buf, min(stat.Size, maxKeptBuffer)+1)
	for {
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil {
			return buf[:0], err
		}
		buf = buf[:len(buf)+n]
		if limit > 0 && int64(len(buf)) > limit {
			return buf[:0], &TooLargeError{limit}
		}
		if n == 0 || stat.Size > 0 && int64(len(buf)) == stat.Size && len(buf) < cap(buf) {
			return buf, nil
		}
		if len(buf) == cap(buf) {
			buf = grow(buf, 2*int64(cap(buf)))
		}
	}
}

// retry repeats a system call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
