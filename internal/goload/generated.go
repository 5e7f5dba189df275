package goload

import (
	"go/ast"
	"slices"

	"github.com/kubevet/kubevet/internal/libsource"
)

// hollow removes the function bodies of the generated files in a package, because rules
// report nothing in generated files. In a project with its own API, most code is
// generated. hollow changes nothing if a generated file calls a client or a library
// function that writes.
//
// The type checker accepts functions without bodies, because functions in assembly have
// none. Generic functions, init and main keep their bodies, because Go requires them.
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

// generic reports whether a function or its receiver type has type parameters.
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
