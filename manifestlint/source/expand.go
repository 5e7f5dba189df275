package source

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// expander is the state of one Expand.
type expander struct {
	Options
	// work is the working directory.
	work *place
	// workErr is set if the working directory cannot be resolved.
	workErr error

	inputs   []Input
	problems []Problem
	stdin    bool // standard input is among the inputs
	// places are those that are indexed, by their paths; unindexed the others.
	places    map[string]*place
	unindexed []*place
	resolved  map[string]*place
	exclude   exclusions
	kust      kustomizations
	walks     int
	// listings are for the directories on the way down, by their depth.
	listings []*listing
	// shelf keeps the texts of files.
	shelf shelf
	// spare and sparePlaced are memory for places and what is placed there.
	spare       []place
	sparePlaced []placed
	extensions  [][]byte
	// named is the origin of all inputs that are named as arguments.
	named, streams origin
}

// file identifies a file: its physical directory and its name there.
type file struct {
	in   *place
	base string
}

func newExpander(o Options) *expander {
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(o.Extensions) == 0 {
		o.Extensions = []string{".yaml", ".yml", ".json"}
	}
	e := &expander{
		Options:  o,
		places:   map[string]*place{},
		resolved: map[string]*place{},
		kust:     kustomizations{byFile: map[file]*kustomization{}},
		shelf:    shelf{left: o.Keep},
		named:    origin{access: byName},
		streams:  origin{access: byStream},
	}
	for _, ext := range o.Extensions {
		e.extensions = append(e.extensions, []byte(ext))
	}
	dir := o.Dir
	if dir == "" {
		dir = "."
	}
	if e.work, e.workErr = e.resolve(dir); e.workErr != nil {
		e.problem(Problem{Unreadable, dir, "working directory: " + reason(e.workErr), e.workErr})
		e.work = e.place(string(filepath.Separator))
	}
	e.exclude = e.parseExclusions(o.Exclude)
	return e
}

func (e *expander) problem(p Problem) { e.problems = append(e.problems, p) }

func (e *expander) unreadable(name string, err error) {
	e.problem(Problem{Unreadable, name, reason(err), err})
}

// add appends an input, unless its file is one already.
func (e *expander) add(f file, in Input) {
	if _, ok := f.in.input(f.base); !ok {
		e.addNew(f, in)
	}
}

// addNew appends an input that is known to be new.
func (e *expander) addNew(f file, in Input) {
	if len(e.inputs) == cap(e.inputs) {
		// Twice as many, where append would copy a quarter more each time.
		e.inputs = slices.Grow(e.inputs, max(len(e.inputs), 64))
	}
	f.in.addInput(f.base, len(e.inputs))
	e.inputs = append(e.inputs, in)
}

// osPath turns a name as typed, which has slashes, into the path to open.
func (e *expander) osPath(name string) string {
	name = filepath.FromSlash(name)
	if e.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

func (e *expander) argument(arg string) {
	switch {
	case arg == StdinName:
		if !e.stdin {
			e.stdin = true
			e.inputs = append(e.inputs, Input{Name: StdinName, Size: -1,
				from: &origin{access: byStdin, stdin: e.Stdin}})
		}
		return
	case arg == "":
		e.problem(Problem{Usage, arg, "an empty argument names no file", nil})
		return
	}
	name := path.Clean(filepath.ToSlash(arg))
	if name == StdinName {
		name = "./" + name // a file of that name, or the input would pass for the other
	}
	// Nearly all arguments are no links, and need but one system call.
	info, err := os.Lstat(e.osPath(name))
	isLink := err == nil && info.Mode()&fs.ModeSymlink != 0
	if isLink {
		info, err = os.Stat(e.osPath(name))
	}
	switch {
	case err == nil && info.IsDir():
		e.directory(name)
	case err == nil && strings.HasSuffix(filepath.ToSlash(arg), "/"):
		e.problem(Problem{Missing, arg, "not a directory", nil})
	case err == nil:
		e.namedFile(name, info, isLink)
	case isGlob(name): // Windows has its own error for a name with a star
		e.glob(name)
	case missing(err):
		e.problem(Problem{Missing, name, e.explainMissing(name, err), err})
	default:
		e.unreadable(name, err)
	}
}

// missing reports whether a path does not exist, also because something on
// the way is a file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// explainMissing tells a dangling link from a name that is nowhere.
func (e *expander) explainMissing(name string, err error) string {
	if target, linkErr := os.Readlink(e.osPath(name)); linkErr == nil {
		return "symbolic link to " + printable(target) + ", which does not exist"
	}
	return reason(err)
}

// namedFile adds a file that is named as an argument: whatever it is called,
// wherever a link leads, and even if git ignores it.
func (e *expander) namedFile(name string, info fs.FileInfo, isLink bool) {
	full := e.osPath(name)
	dir, base := filepath.Split(full)
	at, err := e.resolve(filepath.Clean(dir))
	if err != nil {
		e.unreadable(name, err)
		return
	}
	if pattern := e.exclude.named(e.relative(name, at, base), false); pattern != "" {
		e.problem(Problem{Excluded, name, "excluded by " + printable(pattern), nil})
		return
	}
	// Links of streams, such as /dev/stdin, may lead to what has no path.
	in := Input{Name: name, Path: full, Size: -1, from: &e.streams}
	if info.Mode().IsRegular() {
		in.Size, in.from = info.Size(), &e.named
		if isLink {
			at, base = e.target(at, base)
		}
	}
	e.kustomizationsIn(at, isAbs(name))
	e.kustomizationsAbove(at, isAbs(name))
	in.Kustomization = isKustomization(base) && !e.otherKind(file{at, base})
	in.Template = e.chartOf(at, isAbs(name))
	e.add(file{at, base}, in)
}

// relative gives the name relative to the working directory, for exclusions,
// of something that the user may have named by an absolute path.
func (e *expander) relative(name string, at *place, base string) string {
	if isAbs(name) {
		return e.name(filepath.Join(at.real, base), false)
	}
	return name
}

// isAbs reports whether a name, which has slashes, is absolute.
func isAbs(name string) bool { return filepath.IsAbs(filepath.FromSlash(name)) }

// target follows a link at the end of a path.
func (e *expander) target(at *place, base string) (*place, string) {
	real, err := filepath.EvalSymlinks(filepath.Join(at.real, base))
	if err != nil {
		return at, base
	}
	return e.place(filepath.Dir(real)), filepath.Base(real)
}

// directory adds what is below a directory that is named as an argument.
func (e *expander) directory(name string) {
	at, err := e.resolve(e.osPath(name))
	if err != nil {
		e.unreadable(name, err)
		return
	}
	if pattern := e.exclude.named(e.relative(name, at, ""), true); pattern != "" {
		e.problem(Problem{Excluded, name, "excluded by " + printable(pattern), nil})
		return
	}
	before := len(e.problems)
	w := e.newWalk(at, name, nil)
	w.run()
	if w.files == 0 && len(e.problems) == before {
		e.problem(Problem{Empty, name, w.whyEmpty(), nil})
	}
}

// listing returns the one for directories at a depth.
func (e *expander) listing(depth int) *listing {
	for len(e.listings) <= depth {
		l := &listing{}
		if len(e.listings) > 0 {
			l.buf = e.listings[0].buf
		}
		e.listings = append(e.listings, l)
	}
	return e.listings[depth]
}

// manifest reports whether a file of this name is read in a directory.
func (e *expander) manifest(base []byte) bool {
	for _, ext := range e.extensions {
		if n := len(base) - len(ext); n >= 0 && bytes.EqualFold(base[n:], ext) {
			return true
		}
	}
	return e.Also != nil && e.Also(string(base))
}

// sortFrom restores the order of the inputs from an index on, after files
// that links lead to were added behind those that the walk found.
func (e *expander) sortFrom(start int) {
	part := e.inputs[start:]
	order := make([]int, len(part))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareNames(part[a].Name, part[b].Name) })
	sorted, moved := make([]Input, len(part)), make([]int, len(part))
	for now, was := range order {
		sorted[now], moved[was] = part[was], now
	}
	copy(part, sorted)
	e.indexPlaces()
	for _, p := range e.places {
		p.renumber(func(i int) int {
			if i < start {
				return i
			}
			return start + moved[i-start]
		})
	}
}

// compareNames orders paths as a walk meets them: component by component.
func compareNames(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		}
		return int(a[i]) - int(b[i])
	}
	return len(a) - len(b)
}
