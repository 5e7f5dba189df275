package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubevet/kubevet/internal/treefile"
)

// link is a symbolic link in a directory.
type link struct {
	dir  directory
	base string
}

// followLinks follows all links after the rest of the walk. If a file is also
// found without a link, its input then has the name without the link. A link to
// a parent directory finds only directories that were already searched.
func (w *walk) followLinks() {
	before := len(w.inputs)
	for i := 0; i < len(w.links); i++ { // a directory behind a link may add links
		w.followLink(&w.links[i])
	}
	if len(w.inputs) > before {
		w.sortFrom(w.firstInput)
	}
}

// followLink adds the file to which a link leads, or searches the directory.
func (w *walk) followLink(l *link) {
	path := filepath.Join(l.dir.known.path, l.base)
	real, err := filepath.EvalSymlinks(path)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Lstat(real)
	}
	if err != nil {
		w.brokenLink(l, path, err)
		return
	}
	if inGit(real, l.dir.tree.path) {
		w.skipLink(l, "symbolic link to "+destination(path)+", which belongs to git itself", nil)
		return
	}
	isDir := info.IsDir()
	if !isDir && (!info.Mode().IsRegular() || !w.isSelected(&l.dir, l.base)) {
		return
	}
	g, ok := l.dir.glob.subdirectory(l.dir.globDir + l.base)
	if isDir && (!ok || w.exclude.match(l.dir.relative, l.base, true) != "") {
		return
	}
	t := l.dir.tree
	if !inside(real, t.path) {
		if !w.FollowSymlinks {
			w.skipLink(l, "symbolic link to "+destination(path)+", which is outside of "+printable(w.start.displayName()), nil)
			return
		}
		if !isDir {
			t = &tree{path: filepath.Dir(real)}
		} else if t, err = w.open(w.dir(real)); err != nil {
			w.unreadable(l.name(), err)
			return
		}
	}
	if isDir {
		w.followDirectory(l, t, g, real)
		return
	}
	w.followFile(l, t, real, info.Size())
}

// inGit reports whether a path in a tree is in a .git directory, which may
// contain credentials.
func inGit(real, tree string) bool {
	rel, err := filepath.Rel(tree, real)
	return err == nil && filepath.IsLocal(rel) && treefile.InGit(rel)
}

// name returns the path of the link as the user would type it.
func (l *link) name() string { return l.dir.name + l.base }

func (w *walk) skipLink(l *link, text string, err error) {
	w.problem(Problem{SkippedLink, l.name(), text, err})
}

// brokenLink reports a link that cannot be followed.
func (w *walk) brokenLink(l *link, path string, err error) {
	switch {
	case missing(err):
		// A broken link matters only if it has the name of a manifest.
		if w.isSelected(&l.dir, l.base) {
			w.skipLink(l, "symbolic link to "+destination(path)+", which does not exist", err)
		}
	case errors.Is(err, fs.ErrPermission):
		w.unreadable(l.name(), err)
	default:
		// Package filepath has no error value for too many links. Only the
		// errors that filepath itself creates have no path, so an error without
		// a path means too many links.
		text := "leads in a circle"
		if withoutPath(err) != err {
			text = "cannot be followed: " + reason(err)
		}
		w.skipLink(l, "symbolic link to "+destination(path)+" "+text, err)
	}
}

func (w *walk) followFile(l *link, t *tree, real string, size int64) {
	at := w.dir(filepath.Dir(real))
	w.fileCount++
	w.add(file{at, filepath.Base(real)}, Input{
		Name: l.name(), Path: real, Size: size,
		from:          &origin{access: byWalk, root: t.path, dirInRoot: t.relative(at.path)},
		Template:      l.dir.chart,
		Kustomization: isKustomization(l.base) && !w.otherKind(file{l.dir.known, l.base}),
	})
}

func (w *walk) followDirectory(l *link, t *tree, g *glob, real string) {
	at := w.dir(real)
	d := directory{
		known: at, tree: t,
		name: l.name() + "/", relative: l.dir.relative + l.base + "/",
		chart: w.chartOf(at, isAbs(l.dir.name)),
		glob:  g, globDir: l.dir.globDir + l.base + "/",
		depth: l.dir.depth + 1,
	}
	if l.base == "templates" && isFile(filepath.Join(l.dir.known.path, "Chart.yaml")) {
		d.chart = l.dir.displayName()
	} else if d.chart == "" {
		d.chart = l.dir.chart
	}
	// git does not follow links. Files behind a link are subject to the ignore
	// rules of their real directory. The directory itself is searched even if git
	// ignores it, because the user made the link.
	d.ignore, d.inRepository = w.inheritedIgnore(at)
	w.search(&d)
}

// destination returns the target of a link for messages.
func destination(path string) string {
	to, err := os.Readlink(path)
	if err != nil {
		return "an unknown place"
	}
	return printable(filepath.ToSlash(to))
}
