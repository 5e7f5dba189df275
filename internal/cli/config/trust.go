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

// This file limits a configuration that kubevet found itself, without a flag from the
// user. It is as untrusted as the files that are checked. So it cannot remove a
// restriction, and cannot name files outside its repository.

// Read reads and parses a configuration. name is the name of the file in messages. If
// kubevet found the file itself, f.Tree is set.
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

// Found reports whether kubevet found the configuration itself. It is false if the user
// named the file with a flag.
func (c *Config) Found() bool { return c.Tree != "" }

// maxPattern is the maximal length of a pattern in bytes. Longer patterns take longer to
// match.
const maxPattern = 500

// checkExclude returns an error for each pattern in exclude that is not allowed in a
// configuration that kubevet found itself.
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

// costly returns the reason why matching a pattern may take very long, as the end of a
// sentence. It returns "" for other patterns.
func costly(pattern string) string {
	if len(pattern) > maxPattern {
		return fmt.Sprintf("is longer than %d bytes", maxPattern)
	}
	return ""
}

// reaches reports whether a pattern is an absolute path, on this or on another operating
// system.
func reaches(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\`) || filepath.IsAbs(filepath.FromSlash(pattern)) || filepath.VolumeName(filepath.FromSlash(pattern)) != ""
}

// Resolve returns the file with a name that is the value of a key. If the value is a
// list, item is the index in the list. Resolve returns an error if the configuration may
// not name the file. The error recommends the flag, with which the user can name the
// file.
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

// ResolvePattern is like Resolve, but name may be a file, a directory or a glob. It
// returns an absolute path.
func (c *Config) ResolvePattern(key string, item int, name, flag string) (string, error) {
	full := c.path(name)
	if why := costly(name); why != "" && c.Found() {
		return "", c.itemErrorf(key, item, "%q %s; name it with %s", clip(name), why, flag)
	}
	// Only the part before the first wildcard can lead out of the repository.
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

// rooted reports whether a name begins at a root, but is not an absolute path. On
// Windows, /x is such a name. It returns false if the user named the configuration.
func (c *Config) rooted(name string) bool {
	return c.Found() && reaches(name) && !filepath.IsAbs(filepath.FromSlash(name))
}

// path returns the absolute path of a file name in the configuration.
func (c *Config) path(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.Dir, name)
}

// refuse returns the error for a file that the configuration may not name. flag is the
// flag that can name the file.
func (c *Config) refuse(key string, item int, name, flag string, err error) error {
	return c.itemErrorf(key, item, "%q %v; name it with %s", clip(name), c.reason(err), flag)
}

// reason returns an error about a file as the end of a sentence. It leaves out the file's
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
