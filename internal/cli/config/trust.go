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

// This file limits a configuration that kubevet discovered itself. Such a configuration
// is as untrusted as the files that are checked. So it cannot remove a restriction, and
// cannot name files outside its repository. A configuration that the user names with a
// flag has no such limits.

// Read reads and parses a configuration. name is the name of the file in messages. f.Tree
// is set if kubevet discovered the file.
func Read(f treefile.File, name string) (*Config, error) {
	data, err := f.Read(MaxSize)
	var at *fs.PathError
	switch {
	case err != nil && f.Tree != "":
		return nil, fmt.Errorf("%s %w; name it with --config %s, or add --no-config", quote.Name(name), (&Config{Tree: f.Tree}).withoutPath(err), quote.Name(name))
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

// Discovered reports whether kubevet found the configuration itself. Otherwise, the user
// named the file with a flag.
func (c *Config) Discovered() bool { return c.Tree != "" }

// maxPattern is the maximal length of a pattern in bytes. Longer patterns take longer to
// match.
const maxPattern = 500

// checkExclude returns an error for each pattern in exclude that a discovered
// configuration may not have.
func (c *Config) checkExclude() error {
	if !c.Discovered() {
		return nil
	}
	var errs []error
	for i, pattern := range c.Exclude {
		why := slowReason(pattern)
		if isAbsolute(pattern) {
			why = "is not relative to this file's directory"
		}
		if why != "" {
			errs = append(errs, c.itemErrorf("exclude", i, "%q %s; give it to --exclude", shorten(pattern), why))
		}
	}
	return errors.Join(errs...)
}

// slowReason returns a text that says why matching a pattern may take very long, as the
// end of a sentence. It returns "" for other patterns.
func slowReason(pattern string) string {
	if len(pattern) > maxPattern {
		return fmt.Sprintf("is longer than %d bytes", maxPattern)
	}
	return ""
}

// isAbsolute reports whether a pattern is an absolute path on any operating system.
func isAbsolute(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\`) || filepath.IsAbs(filepath.FromSlash(pattern)) || filepath.VolumeName(filepath.FromSlash(pattern)) != ""
}

// Resolve returns the file that the value of a key names. For a list, item is the index.
// Resolve returns an error if the configuration may not name the file. The error
// recommends the flag for naming it.
func (c *Config) Resolve(key string, item int, name, flag string) (treefile.File, error) {
	f := treefile.File{Path: c.path(name), Tree: c.Tree}
	if c.isRootedOnly(name) {
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
	if why := slowReason(name); why != "" && c.Discovered() {
		return "", c.itemErrorf(key, item, "%q %s; name it with %s", shorten(name), why, flag)
	}
	// Only the part before the first wildcard can lead out of the repository.
	fixed, _ := doublestar.SplitPattern(filepath.ToSlash(filepath.Clean(filepath.FromSlash(name))))
	if !strings.ContainsAny(name, "*?[{") {
		fixed = name
	}
	if c.isRootedOnly(name) {
		return "", c.refuse(key, item, name, flag, treefile.ErrOutside)
	}
	f := treefile.File{Path: c.path(fixed), Tree: c.Tree}
	if err := f.Inside(); err != nil {
		return "", c.refuse(key, item, name, flag, err)
	}
	return full, nil
}

// isRootedOnly reports whether a name in a discovered configuration begins at a root
// without being an absolute path, such as /x on Windows.
func (c *Config) isRootedOnly(name string) bool {
	return c.Discovered() && isAbsolute(name) && !filepath.IsAbs(filepath.FromSlash(name))
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
	return c.itemErrorf(key, item, "%q %v; name it with %s", shorten(name), c.withoutPath(err), flag)
}

// withoutPath returns an error about a file as the end of a sentence, without the file's
// path.
func (c *Config) withoutPath(err error) error {
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
