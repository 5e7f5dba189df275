// Package treefile reads the files of an untrusted tree, such as somebody else's repository. A file
// must be regular and not too large, and no link may lead out of the tree. No content of a tree can
// block a reader.
package treefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Errors of files that are refused.
var (
	// ErrOutside is the error for a path or a link that leads out of the tree.
	ErrOutside = errors.New("is outside of the tree")
	// ErrNotRegular is the error for a directory, a pipe, a device or an unexpected
	// link where a regular file is expected.
	ErrNotRegular = errors.New("not a regular file")
	// ErrDangling is the error for a link to a file that does not exist.
	ErrDangling = errors.New("a link to a file that does not exist")
	// ErrGit is the error for git's own files, which may contain credentials.
	ErrGit = errors.New("belongs to git itself")
)

// TooLargeError is returned for a file over the limit that the caller set.
type TooLargeError struct {
	// Limit is in bytes.
	Limit int64
}

// Error returns a message with the limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("larger than the limit of %d bytes", e.Limit)
}

// File is a file that is read or written. The zero value is no file.
type File struct {
	// Path is absolute.
	Path string
	// Tree is the absolute path of the directory that the file must not lead out
	// of. If it is empty, the user named the file: then it may be anywhere, and it
	// may be a pipe or a device.
	Tree string
}

// Read reads the file. If it has more than limit bytes, Read returns a *TooLargeError.
func (f File) Read(limit int64) ([]byte, error) {
	if f.Tree == "" {
		// It may be a pipe such as the shell's <(command), so opening it may block.
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

// Resolve returns the path of the file without symbolic links. In a tree, it checks that the file
// does not lead out of it, and that it is regular if it exists. Writers call it immediately before
// they write.
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

// Inside checks that the file or directory does not lead out of its tree. It need not exist.
func (f File) Inside() error {
	if f.Tree == "" {
		return nil
	}
	_, _, err := f.resolve()
	return err
}

// resolve returns the tree and the file's path in it, both without symbolic links.
func (f File) resolve() (root, name string, err error) {
	if root, err = filepath.EvalSymlinks(f.Tree); err != nil {
		return "", "", err
	}
	// The text of a path is checked before the file system is accessed. On Windows, an access to
	// \\server\share sends the user's credentials to the server.
	if !below(f.Tree, f.Path) && !below(root, f.Path) {
		return "", "", ErrOutside
	}
	real, err := follow(f.Path)
	if err != nil {
		return "", "", err
	}
	if !below(root, real) {
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

// below reports whether a path is in a directory according to its text. On Windows, names of
// devices and of alternate data streams are not in any directory.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// follow resolves the links in a path, as far as the path exists.
func follow(path string) (string, error) {
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

// ReadBelow reads a file of a directory. Both paths are without links; if one appears
// in the meantime, it cannot lead out of the directory.
func ReadBelow(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return ReadIn(root, name, nil, limit)
}

// Repository returns the nearest directory with a .git, from dir upwards, or "" if there is none.
// The type of .git does not matter: in a worktree it is a file.
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
