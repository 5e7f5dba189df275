package goload

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// keepDeclarations removes all code of a dependency on which the types of its package do
// not depend: function bodies and the elements of composite literals. It returns the
// names before a dot in the remaining code. Among them are the local names of all imports
// that the declarations use.
func keepDeclarations(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = nil
		case *ast.CompositeLit:
			if !countsElements(n) {
				n.Elts = nil
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	f.Comments = nil
	return names
}

// countsElements reports whether the type of a composite literal depends on its elements.
// An example is [...]string{"a"}.
func countsElements(lit *ast.CompositeLit) bool {
	array, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return false
	}
	_, ok = array.Len.(*ast.Ellipsis)
	return ok
}

// needs reports whether a file needs an import. names has the names before a dot in the
// file. pkg is the name in the package clause of the imported package.
func needs(names map[string]bool, spec *ast.ImportSpec, pkg string) bool {
	if spec.Name == nil {
		return names[pkg]
	}
	switch name := spec.Name.Name; name {
	case "_":
		return false
	case ".":
		return true
	default:
		return names[name]
	}
}

// importPath returns the path of an import. It returns "" if the path is malformed.
func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value)
	return path
}

// dropImports removes the imports of a file that are not in n.imports.
func (n *node) dropImports(f *ast.File) {
	f.Decls = slices.DeleteFunc(f.Decls, func(decl ast.Decl) bool {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			return false
		}
		d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
			path := importPath(s.(*ast.ImportSpec))
			return path != "unsafe" && path != "C" && n.imports[path] == nil
		})
		return len(d.Specs) == 0
	})
}
