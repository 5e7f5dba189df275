//go:build !unix

package source

import (
	"io/fs"
	"os"
)

const (
	openFlags = os.O_RDONLY
	noFollow  = 0
)

// isLinkError is never true: links are an error of os.Root's here.
func isLinkError(error) bool { return false }

// folder is an open directory. What is opened by way of it is in it or below,
// whatever is renamed or put in its place meanwhile.
type folder struct{ root *os.Root }

// openFolder opens a directory by its path. Links are followed.
func openFolder(path string) (*folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

func (f *folder) close() error { return f.root.Close() }

// enter opens a directory in the folder.
func (f *folder) enter(base string) (*folder, error) { return f.descend(base) }

// descend opens a directory below the folder; "." is the folder again.
func (f *folder) descend(below string) (*folder, error) {
	root, err := f.root.OpenRoot(below)
	if err != nil {
		return nil, err
	}
	return &folder{root}, nil
}

// list returns the entries, in no order, with their types.
func (f *folder) list() ([]fs.DirEntry, error) {
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// open opens a regular file in the folder.
func (f *folder) open(base string) (*os.File, error) {
	return regular(f.root.OpenFile(base, openFlags, 0))
}

// read reads a regular file in the folder.
func (f *folder) read(base string, buf []byte, limit int64) ([]byte, error) {
	file, err := f.open(base)
	if err != nil {
		return buf[:0], err
	}
	defer file.Close()
	return readAll(file, buf, limit)
}

// readPath reads a regular file by its path, through links.
func readPath(path string, buf []byte, limit int64) ([]byte, error) {
	file, err := regular(os.OpenFile(path, openFlags, 0))
	if err != nil {
		return buf[:0], err
	}
	defer file.Close()
	return readAll(file, buf, limit)
}
