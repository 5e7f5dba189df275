package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strings"
)

// logFlags adds the flags of k8s.io/component-base/logs, which copies them from
// klog's flag set. Up to 1.25 it copies all flags, and later only those that
// package klogflags allows.
func (w *walker) logFlags(decl *ast.FuncDecl) {
	allowed := w.literals(modComponentBase+"/logs/klogflags", "Init")
	for _, name := range allowed {
		w.add(decl.Pos(), name)
	}
	w.add(decl.Pos(), "log-flush-frequency")
	if len(allowed) > 0 {
		return
	}
	deprecated := w.constant(decl, "deprecated")
	for _, name := range w.literals(modKlog, "InitFlags") {
		w.add(decl.Pos(), name)
		if name != "v" && name != "vmodule" {
			w.flags[strings.ReplaceAll(name, "_", "-")].Deprecated = deprecated
		}
	}
}

// literals returns the strings in a function that are names of flags: the strings
// in case clauses and the second arguments of calls.
func (w *walker) literals(importPath, fn string) (names []string) {
	dir, ok := w.src.dir(importPath)
	if !ok {
		return nil
	}
	files, _, err := w.parse(dir)
	if err != nil {
		return nil
	}
	text := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			names = append(names, constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0)))
		}
	}
	for _, file := range files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Name.Name != fn || decl.Recv != nil {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CaseClause:
					for _, e := range n.List {
						text(e)
					}
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasSuffix(s.Sel.Name, "Var") && len(n.Args) > 2 {
						text(n.Args[1])
					}
				}
				return true
			})
		}
	}
	return names
}

// constant returns the value of a string constant that a function uses. It
// returns "" if the function does not use a constant of this name.
func (w *walker) constant(decl *ast.FuncDecl, name string) (text string) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			text, _ = w.text(id, nil)
		}
		return text == ""
	})
	return text
}
