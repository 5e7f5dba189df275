package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// arguments records the values that the package passes to the parameters of its
// functions.
func (b *binder) arguments(call *ast.CallExpr) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return
	}
	fn, ok := b.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok || fn.Pkg() != b.pass.Pkg || fn.Exported() || fn.Origin() != fn {
		return
	}
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		if i < params.Len() && isBool(params.At(i).Type()) {
			b.stores = append(b.stores, store{params.At(i), arg})
		}
	}
}

func isBool(t types.Type) bool {
	basic, ok := types.Unalias(t).(*types.Basic)
	return ok && basic.Kind() == types.Bool
}

// bindOtherNames binds variables, fields and parameters whose names do not say dry run,
// if their values always are the dry run, or always the opposite, as in apply:
// !o.DryRun. Other packages cannot set these variables.
func (b *binder) bindOtherNames() {
	all := map[types.Object][]ast.Expr{}
	for _, s := range b.stores {
		if ok, _ := dryRunName(s.to.Name()); !ok && isBool(s.to.Type()) && s.to.Pkg() == b.pass.Pkg && !s.to.Exported() && s.to.Parent() != b.pass.Pkg.Scope() {
			all[s.to] = append(all[s.to], s.from)
		}
	}
	for range 4 {
		changed := false
		for to, from := range all {
			if _, done := b.bound[to]; done {
				continue
			}
			if bind, ok := b.common(from); ok {
				b.bound[to] = bind
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// common returns the dry run that all expressions hold, or whose opposite all of them
// hold. ok is false if there is no such dry run.
//
// A constant that means that there is no dry run does not count.
func (b *binder) common(all []ast.Expr) (common binding, ok bool) {
	var constants []string
	for _, e := range all {
		if v := b.pass.TypesInfo.Types[e].Value; v != nil {
			constants = append(constants, v.String())
			continue
		}
		bind, known := b.bindingIn(e)
		if !known || ok && bind.Negative != common.Negative {
			return binding{}, false
		}
		common, ok = bind, true
	}
	none := "false"
	if common.Negative {
		none = "true"
	}
	return common, ok && !slices.ContainsFunc(constants, func(c string) bool { return c != none })
}

// bindingIn returns the dry run in an expression: a variable, a field, or the opposite
// of one.
func (b *binder) bindingIn(e ast.Expr) (binding, bool) {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		bind, ok := b.bindingIn(not.X)
		bind.Negative = !bind.Negative
		return bind, ok
	}
	if bind, ok := b.lookup(e); ok {
		return bind, true
	}
	obj := b.object(e)
	if obj == nil || !isBool(obj.Type()) {
		return binding{}, false
	}
	ok, negative := dryRunName(obj.Name())
	return binding{flagBound: flagBound{Negative: negative}}, ok
}
