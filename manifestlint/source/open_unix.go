//go:build unix

package source

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	// openFlags never block: opening a pipe that took a file's place would
	// otherwise wait for its writer.
	openFlags = os.O_RDONLY | unix.O_NONBLOCK
	noFollow  = unix.O_NOFOLLOW
	openDir   = os.O_RDONLY | unix.O_NONBLOCK | unix.O_DIRECTORY
)

// isLinkError reports what opening a link with noFollow gives: ELOOP, and on
// some BSDs EMLINK or EFTYPE, the latter of which is not named everywhere.
func isLinkError(err error) bool {
	return errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK)
}

// readDir lists a directory below root, in no order, with types.
func readDir(root *os.Root, dir string) ([]os.DirEntry, error) {
	f, err := root.OpenFile(dir, openDir, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A file that was opened by a Root asks the system for the type of every
	// entry, and the size and times with it. A plain one takes the type from
	// the listing, which makes the whole search three times as fast.
	fd, err := retry(func() (int, error) { return unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0) })
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	plain := os.NewFile(uintptr(fd), f.Name())
	defer plain.Close()
	return plain.ReadDir(-1)
}

// folder is an open directory in which files are opened by base name.
type folder struct{ f *os.File }

// openFolder opens a directory below root, which stays the bound whatever
// links are put in the way.
func openFolder(root, dir string) (folder, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return folder{}, err
	}
	defer r.Close()
	f, err := r.OpenFile(dir, openDir, 0)
	return folder{f}, err
}

func (d folder) close() error { return d.f.Close() }

// read reads a file of the directory. It is open, fstat, read and close for
// nearly all files: os.File would register each with the poller, set a
// finalizer, and read once more to see the end. Together that is a third of
// what reading a tree of manifests costs.
func (d folder) read(base string, buf []byte, limit int64) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(int(d.f.Fd()), base, openFlags|noFollow|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return buf[:0], err
	}
	defer unix.Close(fd)
	return readDescriptor(fd, buf, limit)
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
		if n == 0 || stat.Size > 0 && int64(len(buf)) == stat.Size {
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
