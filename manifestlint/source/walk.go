package source

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
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
	root *folder
	real string
}

// directory is a directory on the way.
type directory struct {
	place *place
	// tree is what the walk may not leave here. folder is the directory, open
	// while it is searched.
	tree   *tree
	folder *folder
	// name is the directory as the user would type it, with a slash at its
	// end; empty for the working directory.
	name string
	// relative is the same relative to the working directory.
	relative string
	// below is the path below the root of the tree, in the notation of the
	// operating system; "." for the root.
	below string
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
		name:     asPrefix(name),
		relative: asPrefix(e.relative(name, at, "")),
		below:    ".",
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

// list adds the inputs below a directory, whose folder is open.
func (w *walk) list(d *directory) {
	entries, err := d.entries()
	if err != nil {
		// What could be read of it is searched all the same.
		w.unreadable(d.displayed(), err)
	}
	isChart := w.prepare(d, entries)
	var from *origin
	// Names in one directory differ, so only an earlier argument can have
	// made one of them an input.
	add := w.addNew
	if len(d.place.inputs) > 0 {
		add = w.add
	}
	for _, entry := range entries {
		base := entry.Name()
		switch entry.Type() {
		case 0:
			if !w.wanted(d, base) || w.dropped(d, base, false) {
				continue
			}
			if from == nil {
				from = &origin{access: byWalk, root: d.tree.real, dir: d.below}
				d.place.inputs = slices.Grow(d.place.inputs, len(entries))
			}
			w.files++
			add(file{d.place, base}, w.inputFor(d, base, from))
		case fs.ModeDir:
			chart := d.chart
			if isChart && base == "templates" {
				chart = d.displayed()
			}
			w.enter(d, base, chart)
		case fs.ModeSymlink:
			if !versionControl(base) && !w.dropped(d, base, false) {
				w.links = append(w.links, link{*d, base})
			}
		}
	}
}

// entries lists a directory in the order of the names.
func (d *directory) entries() ([]fs.DirEntry, error) {
	entries, err := d.folder.list()
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// prepare looks at what a directory says about the files in it and below, and
// reports whether it is a Helm chart.
func (w *walk) prepare(d *directory, entries []fs.DirEntry) (isChart bool) {
	var ownIgnore, ownRepository bool
	for _, entry := range entries {
		switch base := entry.Name(); base {
		case ".git":
			ownRepository = true
		case ".gitignore":
			ownIgnore = true
		case "Chart.yaml":
			isChart = true
		case "kustomization.yaml", "kustomization.yml", "Kustomization":
			w.walkKustomization(d, entry)
		}
	}
	d.place.kustomized = true
	if w.NoGitignore {
		return isChart
	}
	if ownRepository && d.depth > 0 {
		// A submodule, or a repository within: the one around it says nothing
		// about its files.
		d.ignore, d.git = w.ignoreAtTop(d.place), ""
	}
	if ownIgnore {
		d.ignore = w.ignoreWithin(d.place, d.ignore, d.git)
	}
	return isChart
}

// wanted reports whether a file of this name is one that the argument means.
func (w *walk) wanted(d *directory, base string) bool {
	if d.glob == nil {
		return w.manifest(base)
	}
	return d.glob.matches(d.globDir+base) && (d.glob.anyName || w.manifest(base))
}

// dropped reports whether an entry is ignored or excluded, and counts it.
func (w *walk) dropped(d *directory, base string, isDir bool) bool {
	if d.ignore.ignores(d.git, base, isDir) {
		w.ignored++
		return true
	}
	if w.exclude != nil && w.exclude.match(d.relative, base, isDir) != "" {
		w.excluded++
		return true
	}
	return false
}

func (w *walk) inputFor(d *directory, base string, from *origin) Input {
	name := d.name + base
	full := name
	if w.Dir != "" || filepath.Separator != '/' {
		full = w.osPath(name)
	}
	return Input{
		Name: name, Path: full, Size: -1, from: from,
		Template:      d.chart,
		Kustomization: isKustomization(base) && !w.otherKind(file{d.place, base}),
	}
}

// versionControl reports whether a directory is a version control system's
// own. Its files are no manifests, though a branch may be called x.yaml.
func versionControl(base string) bool { return base == ".git" || base == ".hg" || base == ".svn" }

// enter lists a directory of d.
func (w *walk) enter(d *directory, base, chart string) {
	g, ok := d.glob.into(d.globDir + base)
	if !ok || versionControl(base) || w.dropped(d, base, true) {
		return
	}
	below := base
	if d.below != "." {
		below = d.below + string(filepath.Separator) + base
	}
	w.search(&directory{
		place: w.place(filepath.Join(d.place.real, base)), tree: d.tree,
		name: d.name + base + "/", relative: d.relative + base + "/", below: below,
		ignore: d.ignore, git: d.git + base + "/",
		chart: chart, glob: g, globDir: d.globDir + base + "/", depth: d.depth + 1,
	}, func() (*folder, error) { return d.folder.enter(base) })
}

// search opens a directory other than the start and lists it, unless that was
// done before, by way of a link.
func (w *walk) search(d *directory, open func() (*folder, error)) {
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
