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

// Names returns the names of configuration files, in the order in which Find tries them.
func Names() []string { return []string{".kubevet.yaml", ".kubevet.yml"} }

// Find returns the configuration file for dir, an absolute path. It searches dir and its
// parents up to the root of the repository (the directory with .git), and returns the
// nearest file. Outside a repository, it searches only dir, so that a stray file in a
// directory such as /tmp has no effect. Path is empty if there is no file.
//
// Tree of the result is the repository, or the directory of the configuration outside a
// repository. No file inside a repository can make Tree larger.
//
// Like git, Find does not trust parent directories of other users. It ignores a .git
// there, and returns an *OwnerError for a configuration there. It trusts directories of
// the current user, of root, and of the owner of dir. On Windows, Find does not check
// owners.
func Find(dir string) (treefile.File, error) {
	owners := newOwners(dir)
	top := repository(dir, owners)
	if top == "" {
		path, _, err := configIn(dir)
		return treefile.File{Path: path, Tree: dir}, err
	}
	for at := dir; ; at = filepath.Dir(at) {
		path, info, err := configIn(at)
		if err == nil && path != "" && at != dir && !owners.trusts(info) {
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
	// Path is the absolute path of the configuration.
	Path string
}

func (e *OwnerError) Error() string { return quote.Name(e.Path) + " belongs to another user" }

// repository returns the root of the repository that contains dir, or "".
func repository(dir string, owners owners) string {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil && (at == dir || owners.trusts(info)) {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}

// configIn returns the path of the configuration in one directory, or "". It does not
// check the type of the file. If the file is a link to nothing, reading it returns the
// error.
func configIn(dir string) (found string, info fs.FileInfo, err error) {
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
