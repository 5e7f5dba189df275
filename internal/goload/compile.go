package goload

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"slices"
)

// Broken is a package that no longer compiles after files were changed.
type Broken struct {
	// Files has all files of the package.
	Files []string
	// Err is the first error that the package has only with the changes.
	Err Error
}

// Compile type-checks the packages that contain one of the files in texts, with these
// texts instead of the analysed texts. It returns the packages that no longer compile. It
// must not be called concurrently.
func (r *Result) Compile(texts map[string][]byte) []Broken {
	var broken []Broken
	for _, n := range r.graph.nodes {
		if !n.analysed || !slices.ContainsFunc(n.names, func(name string) bool { return texts[name] != nil }) {
			continue
		}
		var err *Error
		probe := &node{}
		probe.recover(func() { err = r.graph.compile(n, texts) })
		if len(probe.errors) > 0 {
			err = &probe.errors[0]
		}
		if err != nil {
			broken = append(broken, Broken{Files: n.names, Err: *err})
		}
	}
	return broken
}

// compile returns the first error that a package has with the texts, but not without
// them. It returns nil if there is none.
func (g *graph) compile(n *node, texts map[string][]byte) *Error {
	found := g.typeErrors(n, texts)
	if len(found) == 0 {
		return nil
	}
	var known []string
	if len(n.errors) > 0 {
		for _, e := range g.typeErrors(n, nil) {
			known = append(known, e.Msg)
		}
	}
	for i, e := range found {
		if !slices.Contains(known, e.Msg) {
			return &found[i]
		}
	}
	return nil
}

// typeErrors parses and type-checks a package and returns the errors. texts replaces the
// text of some files.
func (g *graph) typeErrors(n *node, texts map[string][]byte) []Error {
	probe := &node{listed: n.listed}
	var files []*ast.File
	for _, name := range n.names {
		src := texts[name]
		if src == nil {
			var err error
			if src, err = os.ReadFile(name); err != nil {
				return []Error{{Msg: err.Error()}}
			}
		}
		f, err := parser.ParseFile(g.fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			probe.failParse(err)
		}
		if f == nil {
			continue
		}
		files = append(files, f)
	}
	hollow(files, func(path string) bool { return g.isLibrary(n, path) })
	conf := &types.Config{
		Importer:                 g.lateImporter(n),
		Sizes:                    g.sizes,
		GoVersion:                n.goVersion(),
		FakeImportC:              true,
		DisableUnusedImportCheck: slices.ContainsFunc(files, ast.IsGenerated),
		Error:                    func(err error) { probe.failTypes(err) },
	}
	_, _ = conf.Check(n.path(), g.fset, files, nil) // the errors are collected in probe
	return probe.errors
}

// lateImporter returns an importer for a package after the run. An edit may import a
// package that was not needed in the run, so the importer type-checks it.
func (g *graph) lateImporter(n *node) types.Importer {
	before := g.importer(n)
	return importerFunc(func(path string) (*types.Package, error) {
		if d := g.resolve(n, path); d != nil && d.types == nil && n.imports[path] == nil {
			g.demand(d)
			if d.types == nil {
				return nil, errors.New("it could not be read")
			}
		}
		if d := g.resolve(n, path); d != nil && d.types != nil {
			return d.types, nil
		}
		return before.Import(path)
	})
}

// demand type-checks the declarations of a dependency, unless this has happened already.
func (g *graph) demand(n *node) {
	if n.types != nil || n.analysed || n.parsed {
		return
	}
	n.parsed = true
	n.names = n.files(n.GoFiles, n.CgoFiles)
	for _, d := range g.parse(n) {
		g.demand(d)
	}
	g.declare(n)
}
