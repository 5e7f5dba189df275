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

// graph has the packages of a run and their imports.
type graph struct {
	o     Options
	fset  *token.FileSet
	nodes []*node          // each package comes after its dependencies
	byID  map[string]*node // by listed.ImportPath
	// matched and skipped are numbers of packages, without test variants.
	matched, skipped int
	// nameless is the number of matches that are not packages, such as a pattern that the
	// go command could not resolve.
	nameless int
	sizes    types.Sizes
	facts    unit.Facts
	visiting sync.Mutex // locked during a call of Options.Visit
	// read has the hashes of the files of analysed packages.
	read digests
	// sources has the names of the files of analysed packages. hasSource fills it once.
	sourced sync.Once
	sources map[string]bool
}

// node is one package of the graph.
type node struct {
	*listed
	// If analysed is true, the package is type-checked with function bodies, and the
	// analyzers run on it. If reported is true, its diagnostics are a part of the result.
	// For a test variant, these are only diagnostics in test files.
	analysed, reported bool
	// library is true if the package belongs to another module and its functions may
	// write to an API. studied is true if one of its functions really may. Then the
	// package is type-checked with the function bodies that matter for writes, and
	// Options.Facts run on it.
	library, studied bool
	// names has the absolute paths of the files.
	names []string
	bytes int64
	// syntax has the parsed files. They are complete if the package is analysed, and
	// reduced to declarations otherwise. syntax is set to nil after type-checking.
	syntax []*ast.File
	// imports has the imported packages by their path in the source. For a dependency, it
	// has only the packages that the declarations use.
	imports map[string]*node
	// lacks is a package with unknown imports that this package needs, directly or
	// through packages of other modules. It is nil if there is none.
	lacks *node
	// cyclic has the import paths of packages in an import cycle with this package: this
	// package imports them, and they import this package directly or indirectly.
	cyclic map[string]bool

	// These fields belong to the schedule. They say how far the package is. waits is the
	// number of imports that it waits for. users has the packages that wait for it.
	reached, parsed, done bool
	waits                 int
	users                 []*node

	types       *types.Package
	diagnostics []Diagnostic
	errors      []Error
	// syntaxErrors has the errors of the parser, with positions for analyzers.
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

// resolve returns the package that the sources of n import as path. It returns nil for
// unsafe, C, and packages that the go command did not find.
func (g *graph) resolve(n *node, path string) *node {
	if id, ok := n.ImportMap[path]; ok {
		path = id
	}
	return g.byID[path]
}

// choose selects the packages to analyse. These are the relevant packages that the
// patterns match, and the packages of the module that they depend on.
func (g *graph) choose() {
	relevant, unknown := make(map[*node]bool, len(g.nodes)), map[*node]bool{}
	for _, n := range g.nodes { // each package comes after its dependencies
		n.names = n.files(n.GoFiles, n.CgoFiles)
		unknown[n] = n.unknown()
		// A package whose imports are unknown may import a relevant package.
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
			// A package of the module itself reports its own failure.
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
		parses := !unknown[n] || len(n.names) == 0 // an error of the parser is reported later
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

// maxLibraryDepth is the maximal number of packages of other modules between a package of
// the module and a library package.
const maxLibraryDepth = 4

// chooseLibraries selects the library packages. They are relevant packages of other
// modules that the module imports, directly or through other libraries.
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

// unknown reports whether the imports of the package are unknown, because the package was
// not found or its imports do not parse. It returns false for a package without files for
// this operating system.
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

// marked reports whether a file of the package contains one of the markers.
func (g *graph) marked(n *node) bool {
	if len(g.o.Markers) == 0 {
		return false
	}
	for _, name := range n.names {
		if n.ForTest != "" && !isTest(name) {
			continue // the package without the variant has the same files
		}
		src, err := os.ReadFile(name)
		if err == nil && slices.ContainsFunc(g.o.Markers, func(m string) bool { return bytes.Contains(src, []byte(m)) }) {
			return true
		}
	}
	return false
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// cutCycles removes imports that lead back to the importing package. The go command
// reports an import cycle, but lists the packages of the cycle nevertheless.
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

// cut removes the import of d from n, because d needs n.
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
