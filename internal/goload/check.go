package goload

import (
	"errors"
	"go/token"
	"go/types"
	"go/version"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/internal/unit"
	"golang.org/x/tools/go/analysis"
)

// check type-checks a package after its imports were type-checked. If the package is
// selected, check also analyses it.
func (g *graph) check(n *node) {
	switch {
	case n.analysed:
		g.analyse(n)
	case n.studied:
		g.study(n)
	default:
		g.declare(n)
	}
}

// study type-checks a library package and runs the analyzers that find facts about it. If
// the package does not type-check, for example because an import is missing, it has no
// facts.
func (g *graph) study(n *node) {
	p := &unit.Package{Fset: g.fset, Info: unit.NewInfo(), Sizes: g.sizes, Files: n.syntax}
	n.syntax = nil
	if len(p.Files) == 0 {
		return
	}
	if n.Module != nil {
		p.Module = &analysis.Module{Path: n.Module.Path, Version: n.Module.Version, GoVersion: n.Module.GoVersion}
	}
	for _, f := range p.Files {
		n.dropImports(f)
	}
	complete := true
	conf := &types.Config{
		Importer:                 g.importer(n),
		Sizes:                    g.sizes,
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
		Error:                    func(error) { complete = false },
	}
	n.types, _ = conf.Check(n.path(), g.fset, p.Files, p.Info)
	p.Types = n.types
	if complete {
		unit.Run(p, g.o.Facts, &g.facts)
	}
}

// importer returns an importer for the imports of n.
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

// declare type-checks the declarations of a dependency. It ignores errors, because their
// effects show in the packages that are analysed.
func (g *graph) declare(n *node) {
	files := n.syntax
	n.syntax = nil
	if len(files) == 0 {
		return
	}
	for _, f := range files {
		n.dropImports(f)
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

// analyse type-checks a package and runs the analyzers on it.
func (g *graph) analyse(n *node) {
	p := &unit.Package{Fset: g.fset, Info: unit.NewInfo(), Sizes: g.sizes, IgnoredFiles: n.files(n.IgnoredGoFiles)}
	if n.Module != nil {
		p.Module = &analysis.Module{Path: n.Module.Path, Version: n.Module.Version, GoVersion: n.Module.GoVersion}
	}
	p.Files, n.syntax = n.syntax, nil
	if len(p.Files) == 0 {
		return
	}
	p.TypeErrors = n.syntaxErrors
	conf := &types.Config{
		Importer:  g.importer(n),
		Sizes:     g.sizes,
		GoVersion: n.goVersion(),
		// cgo does not run, because it would run the C compiler on the C code of the
		// package. Package C has unknown contents.
		FakeImportC: true,
		// Generated files have lost their function bodies, but not their imports.
		DisableUnusedImportCheck: true,

		Error: func(err error) {
			n.failTypes(err)
			if e := (types.Error{}); errors.As(err, &e) {
				p.TypeErrors = append(p.TypeErrors, e)
			}
		},
	}
	n.types, _ = conf.Check(n.path(), g.fset, p.Files, p.Info)
	p.Types = n.types
	results := unit.Run(p, g.o.Analyzers, &g.facts)
	if !n.reported {
		return
	}
	failed := false
	for _, r := range results {
		if r.Err != nil && !errors.Is(r.Err, unit.ErrDoesNotCompile) {
			n.fail(Error{Msg: r.Err.Error(), Internal: true})
			failed = true
		}
	}
	for _, a := range g.o.Analyzers {
		r := results[slices.IndexFunc(results, func(r unit.Result) bool { return r.Analyzer == a })]
		for _, d := range r.Diagnostics {
			g.report(n, a, d)
		}
	}
	slices.SortStableFunc(n.diagnostics, func(x, y Diagnostic) int { return comparePositions(x.Pos, y.Pos) })
	// A test variant contains the files of its package. The package itself already
	// reports them.
	if g.o.Visit != nil && !failed && n.ForTest == "" {
		g.visiting.Lock()
		defer g.visiting.Unlock()
		g.o.Visit(p, results)
	}
}

// goVersion returns the language version of the package's module for the type checker. It
// returns "", which means the newest version, if this program does not know the version.
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

func (n *node) failTypes(err error) {
	var e types.Error
	if !errors.As(err, &e) {
		n.fail(Error{Msg: err.Error()})
		return
	}
	// A message that begins with a tab is a detail of the previous error.
	if strings.HasPrefix(e.Msg, "\t") {
		return
	}
	n.fail(Error{Pos: e.Fset.Position(e.Pos), Msg: e.Msg})
}

// report adds a diagnostic of an analyzer to a package.
func (g *graph) report(n *node, a *analysis.Analyzer, d analysis.Diagnostic) {
	pos, end := span(g.fset, d.Pos, d.End)
	if n.ForTest != "" && !isTest(pos.Filename) {
		return
	}
	t := Diagnostic{Analyzer: a, Pos: pos, End: end, Message: d.Message, Category: d.Category, Own: n.own()}
	for _, r := range d.Related {
		pos, end := span(g.fset, r.Pos, r.End)
		t.Related = append(t.Related, Related{pos, end, r.Message})
	}
	for _, f := range d.SuggestedFixes {
		if fix, ok := g.fix(f); ok {
			t.Fixes = append(t.Fixes, fix)
		}
	}
	n.diagnostics = append(n.diagnostics, t)
}

// span returns the positions in real files. It ignores line directives.
func span(fset *token.FileSet, from, to token.Pos) (pos, end token.Position) {
	if !to.IsValid() || to < from {
		to = from
	}
	return fset.PositionFor(from, false), fset.PositionFor(to, false)
}

// hasSource reports whether a file belongs to a package that is analysed. An analyzer may
// report a position in an imported package.
func (g *graph) hasSource(file string) bool {
	g.sourced.Do(func() {
		g.sources = map[string]bool{}
		for _, n := range g.nodes {
			for _, name := range n.names {
				if n.analysed {
					g.sources[name] = true
				}
			}
		}
	})
	return g.sources[file]
}

// fix converts a suggested fix to file positions. It returns false if the fix changes
// files that are not the module's own.
func (g *graph) fix(f analysis.SuggestedFix) (Fix, bool) {
	edits, ok := unit.Edits(g.fset, f)
	for _, e := range edits {
		ok = ok && g.hasSource(e.File)
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

// parsePosition parses a position in the form of the go command: file:line:column.
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

// cutLast splits a text at its last colon and parses the number after the colon.
func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
