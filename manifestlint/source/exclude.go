package source

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// exclusions are the compiled Options.Exclude.
type exclusions []exclusion

type exclusion struct {
	// text is the glob as the user wrote it, pattern its normalized form.
	text, pattern string
	// base is set if it matches base names, dirOnly if only directories.
	base, dirOnly bool
}

func (e *expander) parseExclusions(globs []string) exclusions {
	var all exclusions
	for _, text := range globs {
		x := exclusion{text: text, pattern: filepath.ToSlash(text)}
		x.pattern, x.dirOnly = strings.CutSuffix(x.pattern, "/")
		x.pattern = strings.TrimPrefix(x.pattern, "./")
		x.base = !strings.Contains(x.pattern, "/") && !strings.HasPrefix(filepath.ToSlash(text), "./")
		if x.pattern == "" || !doublestar.ValidatePattern(x.pattern) {
			e.problem(Problem{Usage, text, "exclusion is not a valid glob", doublestar.ErrBadPattern})
			continue
		}
		if isAbs(x.pattern) {
			// All matching is relative to the physical working directory: a link
			// on the way there must not disable the glob.
			dir, rest := doublestar.SplitPattern(x.pattern)
			if at, err := e.resolve(filepath.FromSlash(dir)); err == nil {
				dir = at.real
			}
			x.pattern = path.Join(e.name(filepath.FromSlash(dir), false), rest)
		}
		all = append(all, x)
	}
	return all
}

// match returns the glob that excludes an entry of a directory, or "" if none
// does. dir is relative to the working directory, with a slash at its end unless
// it is empty.
func (x exclusions) match(dir, base string, isDir bool) string {
	full := ""
	for i := range x {
		if x[i].dirOnly && !isDir {
			continue
		}
		text := base
		if !x[i].base {
			if full == "" {
				full = dir + base
			}
			text = full
		}
		if doublestar.MatchUnvalidated(x[i].pattern, text) {
			return x[i].text
		}
	}
	return ""
}

// named returns the glob that excludes the file or directory of an argument, or
// one of the directories in its name, or "" if none does. name is relative to
// the working directory.
func (x exclusions) named(name string, isDir bool) string {
	if len(x) == 0 {
		return ""
	}
	for start := 0; start < len(name); {
		end := len(name)
		if i := strings.IndexByte(name[start:], '/'); i >= 0 {
			end = start + i
		}
		if base := name[start:end]; base != "." && base != ".." {
			if text := x.match(name[:start], base, isDir || end < len(name)); text != "" {
				return text
			}
		}
		start = end + 1
	}
	return ""
}
