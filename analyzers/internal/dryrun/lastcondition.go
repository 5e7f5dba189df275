package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// sourceInLastCondition returns the source in the last condition of fn before a
// position. A message names this source if there are several, because readers see it
// near the position. If no condition uses a source, the result is src.
func (s *state) sourceInLastCondition(fn *ssa.Function, src *Source, at token.Pos, m Mode) *Source {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	syntax := outer.Syntax()
	if syntax == nil {
		return src
	}
	sources := s.sources(fn)
	if len(sources) < 2 {
		return s.withFieldPath(src, syntax)
	}
	best, last := s.withFieldPath(src, syntax), token.NoPos
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
					continue // the selector expression around it was found before
				}
				if other.Object != src.Object && s.entryFrom(fn, m, true, other.Object) == Guarded {
					continue
				}
				found = s.withFieldPath(other, e)
			}
			return true
		})
		switch {
		case found == nil:
		case found.Object == src.Object:
			best, last = s.withFieldPath(src, cond), cond.Pos()
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

// nameOf returns the last name of an expression, or nil if it has none.
func nameOf(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// origin returns the declared field for a field of an instantiated type. It returns
// other objects unchanged.
func origin(obj types.Object) types.Object {
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return obj
}

// withFieldPath returns a source with the names before its field, as the code of n
// spells them: "conf.Apply." for conf.Apply.DryRun.
func (s *state) withFieldPath(src *Source, n ast.Node) *Source {
	if src.Kind != Local || src.Base != nil {
		return src
	}
	best := src
	ast.Inspect(n, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || best != src {
			return best == src
		}
		if obj := s.pass.TypesInfo.Uses[sel.Sel]; obj == nil || origin(obj) != src.Object {
			return true
		}
		before := ""
		for e := ast.Unparen(sel.X); ; {
			switch x := e.(type) {
			case *ast.SelectorExpr:
				before = x.Sel.Name + "." + before
				e = ast.Unparen(x.X)
				continue
			case *ast.Ident:
				if v, ok := s.pass.TypesInfo.Uses[x].(*types.Var); ok {
					with := *src
					with.Base, with.fieldPath = v, before
					best = &with
				}
			}
			return true
		}
	})
	return best
}
