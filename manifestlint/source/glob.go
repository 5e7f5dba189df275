package source

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// glob is an argument such as "apps/**/*.yaml" that no shell expanded.
type glob struct {
	// pattern is relative to the directory that the glob names literally.
	pattern string
	// anyName is set if the pattern spells out the end of the name. Then files
	// match whatever their extension.
	anyName bool
	// parts are the leading components of the pattern that match exactly one
	// component each. They decide which directories can contain a match.
	parts []string
	// open is set if the pattern goes on after the parts.
	open bool
}

// isGlob reports whether a name, of which no file exists, is a glob.
func isGlob(name string) bool {
	return strings.ContainsAny(name, "*?[{") && doublestar.ValidatePattern(name)
}

// glob searches the directory that the pattern starts with, as if the user had
// named it.
func (e *expander) glob(name string) {
	dir, pattern := doublestar.SplitPattern(name)
	at, err := e.resolve(e.osPath(dir))
	if err == nil {
		// A slash at the end makes a file an error.
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
		// A set of braces may span components; one part of it is not valid.
		if strings.Contains(part, "**") || !doublestar.ValidatePattern(part) {
			g.open = true
			break
		}
		g.parts = append(g.parts, part)
	}
	return g
}

// matches expects a path relative to the glob's directory.
func (g *glob) matches(name string) bool { return doublestar.MatchUnvalidated(g.pattern, name) }

// into returns the glob for a directory whose parent is searched: nil, which
// matches everything, if the directory itself matches, as if a shell had passed
// it. It reports false if nothing in the directory can match.
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
