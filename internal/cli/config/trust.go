package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/treefile"
)

// A configuration that was found, rather than named by a flag, is as untrusted as the files
// that are checked. It can neither loosen a restriction nor reach out of its repository.

// Read reads and parses a configuration. name is what the user would type for it. The
// file has a tree if it was found.
func Read(f treefile.File, name string) (*Config, error) {
	data, err := f.Read(MaxSize)
	var at *fs.PathError
	switch {
	case err != nil && f.Tree != "":
		return nil, fmt.Errorf("%s %w; name it with --config %s, or add --no-config", quote.Name(name), (&Config{Tree: f.Tree}).reason(err), quote.Name(name))
	case errors.As(err, &at):
		return nil, fmt.Errorf("reading the configuration: %s: %w", quote.Name(name), at.Err)
	case err != nil:
		return nil, fmt.Errorf("reading the configuration: %s: %w", quote.Name(name), err)
	}
	c, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	c.Dir, c.Tree = filepath.Dir(f.Path), f.Tree
	return c, c.checkExclude()
}

// Found reports whether the configuration was found, rather than named by a flag.
func (c *Config) Found() bool { return c.Tree != "" }

// maxPattern is the maximal length of a pattern in bytes. The time for matching a
// pattern grows with it.
const maxPattern = 500

// checkExclude returns the exclusions that a configuration that was found must not have.
func (c *Config) checkExclude() error {
	if !c.Found() {
		return nil
	}
	var errs []error
	for i, pattern := range c.Exclude {
		why := costly(pattern)
		if reaches(pattern) {
			why = "is not relative to this file's directory"
		}
		if why != "" {
			errs = append(errs, c.itemErrorf("exclude", i, "%q %s; give it to --exclude", clip(pattern), why))
		}
	}
	return errors.Join(errs...)
}

// costly returns why matching a pattern may take very long, or "".
func costly(pattern string) string {
	if len(pattern) > maxPattern {
		return fmt.Sprintf("is longer than %d bytes", maxPattern)
	}
	return ""
}

// reaches reports whether a pattern is absolute, on this or on another system.
func reaches(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\`) || filepath.IsAbs(filepath.FromSlash(pattern)) || filepath.VolumeName(filepath.FromSlash(pattern)) != ""
}

// Resolve returns a file that a key names. If the key has a list, item is the index in it.
// A file that a configuration must not name is an error that names the flag to use
// instead.
func (c *Config) Resolve(key string, item int, name, flag string) (treefile.File, error) {
	f := treefile.File{Path: c.path(name), Tree: c.Tree}
	if c.rooted(name) {
		return f, c.refuse(key, item, name, flag, treefile.ErrOutside)
	}
	if _, err := f.Resolve(); err != nil {
		return f, c.refuse(key, item, name, flag, err)
	}
	return f, nil
}

// ResolvePattern returns the absolute path of a file, a directory or a glob that a key names.
// It returns the same errors as Resolve.
func (c *Config) ResolvePattern(key string, item int, name, flag string) (string, error) {
	full := c.path(name)
	if why := costly(name); why != "" && c.Found() {
		return "", c.itemErrorf(key, item, "%q %s; name it with %s", clip(name), why, flag)
	}
	// Only the part of a glob without variables can lead elsewhere.
	fixed, _ := doublestar.SplitPattern(filepath.ToSlash(filepath.Clean(filepath.FromSlash(name))))
	if !strings.ContainsAny(name, "*?[{") {
		fixed = name
	}
	if c.rooted(name) {
		return "", c.refuse(key, item, name, flag, treefile.ErrOutside)
	}
	f := treefile.File{Path: c.path(fixed), Tree: c.Tree}
	if err := f.Inside(); err != nil {
		return "", c.refuse(key, item, name, flag, err)
	}
	return full, nil
}

// rooted reports whether a name of a configuration that was found begins at a root
// without being absolute, as /x does on Windows.
func (c *Config) rooted(name string) bool {
	return c.Found() && reaches(name) && !filepath.IsAbs(filepath.FromSlash(name))
}

// path returns the absolute path of a name in the configuration.
func (c *Config) path(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.Dir, name)
}

// refuse returns the error for a refused file, with the flag that can name the file.
func (c *Config) refuse(key string, item int, name, flag string, err error) error {
	return c.itemErrorf(key, item, "%q %v; name it with %s", clip(name), c.reason(err), flag)
}

// reason returns an error about a file as the end of a sentence, without the file's
// path.
func (c *Config) reason(err error) error {
	var at *fs.PathError
	var tooLarge *treefile.TooLargeError
	switch {
	case errors.Is(err, treefile.ErrOutside) && treefile.Repository(c.Tree) == c.Tree:
		return errors.New("is outside of the repository")
	case errors.Is(err, treefile.ErrOutside):
		return errors.New("is outside of the configuration's directory, which is not in a git repository")
	case errors.Is(err, treefile.ErrNotRegular), errors.Is(err, treefile.ErrDangling), errors.As(err, &tooLarge):
		return fmt.Errorf("is %w", err)
	case errors.Is(err, treefile.ErrGit):
		return err
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}
