package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/quote"
)

// Names are the file names that Find looks for.
func Names() []string { return []string{".kubevet.yaml", ".kubevet.yml"} }

// Find returns the path of the configuration for dir, an absolute path: the one in
// dir or the nearest of its parents, up to the root of the repository, which
// contains .git. Outside a repository it looks only in dir, so that a stray file in
// a directory such as /tmp has no effect. Without a configuration it returns "".
func Find(dir string) (string, error) {
	var found string
	for at := dir; ; {
		if found == "" {
			path, err := in(at)
			if err != nil {
				return "", err
			}
			found = path
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return found, nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			break
		}
		at = parent
	}
	if found != "" && filepath.Dir(found) == dir {
		return found, nil
	}
	return "", nil
}

// in returns the configuration in one directory, "" if there is none.
func in(dir string) (string, error) {
	var found string
	for _, name := range Names() {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			return "", fmt.Errorf("%s is a directory", quote.Name(path))
		case err == nil && found != "":
			return "", fmt.Errorf("both %s and %s exist: remove one", quote.Name(found), quote.Name(path))
		case err == nil:
			found = path
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", fmt.Errorf("reading %s: %w", quote.Name(path), err)
		}
	}
	return found, nil
}

// Read reads a configuration file, up to the limit at which Parse refuses it.
func Read(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxSize+1)) }
