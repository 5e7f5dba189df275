package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// load type-checks the packages of a module from source, without test files. It drops the
// function bodies of other modules, because they would be most of the work.
//
// It shares no code with kubevet's own loader, because the sample must not depend on
// mistakes of that loader.
func load(dir string) ([]*packages.Package, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedModule,
		Dir: dir,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
			if f != nil && !within(dir, name) {
				for _, decl := range f.Decls {
					if fn, ok := decl.(*ast.FuncDecl); ok {
						fn.Body = nil
					}
				}
			}
			return f, err
		},
	}
	all, err := packages.Load(cfg, "./...")
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", dir, err)
	}
	return all, nil
}

// within reports whether a file belongs to the module's own source.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../") && !strings.HasPrefix(rel, "vendor/")
}
