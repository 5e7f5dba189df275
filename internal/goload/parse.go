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

// parse parses a package's files and returns the packages that it needs: all
// imports if it is analysed, else those that its declarations use.
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

// parseFile parses a file of n. It keeps of a dependency only the declarations; names
// are those before a dot in them. Errors there are ignored: their effects show in the
// analysed packages. The file is nil if it cannot be parsed.
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
		// Nothing is reported in the file: its lines are not needed.
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

// reduce reduces a library package to what matters for writes, or to its
// declarations if nothing does. It returns the names before a dot in each file.
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

// isLibrary reports whether n imports a library package as path.
func (g *graph) isLibrary(n *node, path string) bool {
	d := g.resolve(n, path)
	return d != nil && d.library
}

// addSyntaxErrors records the errors of the parser as errors of the type checker, for
// analyzers: they have no field for others.
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
