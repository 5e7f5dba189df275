package source

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// list adds the inputs below a directory, whose folder is open.
func (w *walk) list(d *directory) {
	l := w.listing(d.depth)
	if err := d.folder.list(l); err != nil {
		// What could be read of it is searched all the same.
		w.unreadable(d.displayed(), err)
	}
	isChart, files := w.prepare(d, l)
	l.sort()
	// Names in one directory differ, so only an earlier argument can have
	// made one of them an input.
	fresh := len(d.place.inputs) == 0
	if fresh {
		d.place.inputs = w.roomForPlaced(files)
	}
	var from *origin
	keep := w.shelf.left > 0 && (w.KeepFew == 0 || files < w.KeepFew)
	for _, e := range l.entries {
		switch e.mode {
		case 0:
			name := d.name + string(l.name(e))
			base := name[len(d.name):]
			if w.dropped(d, base, false) {
				continue
			}
			w.files++
			if !fresh {
				if _, ok := d.place.input(base); ok {
					continue
				}
			}
			if from == nil {
				from = &origin{access: byWalk, root: d.tree.real, dir: d.tree.below(d.place.real)}
			}
			w.addNew(file{d.place, base}, w.inputFor(d, name, base, from, keep))
		case fs.ModeDir:
			w.enter(d, l.name(e), isChart)
		case fs.ModeSymlink:
			if base := string(l.name(e)); !w.dropped(d, base, false) {
				w.links = append(w.links, link{*d, base})
			}
		}
	}
}

// prepare looks at what a directory says about the files in it and below, and
// leaves in the listing what may lead to inputs. It reports whether the
// directory is a Helm chart, and how many files are left.
func (w *walk) prepare(d *directory, l *listing) (isChart bool, files int) {
	var ownIgnore, ownRepository bool
	var kustomizations []entry // next to no directory has two
	left := l.entries[:0]
	for _, e := range l.entries {
		name := l.name(e)
		switch string(name) {
		case ".git":
			ownRepository = true
		case ".gitignore":
			ownIgnore = true
		case "Chart.yaml":
			isChart = true
		case "Kustomization", "kustomization.yaml", "kustomization.yml":
			kustomizations = append(kustomizations, e)
		}
		switch {
		case e.mode == 0 && w.wanted(d, name):
			files++
		case (e.mode == fs.ModeDir || e.mode == fs.ModeSymlink) && !versionControl(name):
		default:
			continue
		}
		left = append(left, e)
	}
	l.entries = left
	slices.SortFunc(kustomizations, l.compare)
	for _, e := range kustomizations {
		w.walkKustomization(d, string(l.name(e)), e.mode)
	}
	d.place.kustomized = true
	if w.NoGitignore {
		return isChart, files
	}
	if ownRepository && d.depth > 0 {
		// A submodule, or a repository within: the one around it says nothing
		// about its files.
		d.ignore, d.git = w.ignoreAtTop(d.place), ""
	}
	if ownIgnore {
		d.ignore = w.ignoreWithin(d.place, d.ignore, d.git)
	}
	return isChart, files
}

// wanted reports whether a file of this name is one that the argument means.
func (w *walk) wanted(d *directory, base []byte) bool {
	if d.glob == nil {
		return w.manifest(base)
	}
	return d.glob.matches(d.globDir+string(base)) && (d.glob.anyName || w.manifest(base))
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

func (w *walk) inputFor(d *directory, name, base string, from *origin, keep bool) Input {
	in := Input{Name: name, Path: name, Size: -1, from: from, Template: d.chart}
	if w.Dir != "" || filepath.Separator != '/' {
		in.Path = w.osPath(name)
	}
	if isKustomization(base) {
		f := file{d.place, base}
		in.Kustomization = !w.otherKind(f)
		in.text = w.kust.text(f)
	}
	if in.text == nil && keep {
		in.text = d.folder.keep(base, &w.shelf)
	}
	return in
}

// versionControl reports whether a directory is a version control system's
// own. Its files are no manifests, though a branch may be called x.yaml.
func versionControl(base []byte) bool {
	return string(base) == ".git" || string(base) == ".hg" || string(base) == ".svn"
}

// enter lists a directory of d, which may be a Helm chart.
func (w *walk) enter(d *directory, name []byte, isChart bool) {
	var g *glob
	if d.glob != nil {
		var ok bool
		if g, ok = d.glob.into(d.globDir + string(name)); !ok {
			return
		}
	}
	full := d.full + string(name) + string(filepath.Separator)
	base := full[len(d.full) : len(full)-1]
	if w.dropped(d, base, true) {
		return
	}
	child := directory{
		place: w.placeBelow(full[:len(full)-1]), tree: d.tree, full: full,
		name:   d.extend(d.name, full),
		ignore: d.ignore, git: d.extend(d.git, full),
		chart: d.chart, glob: g, depth: d.depth + 1,
	}
	if child.relative = child.name; d.relative != d.name {
		child.relative = d.extend(d.relative, full)
	}
	if g != nil {
		child.globDir = d.extend(d.globDir, full)
	}
	if isChart && base == "templates" {
		child.chart = d.displayed()
	}
	w.search(&child, func() (folder, error) { return d.folder.enter(base, child.place.real) })
}

// extend gives, for a path that leads to d, the one that leads to the directory
// in it with the given full path. Mostly that is an end of the full path.
func (d *directory) extend(path, full string) string {
	if filepath.Separator == '/' && strings.HasSuffix(d.full, path) {
		return full[len(d.full)-len(path):]
	}
	return path + full[len(d.full):len(full)-1] + "/"
}
