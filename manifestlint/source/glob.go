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
	// anyName is set if the end of the pattern is literal, such as .txt. Then
	// Options.Extensions do not matter.
	anyName bool
	// parts are the first components of the pattern. Each matches exactly one
	// component of a path. The parts limit the directories that are searched.
	parts []string
	// longer is set if the pattern has more components than parts.
	longer bool
}

// isGlob reports whether a name is a glob. The caller checks that no file has
// this name.
func isGlob(name string) bool {
	return strings.ContainsAny(name, "*?[{") && doublestar.ValidatePattern(name)
}

// glob searches the directory before the first wildcard, as if the user had
// named the directory.
func (e *expander) glob(name string) {
	dir, pattern := doublestar.SplitPattern(name)
	at, err := e.resolve(e.openPath(dir))
	if err == nil {
		// A name with a slash at the end must be a directory.
		_, err = os.Stat(at.path + string(filepath.Separator))
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
	if w.fileCount == 0 && len(e.problems) == before {
		e.problem(Problem{Usage, name, w.emptyText(), nil})
	}
}

func newGlob(pattern string) *glob {
	g := &glob{pattern: pattern}
	last := path.Base(pattern)
	extension := path.Ext(last)
	g.anyName = !strings.ContainsAny(last, "*?[{") || strings.Trim(extension, ".*?") != ""
	for part := range strings.SplitSeq(pattern, "/") {
		// Braces can contain a slash. A component with a single brace is not valid.
		if strings.Contains(part, "**") || !doublestar.ValidatePattern(part) {
			g.longer = true
			break
		}
		g.parts = append(g.parts, part)
	}
	return g
}

// matches reports whether a path, relative to the glob's directory, matches.
func (g *glob) matches(name string) bool { return doublestar.MatchUnvalidated(g.pattern, name) }

// subdirectory returns the glob for the files below a subdirectory; nil if all of
// them match. ok is false if none of them can match.
func (g *glob) subdirectory(name string) (sub *glob, ok bool) {
	if g == nil || g.matches(name) {
		return nil, true
	}
	depth := strings.Count(name, "/")
	switch {
	case depth >= len(g.parts):
		return g, g.longer
	case depth == len(g.parts)-1 && !g.longer:
		return nil, false
	}
	return g, doublestar.MatchUnvalidated(g.parts[depth], path.Base(name))
}
