package goload

import (
	"bytes"
	"context"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// graph is the packages of a run and what they need of each other.
type graph struct {
	o     Options
	fset  *token.FileSet
	nodes []*node          // dependencies before dependents
	byID  map[string]*node // by ImportPath as listed
	// matched and skipped count packages, variants for tests left out.
	matched, skipped int
	// nameless counts matches that are no packages, such as a pattern that the
	// go command could not make sense of.
	nameless int
	sizes    types.Sizes
}

// node is one package.
type node struct {
	*listed
	// analysed packages are checked with bodies, and analyzers run on them;
	// told ones are those among them whose diagnostics are wanted. Of a test
	// variant, only those in test files are.
	analysed, told bool
	// wanted is set once the package's types are needed.
	wanted bool

	// names are its files, absolute.
	names []string
	bytes int64
	// whole are the sources of an analysed package, skeletons those of another.
	whole     [][]byte
	skeletons []*skeleton
	// cgo is set where files were processed by cgo; without, what they say
	// about C is not known.
	cgo bool

	// imports are the packages that its sources import, by the path they give.
	// Of a dependency, only those that are needed.
	imports map[string]*node

	// waits counts imports that are not done, users are those that wait for
	// this one.
	waits int
	users []*node

	types       *types.Package
	diagnostics []Diagnostic
	errors      []Error
}

func newGraph(o Options, list []*listed) *graph {
	g := &graph{o: o, fset: token.NewFileSet(), byID: make(map[string]*node, len(list))}
	for _, l := range list {
		if l.testMain() {
			continue
		}
		n := &node{listed: l}
		if !l.DepOnly && l.ForTest == "" {
			g.matched++
		}
		g.nodes = append(g.nodes, n)
		g.byID[l.ImportPath] = n
	}
	arch := runtime.GOARCH
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, "GOARCH="); ok && value != "" {
			arch = value
		}
	}
	if g.sizes = types.SizesFor("gc", arch); g.sizes == nil {
		g.sizes = types.SizesFor("gc", "amd64")
	}
	return g
}

// resolve finds the package that a path in n's sources means; nil for unsafe,
// C, and what the go command did not find.
func (g *graph) resolve(n *node, path string) *node {
	if id, ok := n.ImportMap[path]; ok {
		path = id
	}
	return g.byID[path]
}

// choose decides which packages are analysed: those that the patterns match
// and that are relevant, and those of the module that they depend on.
func (g *graph) choose() {
	relevant := make(map[*node]bool, len(g.nodes))
	for _, n := range g.nodes { // dependencies come first
		if g.o.Relevant == nil || g.o.Relevant(n.path()) {
			relevant[n] = true
			continue
		}
		for _, id := range n.Imports {
			if d := g.byID[id]; d != nil && relevant[d] {
				relevant[n] = true
				break
			}
		}
	}
	var include func(n *node)
	include = func(n *node) {
		if n.analysed {
			return
		}
		n.analysed = true
		for _, id := range n.Imports {
			if d := g.byID[id]; d != nil && d.own() {
				include(d)
			}
		}
	}
	for _, n := range g.nodes {
		n.names = n.files(n.GoFiles, n.CgoFiles)
		if n.DepOnly {
			continue
		}
		if n.Error != nil {
			n.fail(Error{Pos: parsePosition(n.Error.Pos), Msg: n.Error.Err})
		}
		switch {
		case n.Error != nil && n.Name == "":
			g.nameless++
		case relevant[n] || g.marked(n):
			n.told = true
			include(n)
		case n.ForTest == "":
			g.skipped++
		}
	}
}

func (n *node) files(lists ...[]string) []string {
	var all []string
	for _, list := range lists {
		for _, name := range list {
			if !filepath.IsAbs(name) {
				name = filepath.Join(n.Dir, name)
			}
			all = append(all, name)
		}
	}
	return all
}

// marked reports whether a file of the package holds a marker.
func (g *graph) marked(n *node) bool {
	if len(g.o.Markers) == 0 {
		return false
	}
	for _, name := range n.names {
		if n.ForTest != "" && !isTest(name) {
			continue // the package itself has it too
		}
		src, err := os.ReadFile(name)
		if err == nil && slices.ContainsFunc(g.o.Markers, func(m string) bool { return bytes.Contains(src, []byte(m)) }) {
			return true
		}
	}
	return false
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// processCgo has the go command make the Go files that cgo writes for those
// analysed packages that use it. Where that is not possible, they are checked
// as they are, and C is a package of which nothing is known.
func (g *graph) processCgo(ctx context.Context) error {
	var with []string
	for _, n := range g.nodes {
		if n.analysed && len(n.CgoFiles) > 0 && n.ForTest == "" {
			with = append(with, n.ImportPath)
		}
	}
	if len(with) == 0 {
		return nil
	}
	compiled, _, err := list(ctx, g.o, with, true)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return nil // checked without
	}
	for _, l := range compiled {
		if n := g.byID[l.ImportPath]; n != nil && n.analysed && len(n.CgoFiles) > 0 && len(l.CompiledGoFiles) > len(n.GoFiles) {
			n.names, n.cgo = n.files(l.CompiledGoFiles), true
		}
	}
	return nil
}

// discover reads the sources of the analysed packages, and of all packages
// that are needed to know their types.
func (g *graph) discover(ctx context.Context) error {
	var queue []*node
	for _, n := range g.nodes {
		if n.analysed {
			n.wanted = true
			queue = append(queue, n)
		}
	}
	var (
		mu      sync.Mutex
		more    = sync.NewCond(&mu)
		pending = len(queue) // in the queue or being read
		group   sync.WaitGroup
	)
	worker := func() {
		mu.Lock()
		defer mu.Unlock()
		for {
			for len(queue) == 0 && pending > 0 {
				more.Wait()
			}
			if len(queue) == 0 {
				return
			}
			n := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			mu.Unlock()
			var needed []*node
			if ctx.Err() == nil {
				needed = g.read(n)
			}
			mu.Lock()
			for _, d := range needed {
				if !d.wanted {
					d.wanted = true
					pending++
					queue = append(queue, d)
				}
			}
			pending--
			more.Broadcast()
		}
	}
	for range max(1, runtime.GOMAXPROCS(0)) {
		group.Go(worker)
	}
	group.Wait()
	return context.Cause(ctx)
}

// read reads a package's files and returns the packages that it needs.
func (g *graph) read(n *node) []*node {
	n.imports = map[string]*node{}
	var needed []*node
	add := func(path string, d *node) {
		if d != nil && n.imports[path] == nil {
			n.imports[path] = d
			needed = append(needed, d)
		}
	}
	if n.analysed {
		// The parser says what it imports; all of it counts.
		for _, name := range n.names {
			src, err := os.ReadFile(name)
			if err != nil {
				n.fail(Error{Msg: err.Error()})
			}
			n.bytes += int64(len(src))
			n.whole = append(n.whole, src)
			for _, spec := range skim(src).imports {
				add(spec.path, g.resolve(n, spec.path))
			}
		}
		return needed
	}
	for _, name := range n.names {
		src, _ := os.ReadFile(name) // what is missing shows where it is used
		sk := skim(src)
		n.skeletons = append(n.skeletons, sk)
		for _, spec := range sk.imports {
			d := g.resolve(n, spec.path)
			if d != nil && sk.needs(spec, d.Name) {
				add(spec.path, d)
			}
		}
	}
	return needed
}

// cutCycles takes out imports that lead back to the package itself, which the
// go command reports but lists all the same.
func (g *graph) cutCycles() {
	const open, done = 1, 2
	state := make(map[*node]int, len(g.nodes))
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = open
		paths := make([]string, 0, len(n.imports))
		for path := range n.imports {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			switch d := n.imports[path]; state[d] {
			case open:
				delete(n.imports, path)
				if n.analysed {
					n.fail(Error{Msg: "import cycle: " + n.ImportPath + " imports " + d.ImportPath + ", which needs it"})
				}
			case 0:
				visit(d)
			}
		}
		state[n] = done
	}
	for _, n := range g.nodes {
		if n.wanted && state[n] == 0 {
			visit(n)
		}
	}
}

// fail notes why the package cannot be analysed.
func (n *node) fail(e Error) {
	if !slices.Contains(n.errors, e) {
		n.errors = append(n.errors, e)
	}
}
