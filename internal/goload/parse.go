package goload

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"

	"github.com/kubevet/kubevet/internal/libsource"
)

// parse parses the files of a package. It returns the packages that this package needs:
// all imports if the package is analysed, otherwise the imports that its declarations
// use.
func (g *graph) parse(n *node) []*node {
	n.imports = map[string]*node{}
	seen := map[*node]bool{}
	var needed []*node
	parsed := make([]map[string]bool, 0, len(n.names))
	for _, name := range n.names {
		f, names := g.parseFile(n, name)
		if f == nil {
			continue
		}
		n.syntax = append(n.syntax, f)
		parsed = append(parsed, names)
	}
	if n.library {
		parsed = g.reduce(n)
	}
	if n.analysed {
		hollow(n.syntax, func(path string) bool { return g.isLibrary(n, path) })
	}
	for i, f := range n.syntax {
		names := parsed[i]
		for _, spec := range f.Imports {
			path := importPath(spec)
			d := g.resolve(n, path)
			if d == nil || n.cyclic[d.ImportPath] || !n.analysed && !needs(names, spec, d.Name) {
				continue
			}
			n.imports[path] = d
			if !seen[d] {
				seen[d] = true
				needed = append(needed, d)
			}
		}
	}
	return needed
}

// parseFile parses a file of n. In a file of a dependency, it keeps only the
// declarations. It ignores errors there, because their effects show in the packages that
// are analysed. names has the names before a dot. f is nil if the file cannot be parsed.
func (g *graph) parseFile(n *node, name string) (f *ast.File, names map[string]bool) {
	src, err := os.ReadFile(name)
	if n.library {
		f, _ = parser.ParseFile(g.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if f == nil || f.Name == nil {
			return nil, nil
		}
		g.fset.File(f.FileStart).SetLines([]int{0})
		return f, nil
	}
	if !n.analysed {
		f, _ = parser.ParseFile(g.fset, name, src, parser.SkipObjectResolution)
		if f == nil || f.Name == nil {
			return nil, nil
		}
		// No diagnostic is in this file, so its line table is not needed.
		g.fset.File(f.FileStart).SetLines([]int{0})
		return f, keepDeclarations(f)
	}
	if err != nil {
		n.fail(Error{Msg: err.Error()})
	}
	n.bytes += int64(len(src))
	g.read.add(name, src)
	f, err = parser.ParseFile(g.fset, name, src, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
	if err != nil {
		n.failParse(err)
		n.addSyntaxErrors(g.fset, f, err)
	}
	return f, nil
}

// reduce removes all code of a library package that does not matter for writes. If no
// code matters, it keeps only declarations. For each file, it returns the names before a
// dot.
func (g *graph) reduce(n *node) []map[string]bool {
	names := make([]map[string]bool, len(n.syntax))
	n.studied = libsource.Reduce(n.syntax, func(path string) bool { return g.isLibrary(n, path) })
	for i, f := range n.syntax {
		if n.studied {
			names[i] = libsource.Qualifiers(f)
		} else {
			names[i] = keepDeclarations(f)
		}
	}
	return names
}

// isLibrary reports whether the import path leads from n to a library package.
func (g *graph) isLibrary(n *node, path string) bool {
	d := g.resolve(n, path)
	return d != nil && d.library
}

// addSyntaxErrors stores the errors of the parser as type errors. Analyzers can read only
// type errors.
func (n *node) addSyntaxErrors(fset *token.FileSet, f *ast.File, err error) {
	var list scanner.ErrorList
	if f == nil || !errors.As(err, &list) {
		return
	}
	file := fset.File(f.FileStart)
	for _, e := range list {
		n.syntaxErrors = append(n.syntaxErrors, types.Error{Fset: fset, Pos: file.Pos(min(max(e.Pos.Offset, 0), file.Size())), Msg: "syntax error: " + e.Msg})
	}
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
