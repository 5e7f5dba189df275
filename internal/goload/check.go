package goload

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// check type-checks all packages that are wanted, each after what it imports,
// and analyses those that are to be.
func (g *graph) check(ctx context.Context, workers int) error {
	var (
		mu      sync.Mutex
		more    = sync.NewCond(&mu)
		ready   []*node
		pending int
		facts   unit.Facts
		group   sync.WaitGroup
	)
	for _, n := range g.nodes {
		if !n.wanted {
			continue
		}
		pending++
		seen := map[*node]bool{}
		for _, d := range n.imports {
			if !seen[d] {
				seen[d] = true
				n.waits++
				d.users = append(d.users, n)
			}
		}
	}
	for _, n := range slices.Backward(g.nodes) {
		if n.wanted && n.waits == 0 {
			ready = append(ready, n)
		}
	}
	visit := func(p *unit.Package, results []unit.Result) {
		mu.Lock()
		defer mu.Unlock()
		g.o.Visit(p, results)
	}
	worker := func() {
		mu.Lock()
		defer mu.Unlock()
		for {
			for len(ready) == 0 && pending > 0 {
				more.Wait()
			}
			if len(ready) == 0 {
				return
			}
			// The last to become ready: what it frees is soon used.
			n := ready[len(ready)-1]
			ready = ready[:len(ready)-1]
			mu.Unlock()
			if ctx.Err() == nil {
				if n.analysed {
					g.analyse(n, &facts, visit)
				} else {
					g.declare(n)
				}
			}
			mu.Lock()
			pending--
			for _, user := range n.users {
				if user.waits--; user.waits == 0 {
					ready = append(ready, user)
				}
			}
			more.Broadcast()
		}
	}
	for range workers {
		group.Go(worker)
	}
	group.Wait()
	return context.Cause(ctx)
}

// importer gives n the packages that it imports.
func (g *graph) importer(n *node) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if d := n.imports[path]; d != nil && d.types != nil {
			return d.types, nil
		}
		d := g.resolve(n, path)
		switch {
		case d != nil && d.Error != nil:
			return nil, errors.New(d.Error.Err)
		case d != nil && len(d.names) == 0:
			return nil, errors.New("it has no Go files")
		}
		return nil, errors.New("it was not found")
	})
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// declare makes the types of a dependency from its declarations. Mistakes in
// it are not told: what comes of them shows in the packages that are analysed.
func (g *graph) declare(n *node) {
	var files []*ast.File
	for i, sk := range n.skeletons {
		f, err := parser.ParseFile(g.fset, n.names[i], sk.text, parser.SkipObjectResolution)
		if f == nil || err != nil && f.Name == nil {
			continue
		}
		n.dropImports(f)
		files = append(files, f)
	}
	n.skeletons = nil
	if len(files) == 0 {
		return
	}
	conf := &types.Config{
		Importer:                 g.importer(n),
		Sizes:                    g.sizes,
		IgnoreFuncBodies:         true,
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
		Error:                    func(error) {},
	}
	n.types, _ = conf.Check(n.path(), g.fset, files, nil)
}

// dropImports takes the imports out of a file that nothing in it needs.
func (n *node) dropImports(f *ast.File) {
	f.Decls = slices.DeleteFunc(f.Decls, func(decl ast.Decl) bool {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			return false
		}
		d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
			path, err := strconv.Unquote(s.(*ast.ImportSpec).Path.Value)
			return err != nil || path != "unsafe" && path != "C" && n.imports[path] == nil
		})
		return len(d.Specs) == 0
	})
}

// analyse type-checks a package of the module and runs the analyzers on it.
func (g *graph) analyse(n *node, facts *unit.Facts, visit func(*unit.Package, []unit.Result)) {
	p := &unit.Package{Fset: g.fset, Info: unit.NewInfo(), Sizes: g.sizes, IgnoredFiles: n.files(n.IgnoredGoFiles)}
	if n.Module != nil {
		p.Module = &analysis.Module{Path: n.Module.Path, Version: n.Module.Version, GoVersion: n.Module.GoVersion}
	}
	for i, src := range n.whole {
		f, err := parser.ParseFile(g.fset, n.names[i], src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
		if err != nil {
			n.failParse(err)
		}
		if f == nil {
			continue
		}
		// What cgo made holds the code of the package itself.
		if err == nil && ast.IsGenerated(f) && (!n.cgo || n.hasSource(n.names[i])) {
			hollow(f)
		}
		p.Files = append(p.Files, f)
	}
	n.whole = nil
	if len(p.Files) == 0 {
		return
	}
	conf := &types.Config{
		Importer:    g.importer(n),
		Sizes:       g.sizes,
		GoVersion:   n.goVersion(),
		FakeImportC: !n.cgo,
		// What generated files need imports for is not there any more.
		DisableUnusedImportCheck: true,

		Error: func(err error) { n.failTypes(err) },
	}
	n.types, _ = conf.Check(n.path(), g.fset, p.Files, p.Info)
	p.Types = n.types
	if len(n.errors) > 0 {
		return
	}
	results := unit.Run(p, g.o.Analyzers, facts)
	if !n.told {
		return
	}
	failed := false
	for _, r := range results {
		var panicked *unit.PanicError
		switch {
		case r.Err == nil:
		case errors.As(r.Err, &panicked):
			n.fail(Error{Msg: panicked.Error(), Internal: true})
			failed = true
		default:
			n.fail(Error{Msg: r.Err.Error(), Internal: true})
			failed = true
		}
	}
	for _, a := range g.o.Analyzers {
		r := results[slices.IndexFunc(results, func(r unit.Result) bool { return r.Analyzer == a })]
		for _, d := range r.Diagnostics {
			n.tell(g.fset, a, d)
		}
	}
	slices.SortStableFunc(n.diagnostics, func(x, y Diagnostic) int { return comparePositions(x.Pos, y.Pos) })
	// A variant's own files were told with the package itself.
	if g.o.Visit != nil && !failed && n.ForTest == "" {
		visit(p, results)
	}
}

// goVersion is the language version of the package's module, as the type
// checker wants it; empty, the newest, where it is newer than this program.
func (n *node) goVersion() string {
	if n.Module == nil || n.Module.GoVersion == "" {
		return ""
	}
	v := "go" + n.Module.GoVersion
	if !version.IsValid(v) || version.Compare(version.Lang(v), version.Lang(runtime.Version())) > 0 {
		return ""
	}
	return v
}

func (n *node) failParse(err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		n.fail(Error{Msg: err.Error()})
		return
	}
	for _, e := range list {
		n.fail(Error{Pos: e.Pos, Msg: e.Msg})
	}
}

func (n *node) failTypes(err error) {
	var e types.Error
	if !errors.As(err, &e) {
		n.fail(Error{Msg: err.Error()})
		return
	}
	// The first error tells; details that follow begin with a tab.
	if strings.HasPrefix(e.Msg, "\t") {
		return
	}
	n.fail(Error{Pos: e.Fset.Position(e.Pos), Msg: e.Msg})
}

// tell takes a diagnostic of an analyzer.
func (n *node) tell(fset *token.FileSet, a *analysis.Analyzer, d analysis.Diagnostic) {
	pos, end := n.span(fset, d.Pos, d.End)
	if n.ForTest != "" && !isTest(pos.Filename) {
		return
	}
	t := Diagnostic{Analyzer: a, Pos: pos, End: end, Message: d.Message, Own: n.own()}
	for _, r := range d.Related {
		pos, end := n.span(fset, r.Pos, r.End)
		t.Related = append(t.Related, Related{pos, end, r.Message})
	}
	for _, f := range d.SuggestedFixes {
		if fix, ok := n.fix(fset, f); ok {
			t.Fixes = append(t.Fixes, fix)
		}
	}
	n.diagnostics = append(n.diagnostics, t)
}

// span gives positions in real files. Only for files that cgo wrote do their
// line directives count, which lead back to the source.
func (n *node) span(fset *token.FileSet, from, to token.Pos) (pos, end token.Position) {
	if !to.IsValid() || to < from {
		to = from
	}
	pos, end = fset.PositionFor(from, false), fset.PositionFor(to, false)
	if n.cgo && !n.hasSource(pos.Filename) {
		pos, end = fset.Position(from), fset.Position(to)
	}
	return pos, end
}

// hasSource reports whether a file is one of the package's own, rather than one
// that cgo made.
func (n *node) hasSource(file string) bool {
	return slices.Contains(n.files(n.GoFiles), file)
}

// fix gives a suggested fix; false if it cannot be applied to the package's own
// files.
func (n *node) fix(fset *token.FileSet, f analysis.SuggestedFix) (Fix, bool) {
	edits, ok := unit.Edits(fset, f)
	for _, e := range edits {
		ok = ok && n.hasSource(e.File)
	}
	return Fix{Message: f.Message, Edits: edits}, ok
}

func comparePositions(x, y token.Position) int {
	switch {
	case x.Filename != y.Filename:
		return strings.Compare(x.Filename, y.Filename)
	case x.Line != y.Line:
		return x.Line - y.Line
	}
	return x.Column - y.Column
}

// parsePosition reads a position that the go command printed as
// file:line:column.
func parsePosition(s string) token.Position {
	var p token.Position
	rest, column, ok := cutLast(s)
	if !ok {
		return p
	}
	if file, line, ok := cutLast(rest); ok {
		return token.Position{Filename: file, Line: line, Column: column}
	}
	return token.Position{Filename: rest, Line: column}
}

// cutLast takes a number behind the last colon off a text.
func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
