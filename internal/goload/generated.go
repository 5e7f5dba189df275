package goload

import (
	"go/ast"
	"slices"

	"github.com/kubevet/kubevet/internal/libsource"
)

// hollow removes function bodies from the generated files of a package, unless one of
// them writes through a client or library. Nothing is reported in such files, and they
// are the larger part of a project with an API of its own.
//
// The functions then look as if they were written in assembly. Functions that must have
// a body keep it: generic ones, init and main.
func hollow(files []*ast.File, library func(importPath string) bool) {
	generated := slices.DeleteFunc(slices.Clone(files), func(f *ast.File) bool { return !ast.IsGenerated(f) })
	if slices.ContainsFunc(generated, func(f *ast.File) bool { return libsource.CallsClients(f, library) }) {
		return
	}
	for _, f := range generated {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && !generic(fn) {
				if fn.Recv != nil || fn.Name.Name != "init" && fn.Name.Name != "main" {
					fn.Body = nil
				}
			}
		}
	}
}

// generic reports whether a function or its receiver has type parameters.
func generic(fn *ast.FuncDecl) bool {
	if fn.Type.TypeParams != nil {
		return true
	}
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return false
	}
	recv := fn.Recv.List[0].Type
	for {
		switch t := recv.(type) {
		case *ast.StarExpr:
			recv = t.X
		case *ast.ParenExpr:
			recv = t.X
		case *ast.IndexExpr, *ast.IndexListExpr:
			return true
		default:
			return false
		}
	}
}
