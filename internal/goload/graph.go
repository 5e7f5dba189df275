package goload

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/unit"
)

// graph is the packages of a run and their imports.
type graph struct {
	o     Options
	fset  *token.FileSet
	nodes []*node          // dependencies before dependents
	byID  map[string]*node // by ImportPath as listed
	// matched and skipped count packages without test variants.
	matched, skipped int
	// nameless counts matches that are not packages, such as a pattern that the
	// go command could not resolve.
	nameless int
	sizes    types.Sizes
	facts    unit.Facts
	visiting sync.Mutex // held during a call of Options.Visit
	// read has the files of analysed packages.
	read digests
	// sources are the files of analysed packages, see hasSource.
	sourced sync.Once
	sources map[string]bool
}

// node is one package.
type node struct {
	*listed
	// analysed packages are type-checked with function bodies, and analyzers
	// run on them. The diagnostics of reported packages are part of the result,
	// those of a test variant only if they are in test files.
	analysed, reported bool
	// library packages belong to other modules, and their functions may write. Some of
	// them are studied: they are type-checked with the function bodies that matter for
	// this, and Options.Facts run on them. The others have no such bodies.
	library, studied bool
	// names are its files, absolute.
	names []string
	bytes int64
	// syntax is its parsed files: complete if the package is analysed, else
	// reduced to declarations. It is dropped once they are type-checked.
	syntax []*ast.File
	// imports are the imported packages by their path in the source. For a dependency,
	// they are only the packages that its declarations use.
	imports map[string]*node
	// lacks is an unknown package that the package needs, itself or through packages
	// of other modules; nil if there is none.
	lacks *node
	// cyclic are the listed import paths of the packages that need this one.
	cyclic map[string]bool

	// The schedule's: what was done with the package, how many imports it waits
	// for, and the packages that wait for it.
	reached, parsed, done bool
	waits                 int
	users                 []*node

	types       *types.Package
	diagnostics []Diagnostic
	errors      []Error
	// syntaxErrors are the errors of the parser, with positions for analyzers.
	syntaxErrors []types.Error
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

// resolve returns the package that n's sources import as path. It returns nil
// for unsafe, C, and packages that the go command did not find.
func (g *graph) resolve(n *node, path string) *node {
	if id, ok := n.ImportMap[path]; ok {
		path = id
	}
	return g.byID[path]
}

// choose selects the packages to analyse: the relevant ones that the patterns
// match, and the packages of the module that they depend on.
func (g *graph) choose() {
	relevant, unknown := make(map[*node]bool, len(g.nodes)), map[*node]bool{}
	for _, n := range g.nodes { // dependencies come first
		n.names = n.files(n.GoFiles, n.CgoFiles)
		unknown[n] = n.unknown()
		// The imports of an unknown package may be relevant.
		relevant[n] = unknown[n] || g.o.Relevant == nil || g.o.Relevant(n.path())
		if unknown[n] && !n.own() {
			n.lacks = n
		}
		for _, id := range n.Imports {
			d := g.byID[id]
			if d == nil {
				continue
			}
			relevant[n] = relevant[n] || relevant[d]
			// The module's own packages fail themselves.
			if n.lacks == nil && !d.own() {
				n.lacks = d.lacks
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
		if n.DepOnly {
			continue
		}
		parses := !unknown[n] || len(n.names) == 0 // otherwise the parser reports it
		if n.Error != nil && parses {
			n.fail(Error{Pos: parsePosition(n.Error.Pos), Msg: n.Error.Err})
		}
		switch {
		case n.Error != nil && n.Name == "":
			g.nameless++
		case relevant[n] || g.marked(n):
			n.reported = true
			include(n)
		case n.ForTest == "":
			g.skipped++
		}
	}
	g.chooseLibraries(relevant)
}

// maxLibraryDepth limits how many packages of other modules lie between a
// package of the module and the library package that writes for it.
const maxLibraryDepth = 4

// chooseLibraries selects the packages of other modules in which writes are
// looked for: relevant ones that the module imports, directly or through such
// packages.
func (g *graph) chooseLibraries(relevant map[*node]bool) {
	if g.o.Library == nil {
		return
	}
	var next []*node
	include := func(n *node) {
		for _, id := range n.Imports {
			d := g.byID[id]
			if d != nil && !d.library && !d.own() && !d.Standard && d.lacks == nil && relevant[d] && g.o.Library(d.path(), d.Imports) {
				d.library = true
				next = append(next, d)
			}
		}
	}
	for _, n := range g.nodes {
		if n.analysed {
			include(n)
		}
	}
	for range maxLibraryDepth - 1 {
		current := next
		next = nil
		for _, n := range current {
			include(n)
		}
	}
}

// unknown reports whether it is not known what the package imports, because it was not
// found or the imports do not parse. Packages without files for this system are known.
func (n *node) unknown() bool {
	if n.Error == nil {
		return false
	}
	if len(n.names) == 0 {
		return len(n.IgnoredGoFiles) == 0
	}
	return slices.ContainsFunc(n.names, func(name string) bool {
		_, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		return err != nil
	})
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

// marked reports whether a file of the package contains a marker.
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

// cutCycles finds the imports that lead back to the importing package, which
// the go command reports but lists all the same.
func (g *graph) cutCycles() {
	const open, done = 1, 2
	state := make(map[*node]int, len(g.nodes))
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = open
		for _, id := range slices.Sorted(slices.Values(n.Imports)) {
			switch d := g.byID[id]; {
			case d == nil:
			case state[d] == open:
				n.cut(d)
			case state[d] == 0:
				visit(d)
			}
		}
		state[n] = done
	}
	for _, n := range g.nodes {
		if n.analysed && state[n] == 0 {
			visit(n)
		}
	}
}

// cut excludes an import that needs n itself.
func (n *node) cut(d *node) {
	if n.cyclic == nil {
		n.cyclic = map[string]bool{}
	}
	n.cyclic[d.ImportPath] = true
	if n.analysed {
		n.fail(Error{Msg: "import cycle: " + n.ImportPath + " imports " + d.ImportPath + ", which needs it"})
	}
}

// fail records a reason why the package cannot be analysed completely.
func (n *node) fail(e Error) {
	if !slices.Contains(n.errors, e) {
		n.errors = append(n.errors, e)
	}
}
