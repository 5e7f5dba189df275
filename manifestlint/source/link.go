package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// link is a symbolic link in a directory.
type link struct {
	in   directory
	base string
}

// followLinks goes after the links when the walk has seen everything else, so
// that a file which is reached both ways goes by its own name, and a link to
// one of the directories around it leads nowhere new.
func (w *walk) followLinks() {
	before := len(w.inputs)
	for i := 0; i < len(w.links); i++ { // a directory behind a link may add links
		w.follow(&w.links[i])
	}
	if len(w.inputs) > before {
		w.sortFrom(w.from)
	}
}

func (w *walk) follow(l *link) {
	var (
		name = l.in.name + l.base
		path = filepath.Join(l.in.place.real, l.base)
	)
	skip := func(text string, err error) { w.problem(Problem{SkippedLink, name, text, err}) }
	real, err := filepath.EvalSymlinks(path)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Lstat(real)
	}
	switch {
	case missing(err):
		// What the name of a dangling link does not call a manifest is not
		// missed.
		if w.wanted(&l.in, []byte(l.base)) {
			skip("symbolic link to "+destination(path)+", which does not exist", err)
		}
		return
	case errors.Is(err, fs.ErrPermission):
		w.unreadable(name, err)
		return
	case err != nil:
		// Package filepath has no error value for too many links, which is
		// what is left when the file system has nothing against the path.
		text := "leads in a circle"
		if bare(err) != err {
			text = "cannot be followed: " + reason(err)
		}
		skip("symbolic link to "+destination(path)+" "+text, err)
		return
	}
	isDir := info.IsDir()
	if !isDir && (!info.Mode().IsRegular() || !w.wanted(&l.in, []byte(l.base))) {
		return
	}
	g, ok := l.in.glob.into(l.in.globDir + l.base)
	if isDir && (!ok || w.exclude.match(l.in.relative, l.base, true) != "") {
		return
	}
	t := l.in.tree
	if !inside(real, t.real) {
		if !w.FollowSymlinks {
			skip("symbolic link to "+destination(path)+", which is outside of "+printable(w.start.displayed()), nil)
			return
		}
		if !isDir {
			t = &tree{real: filepath.Dir(real)}
		} else if t, err = w.open(w.place(real)); err != nil {
			w.unreadable(name, err)
			return
		}
	}
	if isDir {
		w.followDirectory(l, t, g, real)
		return
	}
	at := w.place(filepath.Dir(real))
	w.files++
	f := file{at, filepath.Base(real)}
	w.add(f, Input{
		Name: name, Path: real, Size: info.Size(),
		from:          &origin{access: byWalk, root: t.real, dir: t.below(at.real)},
		Template:      l.in.chart,
		Kustomization: isKustomization(l.base) && !w.otherKind(file{l.in.place, l.base}),
	})
}

func (w *walk) followDirectory(l *link, t *tree, g *glob, real string) {
	at := w.place(real)
	d := directory{
		place: at, tree: t, full: asOSPrefix(real),
		name: l.in.name + l.base + "/", relative: l.in.relative + l.base + "/",
		chart: w.chartOf(at, isAbs(l.in.name)),
		glob:  g, globDir: l.in.globDir + l.base + "/",
		depth: l.in.depth + 1,
	}
	if l.base == "templates" && isFile(filepath.Join(l.in.place.real, "Chart.yaml")) {
		d.chart = l.in.displayed()
	} else if d.chart == "" {
		d.chart = l.in.chart
	}
	// git does not look through links. What is behind one is judged as the
	// user who made it must mean it: by the rules for where it really is, but
	// even if git ignores the directory itself.
	d.ignore, d.git = w.ignoreFor(at)
	w.search(&d, func() (folder, error) { return t.root.descend(t.below(real)) })
}

// below gives a physical path relative to the tree.
func (t *tree) below(real string) string {
	rest := strings.TrimPrefix(real, t.real)
	if rest = strings.TrimPrefix(rest, string(filepath.Separator)); rest == "" {
		return "."
	}
	return rest
}

// destination is what a link says, for messages.
func destination(path string) string {
	to, err := os.Readlink(path)
	if err != nil {
		return "an unknown place"
	}
	return printable(filepath.ToSlash(to))
}
