//go:build !unix

package source

import (
	"io"
	"os"
)

const (
	openFlags = os.O_RDONLY
	noFollow  = 0
	openDir   = os.O_RDONLY
)

// isLinkError is never asked: without noFollow no link is an error.
func isLinkError(error) bool { return false }

// readDir lists a directory below root, in no order, with types.
func readDir(root *os.Root, dir string) ([]os.DirEntry, error) {
	f, err := root.OpenFile(dir, openDir, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

// folder is an open directory in which files are opened by base name.
type folder struct{ root *os.Root }

// openFolder opens a directory below root, which stays the bound whatever
// links are put in the way.
func openFolder(root, dir string) (folder, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return folder{}, err
	}
	defer r.Close()
	sub, err := r.OpenRoot(dir)
	return folder{sub}, err
}

func (d folder) close() error { return d.root.Close() }

// read reads a regular file of the directory.
func (d folder) read(base string, buf []byte, limit int64) ([]byte, error) {
	f, err := regular(d.root.OpenFile(base, openFlags, 0))
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	return readAll(f, buf, limit)
}

// readPath reads a regular file by its path, through links.
func readPath(path string, buf []byte, limit int64) ([]byte, error) {
	f, err := regular(os.OpenFile(path, openFlags, 0))
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	return readAll(io.Reader(f), buf, limit)
}
