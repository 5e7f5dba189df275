package source

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

type exclusions []exclusion

type exclusion struct {
	// text is the glob as the user wrote it. pattern is its normalized form.
	text, pattern string
	// baseOnly is set if the glob matches base names, not paths. dirOnly is set
	// if it matches only directories.
	baseOnly, dirOnly bool
}

func (e *expander) parseExclusions(globs []string) exclusions {
	var all exclusions
	for _, text := range globs {
		x := exclusion{text: text, pattern: filepath.ToSlash(text)}
		x.pattern, x.dirOnly = strings.CutSuffix(x.pattern, "/")
		x.pattern = strings.TrimPrefix(x.pattern, "./")
		x.baseOnly = !strings.Contains(x.pattern, "/") && !strings.HasPrefix(filepath.ToSlash(text), "./")
		if x.pattern == "" || !doublestar.ValidatePattern(x.pattern) {
			e.problem(Problem{Usage, text, "exclusion is not a valid glob", doublestar.ErrBadPattern})
			continue
		}
		if isAbs(x.pattern) {
			// Paths are compared relative to the working directory, with links
			// resolved. The glob's own path may contain a link.
			dir, rest := doublestar.SplitPattern(x.pattern)
			if at, err := e.resolve(filepath.FromSlash(dir)); err == nil {
				dir = at.path
			}
			x.pattern = path.Join(e.name(filepath.FromSlash(dir), false), rest)
		}
		all = append(all, x)
	}
	return all
}

// match returns the glob that excludes an entry of a directory; "" for none.
// dir is relative to the working directory. It is empty or ends with a slash.
func (x exclusions) match(dir, base string, isDir bool) string {
	full := ""
	for i := range x {
		if x[i].dirOnly && !isDir {
			continue
		}
		text := base
		if !x[i].baseOnly {
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

// matchArgument returns the glob that excludes an argument, or one of the
// directories in its path; "" for none. name is relative to the working
// directory.
func (x exclusions) matchArgument(name string, isDir bool) string {
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
