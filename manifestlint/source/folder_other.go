//go:build !unix

package source

import (
	"io"
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
func openFolder(path string) (folder, error) {
	root, err := os.OpenRoot(path)
	return folder{root}, err
}

func (f *folder) close() error { return f.root.Close() }

// enter opens a directory in the folder.
func (f *folder) enter(base, _ string) (folder, error) { return f.descend(base) }

// descend opens a directory below the folder; "." is the folder again.
func (f *folder) descend(below string) (folder, error) {
	root, err := f.root.OpenRoot(below)
	return folder{root}, err
}

// list fills the listing with the entries, in no order, with their types.
func (f *folder) list(l *listing) error {
	l.reset()
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	l.addAll(entries)
	return err
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

// keep reads a regular file in the folder for the shelf; nil if it cannot.
func (f *folder) keep(base string, s *shelf) []byte {
	file, err := f.open(base)
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	room := s.room(info.Size())
	if room == nil {
		return nil
	}
	n, err := io.ReadFull(file, room)
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil
	}
	return s.take(room, n)
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
