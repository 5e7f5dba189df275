package source

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/internal/treefile"
)

type expander struct {
	Options
	workDir *knownDir

	inputs []Input
	// index maps the file of each input to its index in inputs.
	index    map[file]int
	problems []Problem
	stdin    bool // standard input is among the inputs
	// dirs has all known directories by their physical paths. resolved has them
	// by the paths under which they were found.
	dirs, resolved map[string]*knownDir
	exclude        exclusions
	kustomizations kustomizations
	walkCount      int
	// namedFiles is the origin of all regular files that are arguments.
	// namedStreams is the origin of all other arguments, such as pipes.
	namedFiles, namedStreams origin
}

// file identifies a file by its physical directory and its base name.
type file struct {
	dir  *knownDir
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
		Options:        o,
		index:          map[file]int{},
		dirs:           map[string]*knownDir{},
		resolved:       map[string]*knownDir{},
		kustomizations: kustomizations{byFile: map[file]*kustomization{}},
		namedFiles:     origin{access: byName},
		namedStreams:   origin{access: byStream},
	}
	dir := o.Dir
	if dir == "" {
		dir = "."
	}
	var err error
	if e.workDir, err = e.resolve(dir); err != nil {
		e.problem(Problem{Unreadable, dir, "working directory: " + reason(err), err})
		e.workDir = e.dir(string(filepath.Separator))
	}
	e.exclude = e.parseExclusions(o.Exclude)
	return e
}

func (e *expander) problem(p Problem) { e.problems = append(e.problems, p) }

func (e *expander) unreadable(name string, err error) {
	e.problem(Problem{Unreadable, name, reason(err), err})
}

// add appends an input, unless the file is already an input.
func (e *expander) add(f file, in Input) {
	if _, ok := e.index[f]; ok {
		return
	}
	e.index[f] = len(e.inputs)
	e.inputs = append(e.inputs, in)
}

// openPath returns the path to open for a name as the user would type it.
func (e *expander) openPath(name string) string {
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
		name = "./" + name // the file -, not standard input
	}
	if err := e.checkTree(name); err != nil {
		e.unreadable(name, err)
		return
	}
	info, err := os.Lstat(e.openPath(name))
	isLink := err == nil && info.Mode()&fs.ModeSymlink != 0
	if isLink {
		info, err = os.Stat(e.openPath(name))
	}
	switch {
	case err == nil && info.IsDir():
		e.directory(name)
	case err == nil && strings.HasSuffix(filepath.ToSlash(arg), "/"):
		e.problem(Problem{Missing, arg, "not a directory", nil})
	case err == nil:
		e.namedFile(name, info, isLink)
	case IsURL(arg):
		e.problem(Problem{Missing, arg, "URLs are not read: download the file first", nil})
	case isGlob(name): // Windows returns another error for a name with *
		e.glob(name)
	case missing(err):
		e.problem(Problem{Missing, name, e.explainMissing(name, err), err})
	default:
		e.unreadable(name, err)
	}
}

// IsURL reports whether an argument is a URL. Like "kubectl apply -f", it
// expects a scheme and "://".
func IsURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// missing reports whether an error means that a path does not exist, or is
// below something that is not a directory.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// checkTree returns an error if an argument leads out of Options.Tree. For a
// glob, it checks the part before the first wildcard.
func (e *expander) checkTree(name string) error {
	if e.Tree == "" {
		return nil
	}
	dir, pattern := doublestar.SplitPattern(name)
	if !isGlob(pattern) {
		dir = name
	}
	return treefile.File{Path: e.openPath(dir), Tree: e.Tree}.Inside()
}

// explainMissing returns the message for a name that does not exist. For a
// link, it names the link's target.
func (e *expander) explainMissing(name string, err error) string {
	if target, linkErr := os.Readlink(e.openPath(name)); linkErr == nil {
		return "symbolic link to " + printable(target) + ", which does not exist"
	}
	return reason(err)
}

// namedFile adds a file that is an argument. It accepts all extensions, all
// link targets and files that git ignores. isLink is true if name is a symbolic
// link.
func (e *expander) namedFile(name string, info fs.FileInfo, isLink bool) {
	full := e.openPath(name)
	dir, base := filepath.Split(full)
	at, err := e.resolve(filepath.Clean(dir))
	if err != nil {
		e.unreadable(name, err)
		return
	}
	if pattern := e.exclude.matchArgument(e.relative(name, at, base), false); pattern != "" {
		e.problem(Problem{Excluded, name, "excluded by " + printable(pattern), nil})
		return
	}
	// A link to a stream, such as /dev/stdin, can have a target without a path.
	in := Input{Name: name, Path: full, Size: -1, from: &e.namedStreams}
	if info.Mode().IsRegular() {
		in.Size, in.from = info.Size(), &e.namedFiles
		if isLink {
			at, base = e.resolveFile(at, base)
		}
	} else if e.Tree != "" {
		e.unreadable(name, treefile.ErrNotRegular)
		return
	}
	if e.Tree != "" {
		root, err := filepath.EvalSymlinks(e.Tree)
		if err != nil {
			e.unreadable(name, err)
			return
		}
		t := &tree{path: root}
		in.Path, in.from = filepath.Join(at.path, base), &origin{access: byTree, root: root, dirInRoot: t.relative(at.path)}
	}
	e.kustomizationsIn(at, isAbs(name))
	e.kustomizationsAbove(at, isAbs(name))
	in.Kustomization = isKustomization(base) && !e.otherKind(file{at, base})
	in.Template = e.chartOf(at, isAbs(name))
	e.add(file{at, base}, in)
}

// relative returns a name relative to the working directory, for exclusions.
// The name may be an absolute path.
func (e *expander) relative(name string, at *knownDir, base string) string {
	if isAbs(name) {
		return e.name(filepath.Join(at.path, base), false)
	}
	return name
}

func isAbs(name string) bool { return filepath.IsAbs(filepath.FromSlash(name)) }

// resolveFile returns the directory and the name of the file to which a path
// leads, with links resolved.
func (e *expander) resolveFile(at *knownDir, base string) (*knownDir, string) {
	real, err := filepath.EvalSymlinks(filepath.Join(at.path, base))
	if err != nil {
		return at, base
	}
	return e.dir(filepath.Dir(real)), filepath.Base(real)
}

// directory adds the files below a directory that is an argument.
func (e *expander) directory(name string) {
	at, err := e.resolve(e.openPath(name))
	if err != nil {
		e.unreadable(name, err)
		return
	}
	if pattern := e.exclude.matchArgument(e.relative(name, at, ""), true); pattern != "" {
		e.problem(Problem{Excluded, name, "excluded by " + printable(pattern), nil})
		return
	}
	before := len(e.problems)
	w := e.newWalk(at, name, nil)
	w.run()
	if w.fileCount == 0 && len(e.problems) == before {
		e.problem(Problem{Empty, name, w.emptyText(), nil})
	}
}

// isManifest reports whether a file with this name is read if it is found in a
// directory.
func (e *expander) isManifest(base string) bool {
	for _, ext := range e.Extensions {
		if n := len(base) - len(ext); n >= 0 && strings.EqualFold(base[n:], ext) {
			return true
		}
	}
	return e.Also != nil && e.Also(base)
}

// sortFrom sorts the inputs from index start. Targets of links were appended
// after the files that the walk found.
func (e *expander) sortFrom(start int) {
	part := e.inputs[start:]
	order := make([]int, len(part))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareNames(part[a].Name, part[b].Name) })
	sorted, moved := make([]Input, len(part)), make([]int, len(part))
	for newIndex, oldIndex := range order {
		sorted[newIndex], moved[oldIndex] = part[oldIndex], newIndex
	}
	copy(part, sorted)
	for f, i := range e.index {
		if i >= start {
			e.index[f] = start + moved[i-start]
		}
	}
}

// compareNames compares two paths component by component, the order in which a
// walk visits them.
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
