package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/treefile"
)

// Names are the file names that Find looks for.
func Names() []string { return []string{".kubevet.yaml", ".kubevet.yml"} }

// Find returns the configuration for dir, an absolute path: the one in dir or the
// nearest of its parents, up to the root of the repository, which contains .git. Outside
// a repository it looks only in dir, so that a stray file in a directory such as /tmp
// has no effect. Without a configuration the Path is empty.
//
// The Tree is the repository, or else the directory of the configuration. Nothing in a
// repository can move its root outward.
//
// Like git, Find trusts no parent directory of another user: a .git there makes no
// repository, and a configuration there is an *OwnerError. The user, root and the owner
// of dir are trusted. On Windows owners are not checked.
func Find(dir string) (treefile.File, error) {
	owners := newOwners(dir)
	top := repository(dir, owners)
	if top == "" {
		path, _, err := in(dir)
		return treefile.File{Path: path, Tree: dir}, err
	}
	for at := dir; ; at = filepath.Dir(at) {
		path, info, err := in(at)
		if err == nil && path != "" && at != dir && !owners.trust(info) {
			err = &OwnerError{Path: path}
		}
		if err != nil || path != "" || at == top {
			return treefile.File{Path: path, Tree: top}, err
		}
	}
}

// OwnerError is the error for a configuration in a parent directory that belongs to
// another user.
type OwnerError struct {
	// Path is absolute.
	Path string
}

func (e *OwnerError) Error() string { return quote.Name(e.Path) + " belongs to another user" }

// repository returns the root of the repository that contains dir, or "".
func repository(dir string, owners owners) string {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil && (at == dir || owners.trust(info)) {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}

// in returns the configuration in one directory, "" if there is none. It may be
// anything, such as a link to a file that does not exist: reading it is then an error.
func in(dir string) (found string, info fs.FileInfo, err error) {
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		at, err := os.Lstat(path)
		switch {
		case err == nil && found != "":
			return "", nil, fmt.Errorf("both %s and %s exist: remove one", quote.Name(found), quote.Name(path))
		case err == nil:
			found, info = path, at
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", nil, fmt.Errorf("reading %s: %w", quote.Name(path), err)
		}
	}
	return found, info, nil
}
