package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// loader type-checks packages of a release's modules. It treats other packages,
// even the standard library, as empty. Declarations that use them have an invalid
// type, but the code that registers flags needs few of them.
type loader struct {
	src      *sources
	fset     *token.FileSet
	packages map[string]*types.Package
	info     *types.Info
	// bodies are the functions whose bodies are type-checked.
	bodies map[*types.Func]*ast.FuncDecl
	// lists are the literals that are values of package variables, in the
	// packages of bodies.
	lists map[types.Object]*ast.CompositeLit
}

func newLoader(src *sources) *loader {
	return &loader{
		src: src, fset: token.NewFileSet(), packages: map[string]*types.Package{}, bodies: map[*types.Func]*ast.FuncDecl{}, lists: map[types.Object]*ast.CompositeLit{},
		info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
}

// Import implements types.Importer.
func (l *loader) Import(importPath string) (*types.Package, error) {
	if p := l.packages[importPath]; p != nil {
		return p, nil
	}
	p, err := l.load(importPath)
	if err != nil {
		return nil, err
	}
	l.packages[importPath] = p
	return p, nil
}

func (l *loader) load(importPath string) (*types.Package, error) {
	dir, ok := l.src.dir(importPath)
	if !ok {
		empty := types.NewPackage(importPath, packageName(importPath))
		empty.MarkComplete()
		return empty, nil
	}
	files, relevant, err := l.parse(dir)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: l, IgnoreFuncBodies: !relevant, Error: func(error) {}, FakeImportC: true}
	p, _ := config.Check(importPath, l.fset, files, l.info) // errors come from imports that are not read
	for _, file := range files {
		for _, d := range file.Decls {
			if relevant {
				l.declare(d)
			}
		}
	}
	return p, nil
}

// declare records a function, or the variables whose values are lists.
func (l *loader) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if obj, ok := l.info.Defs[d.Name].(*types.Func); ok && d.Body != nil {
			l.bodies[obj] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
				continue
			}
			if lit, ok := v.Values[0].(*ast.CompositeLit); ok {
				l.lists[l.info.Defs[v.Names[0]]] = lit
			}
		}
	}
}

// parse parses the files of a package for Linux. relevant is set if the package
// may register flags.
func (l *loader) parse(dir string) (files []*ast.File, relevant bool, err error) {
	context := build.Default
	context.GOOS, context.GOARCH = "linux", "amd64"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, false, err
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if match, err := context.MatchFile(dir, name); err != nil || !match {
			continue
		}
		file, err := parser.ParseFile(l.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
		for _, imp := range file.Imports {
			switch strings.Trim(imp.Path.Value, `"`) {
			case modFlag, modComponentBase + "/cli/flag", "flag":
				relevant = true
			}
		}
		files = append(files, file)
	}
	return files, relevant, nil
}

// packageName guesses the name of a package from its import path, for packages
// that are not read.
func packageName(importPath string) string {
	name := path.Base(importPath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(importPath))
	}
	name, _, _ = strings.Cut(name, ".v")
	return strings.ReplaceAll(name, "-", "")
}
