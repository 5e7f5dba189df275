// Package atomicfile writes files atomically: a reader sees either the old or the new
// content. A replaced file keeps its owner, its mode and its extended attributes.
package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// File is a file that is being written. Readers do not see its content before Commit.
type File struct {
	*os.File
	// path is the final path of the file. It is empty if the file is written directly.
	path string
	// old describes the file that will be replaced. It is nil for a new file.
	old fs.FileInfo
}

// Create starts to write a file. Symbolic links stay links. Files that are not regular,
// such as pipes, are written directly. Create returns an error for files that Check
// rejects, and for files whose owner, mode or extended attributes it cannot keep. It also
// calls Sweep for the directory.
func Create(path string) (*File, error) {
	path, old, err := resolve(path)
	if err != nil {
		return nil, err
	}
	if old != nil && !old.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{File: f}, nil
	}
	Sweep(filepath.Dir(path))
	return create(path, old)
}

// resolve returns a path without symbolic links, and the FileInfo of the file. The
// FileInfo is nil if the file does not exist.
func resolve(path string) (string, fs.FileInfo, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	return path, info, err
}

// create starts to write a regular file. old is nil for a new file.
func create(path string, old fs.FileInfo) (*File, error) {
	mode := fs.FileMode(0o666) // minus the umask
	if old != nil {
		if err := replaceable(path, old); err != nil {
			return nil, err
		}
		mode = 0o600 // nobody else may read the file until it has the right owner
	}
	f, err := newTemporary(path, mode)
	if err != nil {
		return nil, err
	}
	created := &File{f, path, old}
	if old != nil {
		if err := keepIdentity(f, path, old); err != nil {
			created.Abort()
			return nil, err
		}
	}
	return created, nil
}

// Commit completes the file and gives it its final name. Call it once, and not after
// Abort.
func (f *File) Commit() error {
	return f.commit(func() error { return nil })
}

// commit completes the file, calls last and, if last returns no error, gives the file its
// final name.
func (f *File) commit(last func() error) error {
	if f.path == "" {
		return f.Close()
	}
	err := f.Sync()
	if err == nil && f.old != nil {
		// Writing may have removed the set-user-ID and set-group-ID bits, so the mode is
		// set again.
		err = keepIdentity(f.File, f.path, f.old)
	}
	if err == nil {
		err = last()
	}
	if runtime.GOOS == "windows" {
		// Windows cannot rename an open file, so the file is closed first. On other
		// systems it stays open and locked until it is renamed, because another run would
		// remove an unlocked temporary file.
		if closed := f.Close(); err == nil {
			err = closed
		}
	}
	if err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	f.Close()
	return err
}

// Abort closes the file and keeps the old content. Call it once, and not after Commit.
func (f *File) Abort() {
	f.Close()
	if f.path != "" {
		os.Remove(f.Name())
	}
}

// Write replaces the content of the file at path, or creates the file. If the file
// already has the content, Write does not touch it.
func Write(path string, data []byte) error {
	return WriteFunc(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc is like Write, for content that is not in memory. It calls write once to
// compare and once to write. Both calls must write the same bytes.
func WriteFunc(path string, write func(io.Writer) error) error {
	if hasContent(path, write) {
		Sweep(filepath.Dir(path))
		return nil
	}
	f, err := Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		f.Abort()
		return err
	}
	return f.Commit()
}

// ErrChanged is the error of Replace for a file that does not have the expected content.
var ErrChanged = errors.New("it changed while it was read")

// Replace replaces the content of an existing regular file if its content is still old.
// If another run has already written the new content, Replace does nothing. It returns an
// error for the same files as Create.
func Replace(path string, old, data []byte) error {
	path, info, err := resolve(path)
	switch {
	case err != nil:
		return err
	case info == nil:
		return ErrChanged
	}
	f, err := create(path, info)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Abort()
		return err
	}
	errDone := errors.New("it has the new content")
	err = f.commit(func() error {
		// An editor or another run may have changed the file until now.
		switch now, err := os.ReadFile(path); {
		case err != nil:
			return err
		case bytes.Equal(now, data):
			return errDone
		case !bytes.Equal(now, old):
			return ErrChanged
		}
		return nil
	})
	if err == errDone {
		return nil
	}
	return err
}

// Check returns the reason why the file at path must not be replaced, or nil. roots are
// directories without symbolic links. The reasons are:
//
//   - it is not a regular file
//   - it is read-only
//   - a symbolic link leads out of the roots
//   - another hard link would keep the old content
func Check(path string, roots []string) error {
	real, info, err := resolveInside(path, roots)
	if err != nil {
		return err
	}
	return replaceable(real, info)
}

// CheckInside returns the reason why not even a diff of the file at path may be shown, or
// nil: a symbolic link leads out of the roots, or the file does not exist. roots are
// directories without symbolic links.
func CheckInside(path string, roots []string) error {
	_, _, err := resolveInside(path, roots)
	return err
}

// resolveInside returns the path of a file without symbolic links, and its FileInfo. It
// returns an error for a file outside the roots.
func resolveInside(path string, roots []string) (string, fs.FileInfo, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", nil, err
	}
	if !isInRoots(roots, real) {
		return "", nil, errors.New("it is a link to a file outside of the checked paths")
	}
	return real, info, nil
}

// replaceable returns the reason why a file must not be replaced, or nil.
func replaceable(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case info.Mode()&0o200 == 0 || !writable(path):
		return errors.New("it is read-only")
	}
	if n := hardLinks(path, info); n > 1 {
		return fmt.Errorf("it has %d hard links, and the other names would keep the old text: replace it by a copy of its own first", n)
	}
	return nil
}

// hasContent reports whether a file has the bytes that write writes.
func hasContent(path string, write func(io.Writer) error) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	old := bufio.NewReader(f)
	if write(&comparingWriter{old: old}) != nil {
		return false
	}
	_, err = old.ReadByte()
	return err == io.EOF
}

// comparingWriter compares the written bytes with old. It returns errDiffers at the first
// difference.
type comparingWriter struct {
	old io.Reader
	buf []byte
}

var errDiffers = errors.New("the content differs")

func (c *comparingWriter) Write(p []byte) (int, error) {
	if len(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	n, err := io.ReadFull(c.old, c.buf[:len(p)])
	if err != nil || !bytes.Equal(c.buf[:n], p) {
		return 0, errDiffers
	}
	return n, nil
}
