// Package atomicfile writes files atomically: readers see the old content or the new
// one.
package atomicfile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Its content is invisible before Commit.
type File struct {
	*os.File
	// path is the final path; empty if the file is written directly.
	path string
}

// Create starts to write a file. Files that are not regular, such as pipes, are
// written directly; symbolic links are kept.
func Create(path string) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666) // minus the umask
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{File: f}, nil
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	// The temporary file is in the same directory, so that the rename stays on one
	// file system, and hidden, so that it is not linted.
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	var at *fs.PathError
	if errors.As(err, &at) {
		at.Path = path // the caller's name
	}
	if err != nil {
		return nil, err
	}
	if info != nil {
		// The umask applies to new files only.
		if err := os.Chmod(temporary, mode); err != nil {
			f.Close()
			os.Remove(temporary)
			return nil, err
		}
	}
	return &File{f, path}, nil
}

// Commit completes the file and renames it. Call it once, and not after Abort.
func (f *File) Commit() error {
	if f.path == "" {
		return f.Close()
	}
	err := f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Abort closes the file and keeps the old content. Call it once, and not after
// Commit.
func (f *File) Abort() {
	f.Close()
	if f.path != "" {
		os.Remove(f.Name())
	}
}

// Write replaces the content of the file at path, or creates it. It does not touch a
// file that already has the content.
func Write(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			return nil
		}
	}
	f, err := Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Abort()
		return err
	}
	return f.Commit()
}
