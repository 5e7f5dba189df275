package source

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/treefile"
)

// maxDepth bounds how deep directories are searched. Each level makes the paths
// of its files longer, and a hostile archive can have thousands of levels.
const maxDepth = 500

// walk is the search of one directory that an argument names.
type walk struct {
	*expander
	start directory
	// number identifies this walk in knownDir.searched.
	number int
	// from is the index of its first input. files counts the files that it found,
	// including those that are inputs by an earlier argument.
	from, files int
	// links are the symbolic links. They are followed at the end.
	links []link
	// trees are open until the walk ends.
	trees []*tree
	// ignored and excluded count what was left out, a directory as one.
	ignored, excluded int
}

// tree is a directory that a walk searches without leaving it. Links to
// outside, if they are followed, open further trees.
type tree struct {
	root *os.Root
	real string
}

// directory is a directory that a walk visits.
type directory struct {
	known *knownDir
	// tree is the tree that the walk may not leave from here.
	tree *tree
	// name is the directory as the user would type it, with a slash at its end;
	// empty for the working directory.
	name string
	// relative is the same, relative to the working directory.
	relative string
	// ignore are the ignore rules from above. git is the directory relative to
	// where they start, empty or with a slash at its end.
	ignore *ignoreLevel
	git    string
	// chart is the chart in whose templates directory this directory is.
	chart string
	// vendored reports whether the directory is in a chart's charts directory,
	// whose archives are rendered with the chart.
	vendored bool
	// glob is the pattern that files must match; nil for any manifest. globDir
	// is the directory relative to the glob's base, empty or with a slash.
	glob    *glob
	globDir string
	depth   int
}

func (e *expander) newWalk(at *knownDir, name string, g *glob) *walk {
	e.walks++
	w := &walk{expander: e, number: e.walks, from: len(e.inputs)}
	w.start = directory{
		known:    at,
		name:     asPrefix(name),
		relative: asPrefix(e.relative(name, at, "")),
		glob:     g,
	}
	w.start.ignore, w.start.git = e.ignoreFor(at)
	w.start.chart = e.chartOf(at, isAbs(name))
	return w
}

// asPrefix turns a directory's name into a prefix for base names.
func asPrefix(name string) string {
	switch {
	case name == ".":
		return ""
	case strings.HasSuffix(name, "/"):
		return name
	}
	return name + "/"
}

// run adds the inputs.
func (w *walk) run() {
	defer func() {
		for _, t := range w.trees {
			t.root.Close()
		}
	}()
	t, err := w.open(w.start.known)
	if err != nil {
		w.unreadable(w.start.displayed(), err)
		return
	}
	w.start.tree = t
	w.kustomizationsAbove(w.start.known, isAbs(w.start.name))
	w.search(&w.start)
	w.followLinks()
}

// open makes a directory a tree that the walk may search.
func (w *walk) open(at *knownDir) (*tree, error) {
	root, err := os.OpenRoot(at.real)
	if err != nil {
		return nil, err
	}
	t := &tree{root, at.real}
	w.trees = append(w.trees, t)
	return t, nil
}

// readDir returns the entries of a directory in the tree, ordered by name. With
// an error it returns the entries that could be read.
func (t *tree) readDir(real string) ([]os.DirEntry, error) {
	f, err := treefile.OpenDir(t.root, t.below(real))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// below returns a physical path relative to the tree.
func (t *tree) below(real string) string {
	rest := strings.TrimPrefix(real, t.real)
	if rest = strings.TrimPrefix(rest, string(filepath.Separator)); rest == "" {
		return "."
	}
	return rest
}

// displayed returns a directory's name without the slash.
func (d *directory) displayed() string {
	if d.name == "" {
		return "."
	}
	return path.Clean(d.name)
}

// search lists a directory, unless the walk has been there before through a
// link.
func (w *walk) search(d *directory) {
	if !w.first(d) {
		return
	}
	if d.depth > maxDepth {
		w.problem(Problem{Unreadable, d.displayed(), "nested over " + strconv.Itoa(maxDepth) + " directories deep", nil})
		return
	}
	w.list(d)
}

// first reports whether this walk visits a directory for the first time. After a
// search for all manifests, a search for a glob would find nothing new.
func (w *walk) first(d *directory) bool {
	seen := &d.known.searched
	if seen[0] == w.number || d.glob != nil && seen[1] == w.number {
		return false
	}
	if d.glob == nil {
		seen[0] = w.number
	} else {
		seen[1] = w.number
	}
	return true
}

// whyEmpty explains why a walk found nothing.
func (w *walk) whyEmpty() string {
	text := "no " + strings.Join(w.Extensions, ", ") + " file in it"
	if w.start.glob != nil {
		text = "matches no file"
	}
	if w.ignored > 0 {
		text += "; ignored by git: " + strconv.Itoa(w.ignored)
	}
	if w.excluded > 0 {
		text += "; excluded: " + strconv.Itoa(w.excluded)
	}
	return text
}
