package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// tested returns the source that the last condition before a place in fn looks
// at, if fn has several: that is the flag that the reader has in mind. It
// returns src if no condition looks at one.
func (s *state) tested(fn *ssa.Function, src *Source, at token.Pos, m Mode) *Source {
	sources := s.sources(fn)
	if len(sources) < 2 {
		return src
	}
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	syntax := outer.Syntax()
	if syntax == nil {
		return src
	}
	best, last := src, token.NoPos
	consider := func(cond ast.Expr) {
		if cond == nil || cond.Pos() >= at || cond.Pos() < last {
			return
		}
		var found *Source
		ast.Inspect(cond, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || found != nil && found.Object == src.Object {
				return true
			}
			obj := s.pass.TypesInfo.Uses[nameOf(e)]
			for _, other := range sources {
				if obj == nil || other.Object != origin(obj) || other.Kind == Options || other.Kind == Request {
					continue
				}
				if found != nil && found.Object == other.Object {
					continue // its selector was seen
				}
				if other.Object != src.Object && s.entryFrom(fn, m, true, other.Object) == Guarded {
					continue
				}
				found = s.based(other, e)
			}
			return true
		})
		switch {
		case found == nil:
		case found.Object == src.Object:
			best, last = src, cond.Pos()
		default:
			best, last = found, cond.Pos()
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			consider(n.Cond)
		case *ast.SwitchStmt:
			consider(n.Tag)
		case *ast.CaseClause:
			for _, e := range n.List {
				consider(e)
			}
		}
		return n != nil && n.Pos() < at
	})
	return best
}

// nameOf is the name that an expression ends with; nil for others.
func nameOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// origin is the declared field of a field of an instantiated type.
func origin(obj types.Object) types.Object {
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return obj
}

// based is a source with the variable that it is loaded from in an expression,
// if that is one step away.
func (s *state) based(src *Source, e ast.Expr) *Source {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || src.Kind != Local || src.Base != nil {
		return src
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return src
	}
	v, ok := s.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return src
	}
	with := *src
	with.Base = v
	return &with
}
