// Package atomicfile writes a file so that a reader finds the old content or
// the new one, and never a part.
package atomicfile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Nobody sees its content before Commit.
type File struct {
	*os.File
	// path is what Commit renames the file to; empty when it is written
	// directly.
	path string
}

// Create begins to write the file at path. What is no regular file, such as a
// pipe or /dev/null, is written to directly; a symbolic link stays one.
func Create(path string) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o666) // less the umask
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
	// In the same directory, so that the rename stays on one file system;
	// hidden, so that nobody takes it for a manifest.
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	var at *fs.PathError
	if errors.As(err, &at) {
		at.Path = path // the name that the caller knows
	}
	if err != nil {
		return nil, err
	}
	if info != nil {
		// The umask is for new files, and this one is only replaced.
		if err := os.Chmod(temporary, mode); err != nil {
			f.Close()
			os.Remove(temporary)
			return nil, err
		}
	}
	return &File{f, path}, nil
}

// Commit ends the writing and puts the file into its place. It is called once,
// and not after Abort.
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

// Abort ends the writing and leaves what was there before. It is called once,
// and not after Commit.
func (f *File) Abort() {
	f.Close()
	if f.path != "" {
		os.Remove(f.Name())
	}
}

// Write replaces the content of the file at path, or creates it. A file that
// has the content already is left alone.
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
