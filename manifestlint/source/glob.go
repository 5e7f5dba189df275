package source

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// glob is an argument such as "apps/**/*.yaml" that no shell has expanded.
type glob struct {
	// pattern is relative to the directory before the first wildcard.
	pattern string
	// anyName is set if the end of the pattern is literal, such as .txt. The
	// extension of the files then does not matter.
	anyName bool
	// parts are the first components of the pattern. Each matches exactly one
	// component of a path. They limit the directories that are searched.
	parts []string
	// open is set if the pattern is longer than parts.
	open bool
}

// isGlob reports whether a name is a glob. No file with the name may exist.
func isGlob(name string) bool {
	return strings.ContainsAny(name, "*?[{") && doublestar.ValidatePattern(name)
}

// glob searches the directory before the first wildcard, as if the user had
// named the directory.
func (e *expander) glob(name string) {
	dir, pattern := doublestar.SplitPattern(name)
	at, err := e.resolve(e.osPath(dir))
	if err == nil {
		// A name with a slash at the end must be a directory.
		_, err = os.Stat(at.real + string(filepath.Separator))
	}
	if err != nil && !missing(err) {
		e.unreadable(name, err)
		return
	}
	if err != nil {
		e.problem(Problem{Usage, name, "matches no file: " + printable(dir) + ": " + reason(err), err})
		return
	}
	before := len(e.problems)
	w := e.newWalk(at, path.Clean(dir), newGlob(pattern))
	w.run()
	if w.files == 0 && len(e.problems) == before {
		e.problem(Problem{Usage, name, w.whyEmpty(), nil})
	}
}

func newGlob(pattern string) *glob {
	g := &glob{pattern: pattern}
	last := path.Base(pattern)
	extension := path.Ext(last)
	g.anyName = !strings.ContainsAny(last, "*?[{") || strings.Trim(extension, ".*?") != ""
	for part := range strings.SplitSeq(pattern, "/") {
		// Braces can contain a slash. A component with a single brace is not
		// valid.
		if strings.Contains(part, "**") || !doublestar.ValidatePattern(part) {
			g.open = true
			break
		}
		g.parts = append(g.parts, part)
	}
	return g
}

// matches reports whether a path matches. The path is relative to the glob's
// directory.
func (g *glob) matches(name string) bool { return doublestar.MatchUnvalidated(g.pattern, name) }

// into returns the glob for the subdirectory name. It returns nil, which
// matches all files, if the glob matches the subdirectory itself. It returns
// false if no file below the subdirectory can match.
func (g *glob) into(name string) (*glob, bool) {
	if g == nil || g.matches(name) {
		return nil, true
	}
	depth := strings.Count(name, "/")
	switch {
	case depth >= len(g.parts):
		return g, g.open
	case depth == len(g.parts)-1 && !g.open:
		return nil, false
	}
	return g, doublestar.MatchUnvalidated(g.parts[depth], path.Base(name))
}
