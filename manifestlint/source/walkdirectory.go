package source

import (
	"io/fs"
	"os"
	"path/filepath"
)

// list adds the inputs in a directory and below it.
func (w *walk) list(d *directory) {
	entries, err := d.tree.readDir(d.known.path)
	if err != nil {
		// Search the entries that could be read.
		w.unreadable(d.displayName(), err)
		if len(entries) == 0 {
			return
		}
	}
	isChart := w.prepare(d, entries)
	from := &origin{access: byWalk, root: d.tree.path, dirInRoot: d.tree.relative(d.known.path)}
	for _, e := range entries {
		base := e.Name()
		switch e.Type() {
		case 0:
			if !w.isSelected(d, base) {
				w.packedChart(d, base)
				continue
			}
			if w.leftOut(d, base, false) {
				continue
			}
			w.fileCount++
			w.add(file{d.known, base}, w.inputFor(d, base, from))
		case fs.ModeDir:
			if !versionControl(base) {
				w.enter(d, base, isChart)
			}
		case fs.ModeSymlink:
			if !versionControl(base) && !w.leftOut(d, base, false) {
				w.links = append(w.links, link{*d, base})
			}
		}
	}
}

// prepare reads the kustomizations and the .gitignore of a directory, which
// determine the use of its other files. It reports whether the directory is a
// Helm chart.
func (w *walk) prepare(d *directory, entries []os.DirEntry) (isChart bool) {
	var ownIgnore, ownRepository bool
	for _, e := range entries {
		switch name := e.Name(); {
		case name == ".git":
			ownRepository = true
		case name == ".gitignore":
			ownIgnore = true
		case name == "Chart.yaml":
			isChart = true
		case isKustomization(name):
			w.addKustomization(file{d.known, name}, d.name+name)
		}
	}
	d.known.kustomized = true
	if w.NoGitignore {
		return isChart
	}
	if ownRepository && d.depth > 0 {
		// The directory is a submodule or another repository. The rules of the
		// outer repository do not apply to its files.
		d.ignore, d.inRepository = w.repositoryIgnore(d.known), ""
	}
	if ownIgnore {
		d.ignore = w.ignoreIn(d.known, d.ignore, d.inRepository)
	}
	return isChart
}

// isSelected reports whether the argument selects a file with this name.
func (w *walk) isSelected(d *directory, base string) bool {
	if d.glob == nil {
		return w.isManifest(base)
	}
	return d.glob.matches(d.globDir+base) && (d.glob.anyName || w.isManifest(base))
}

// leftOut reports whether an entry is ignored or excluded, and counts it.
func (w *walk) leftOut(d *directory, base string, isDir bool) bool {
	if d.ignore.ignores(d.inRepository, base, isDir) {
		w.ignored++
		return true
	}
	if w.exclude.match(d.relative, base, isDir) != "" {
		w.excluded++
		return true
	}
	return false
}

func (w *walk) inputFor(d *directory, base string, from *origin) Input {
	name := d.name + base
	return Input{
		Name: name, Path: w.openPath(name), Size: -1, from: from, Template: d.chart,
		Kustomization: isKustomization(base) && !w.otherKind(file{d.known, base}),
	}
}

// versionControl reports whether a directory belongs to a version control
// system. A branch can be called x.yaml, so its files may look like manifests.
func versionControl(base string) bool {
	return base == ".git" || base == ".hg" || base == ".svn"
}

// enter searches the subdirectory base of d. isChart is true if d is a Helm
// chart.
func (w *walk) enter(d *directory, base string, isChart bool) {
	g, ok := d.glob.subdirectory(d.globDir + base)
	if !ok || w.leftOut(d, base, true) {
		return
	}
	child := directory{
		known: w.dir(filepath.Join(d.known.path, base)), tree: d.tree,
		name: d.name + base + "/", relative: d.relative + base + "/",
		ignore: d.ignore, inRepository: d.inRepository + base + "/",
		chart: d.chart, vendored: d.vendored || isChart && base == "charts", glob: g, globDir: d.globDir + base + "/", depth: d.depth + 1,
	}
	if isChart && base == "templates" {
		child.chart = d.displayName()
	}
	w.search(&child)
}
