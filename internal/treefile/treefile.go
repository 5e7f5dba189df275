// Package treefile reads files in a tree that is not trusted, such as another person's
// repository. A file must be regular and not too large. No symbolic link may lead out of
// the tree. No file in a tree can block a reader.
package treefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// These are the errors for files that are refused.
var (
	// ErrOutside is the error for a path or symbolic link that leads out of the tree.
	ErrOutside = errors.New("is outside of the tree")
	// ErrNotRegular is the error for a directory, pipe, device or symbolic link instead
	// of a regular file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrDangling is the error for a symbolic link to a file that does not exist.
	ErrDangling = errors.New("a link to a file that does not exist")
	// ErrGit is the error for the files in .git, which may contain credentials.
	ErrGit = errors.New("belongs to git itself")
)

// TooLargeError is the error for a file with more bytes than the caller allows.
type TooLargeError struct {
	// Limit is the limit in bytes.
	Limit int64
}

// Error returns a message with the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("larger than the limit of %d bytes", e.Limit)
}

// File is a file to read or write. The zero value means no file.
type File struct {
	// Path is the absolute path of the file.
	Path string
	// Tree is the absolute path of the directory in which the file must be. It is empty
	// for a file that the user named, which may be anywhere, and may be a pipe or a
	// device.
	Tree string
}

// Read reads the file. If it has more than limit bytes, Read returns a *TooLargeError.
func (f File) Read(limit int64) ([]byte, error) {
	if f.Tree == "" {
		// The file may be a pipe, such as <(command) of the shell. So opening it may
		// block.
		file, err := os.Open(f.Path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return ReadAll(file, nil, limit)
	}
	root, name, err := f.resolve()
	if err != nil {
		return nil, err
	}
	return ReadBelow(root, name, limit)
}

// Resolve returns the path of the file without symbolic links. If Tree is set, it checks
// that the file is in the tree, and that an existing file is regular. Call it immediately
// before writing.
func (f File) Resolve() (string, error) {
	if f.Tree == "" {
		return f.Path, nil
	}
	root, name, err := f.resolve()
	if err != nil {
		return "", err
	}
	full := filepath.Join(root, name)
	info, err := os.Lstat(full)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return full, nil
}

// Inside returns an error if the file or directory is outside of Tree. The file need not
// exist.
func (f File) Inside() error {
	if f.Tree == "" {
		return nil
	}
	_, _, err := f.resolve()
	return err
}

// resolve returns the tree, and the path of the file relative to it, both without
// symbolic links.
func (f File) resolve() (root, name string, err error) {
	if root, err = filepath.EvalSymlinks(f.Tree); err != nil {
		return "", "", err
	}
	// The text of the path is checked before the file system is accessed. On Windows,
	// accessing \\server\share would send the user's credentials to the server.
	if !isBelow(f.Tree, f.Path) && !isBelow(root, f.Path) {
		return "", "", ErrOutside
	}
	real, err := resolveExisting(f.Path)
	if err != nil {
		return "", "", err
	}
	if !isBelow(root, real) {
		return "", "", ErrOutside
	}
	if name, err = filepath.Rel(root, real); err != nil {
		return "", "", err
	}
	if InGit(name) {
		return "", "", ErrGit
	}
	return root, name, nil
}

// isBelow reports whether a path is in a directory, by their texts. On Windows, names of
// devices and of alternate data streams are in no directory.
func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolveExisting returns a path without symbolic links in its existing part.
func resolveExisting(path string) (string, error) {
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, err := os.Lstat(path); err == nil {
			return "", ErrDangling
		}
		up := filepath.Dir(path)
		if up == path {
			return "", err
		}
		path, rest = up, filepath.Join(filepath.Base(path), rest)
	}
}

// InGit reports whether a relative path leads into a .git directory.
func InGit(name string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		if strings.EqualFold(part, ".git") { // some file systems ignore case
			return true
		}
	}
	return false
}

// ReadBelow reads the file name in the directory dir. Both paths must have no symbolic
// links. Even if a link then replaces a part of the path, ReadBelow reads no file outside
// dir.
func ReadBelow(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return ReadIn(root, name, nil, limit)
}

// Repository returns dir or its nearest parent that has a .git, or "". The .git may be a
// file, as in a worktree.
func Repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}
