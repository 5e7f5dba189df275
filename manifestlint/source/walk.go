package source

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// maxDepth bounds how deep directories are searched. Each level costs its
// files one more path component, which a hostile archive could make thousands.
const maxDepth = 500

// walk is the search of one directory that an argument names.
type walk struct {
	*expander
	start directory
	// number tells the places that this walk listed from others.
	number int
	// from is the index of its first input, files how many it found,
	// including those that are inputs by an earlier argument.
	from, files int
	// links are symbolic links, left for when everything else was seen.
	links []link
	// trees are to be closed.
	trees []*tree
	// ignored and excluded count what was left out, a directory as one.
	ignored, excluded int
}

// tree is a directory that a walk searches without leaving it. Links to
// outside, if they are followed, open further trees.
type tree struct {
	root folder
	real string
}

// directory is a directory on the way.
type directory struct {
	place *place
	// tree is what the walk may not leave here. folder is the directory, open
	// while it is searched.
	tree   *tree
	folder folder
	// full is its physical path with a separator at its end. Where it can be,
	// each of the paths that follow is an end of it, in the same memory.
	full string
	// name is the directory as the user would type it, with a slash at its
	// end; empty for the working directory.
	name string
	// relative is the same relative to the working directory.
	relative string
	// ignore are the rules from above, git the directory relative to where
	// they start, empty or with a slash at its end.
	ignore *ignoreLevel
	git    string
	// chart is the chart whose templates directory this is or is in.
	chart string
	// glob is what files must match, nil for any manifest; globDir is the
	// directory relative to the glob's base, empty or with a slash.
	glob    *glob
	globDir string
	depth   int
}

func (e *expander) newWalk(at *place, name string, g *glob) *walk {
	e.walks++
	w := &walk{expander: e, number: e.walks, from: len(e.inputs)}
	w.start = directory{
		place:    at,
		full:     asOSPrefix(at.real),
		name:     asPrefix(name),
		relative: asPrefix(e.relative(name, at, "")),
		glob:     g,
	}
	w.start.ignore, w.start.git = e.ignoreFor(at)
	w.start.chart = e.chartOf(at, isAbs(name))
	return w
}

// asPrefix makes a directory's name one that base names can be put behind.
func asPrefix(name string) string {
	switch {
	case name == ".":
		return ""
	case strings.HasSuffix(name, "/"):
		return name
	}
	return name + "/"
}

// asOSPrefix is asPrefix for a physical path.
func asOSPrefix(real string) string {
	if os.IsPathSeparator(real[len(real)-1]) {
		return real // the root of a file system
	}
	return real + string(filepath.Separator)
}

// run adds the inputs.
func (w *walk) run() {
	defer func() {
		for _, t := range w.trees {
			t.root.close()
		}
	}()
	t, err := w.open(w.start.place)
	if err != nil {
		w.unreadable(w.start.displayed(), err)
		return
	}
	w.start.tree, w.start.folder = t, t.root
	w.kustomizationsAbove(w.start.place, isAbs(w.start.name))
	w.first(&w.start)
	w.list(&w.start)
	w.followLinks()
}

// open makes a directory one that the walk may search.
func (w *walk) open(at *place) (*tree, error) {
	root, err := openFolder(at.real)
	if err != nil {
		return nil, err
	}
	t := &tree{root, at.real}
	w.trees = append(w.trees, t)
	return t, nil
}

// displayed is a directory's name without the slash.
func (d *directory) displayed() string {
	if d.name == "" {
		return "."
	}
	return path.Clean(d.name)
}

// search opens a directory other than the start and lists it, unless that was
// done before, by way of a link.
func (w *walk) search(d *directory, open func() (folder, error)) {
	if !w.first(d) {
		return
	}
	if d.depth > maxDepth {
		w.problem(Problem{Unreadable, d.displayed(), "nested over " + strconv.Itoa(maxDepth) + " directories deep", nil})
		return
	}
	var err error
	if d.folder, err = open(); err != nil {
		w.unreadable(d.displayed(), replaced(err))
		return
	}
	defer d.folder.close()
	w.list(d)
}

// first reports whether this walk meets a directory for the first time. A
// search for all manifests leaves nothing for one by a glob.
func (w *walk) first(d *directory) bool {
	seen := &d.place.searched
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
