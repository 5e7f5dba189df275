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

// maxDepth is the largest depth of directories that are searched. Each level
// makes paths longer, and a hostile archive can have thousands of levels.
const maxDepth = 500

// walk is the search of one directory that is an argument.
type walk struct {
	*expander
	start directory
	// number identifies the walk in knownDir.searched.
	number int
	// firstInput is the index of the walk's first input. fileCount counts the
	// files that it found, including files that an earlier argument has added.
	firstInput, fileCount int
	// links are the symbolic links that were found. They are followed at the end.
	links []link
	// trees must be closed at the end of the walk.
	trees []*tree
	// ignored and excluded count the files and directories that were left out. A
	// directory counts as one.
	ignored, excluded int
}

// tree is a directory that a walk must not leave. A directory to which a link
// leads is a new tree.
type tree struct {
	root *os.Root
	path string
}

// directory is a directory that a walk visits.
type directory struct {
	known *knownDir
	tree  *tree
	// name is the path of the directory as the user would type it, with a slash
	// at the end; "" for the working directory.
	name string
	// relative is the path relative to the working directory, in the form of
	// name.
	relative string
	// ignore has the inherited ignore rules. inRepository is the directory's path
	// relative to the repository's root, for these rules. It is empty or ends
	// with a slash.
	ignore       *ignoreLevel
	inRepository string
	// chart is the chart whose templates directory contains this directory; ""
	// for none.
	chart string
	// vendored is set for the charts directory of a chart. Archives in it are
	// rendered with the chart.
	vendored bool
	// glob is the pattern that files must match; nil for all manifests. globDir
	// is the path of this directory, relative to the glob's directory. It is
	// empty or ends with a slash.
	glob    *glob
	globDir string
	depth   int
}

func (e *expander) newWalk(at *knownDir, name string, g *glob) *walk {
	e.walkCount++
	w := &walk{expander: e, number: e.walkCount, firstInput: len(e.inputs)}
	w.start = directory{
		known:    at,
		name:     asPrefix(name),
		relative: asPrefix(e.relative(name, at, "")),
		glob:     g,
	}
	w.start.ignore, w.start.inRepository = e.inheritedIgnore(at)
	w.start.chart = e.chartOf(at, isAbs(name))
	return w
}

// asPrefix returns a directory's name with a slash at the end, or "" for ".".
func asPrefix(name string) string {
	switch {
	case name == ".":
		return ""
	case strings.HasSuffix(name, "/"):
		return name
	}
	return name + "/"
}

// run searches the start directory and adds the inputs.
func (w *walk) run() {
	defer func() {
		for _, t := range w.trees {
			t.root.Close()
		}
	}()
	t, err := w.open(w.start.known)
	if err != nil {
		w.unreadable(w.start.displayName(), err)
		return
	}
	w.start.tree = t
	w.kustomizationsAbove(w.start.known, isAbs(w.start.name))
	w.search(&w.start)
	w.followLinks()
}

// open opens a directory as a tree.
func (w *walk) open(at *knownDir) (*tree, error) {
	root, err := os.OpenRoot(at.path)
	if err != nil {
		return nil, err
	}
	t := &tree{root, at.path}
	w.trees = append(w.trees, t)
	return t, nil
}

// readDir returns the entries of a directory in the tree, sorted by name. With
// an error, it also returns the entries that could be read.
func (t *tree) readDir(real string) ([]os.DirEntry, error) {
	f, err := treefile.OpenDir(t.root, t.relative(real))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// relative returns a physical path relative to the tree's root.
func (t *tree) relative(real string) string {
	rest := strings.TrimPrefix(real, t.path)
	if rest = strings.TrimPrefix(rest, string(filepath.Separator)); rest == "" {
		return "."
	}
	return rest
}

// displayName returns a directory's name without the slash at the end.
func (d *directory) displayName() string {
	if d.name == "" {
		return "."
	}
	return path.Clean(d.name)
}

// search lists a directory, unless the walk has already visited it through a
// link.
func (w *walk) search(d *directory) {
	if !w.needsVisit(d) {
		return
	}
	if d.depth > maxDepth {
		w.problem(Problem{Unreadable, d.displayName(), "nested over " + strconv.Itoa(maxDepth) + " directories deep", nil})
		return
	}
	w.list(d)
}

// needsVisit reports whether the walk must visit a directory: the walk has
// visited it neither for all manifests nor for the glob.
func (w *walk) needsVisit(d *directory) bool {
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

// emptyText returns the message for a walk that found no inputs.
func (w *walk) emptyText() string {
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
