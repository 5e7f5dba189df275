package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// predicatesCalled returns the functions without parameters that fn calls to get the
// dry run, such as isDryRun() or the method c.isDryRun(). They belong to the module.
func (s *state) predicatesCalled(fn *ssa.Function) []*types.Func {
	var got []*types.Func
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			obj := calleeObject(call.Common())
			if obj != nil && s.vars.isLocal(obj.Pkg()) && isPredicate(obj) && !slices.Contains(got, obj.Origin()) {
				got = append(got, obj.Origin())
			}
		}
	}
	return got
}

// fieldBehind returns the field with the dry run that a method of another package, such as
// GetDryRun, probably returns. It returns nil for other functions.
func (s *state) fieldBehind(predicate *types.Func) *types.Var {
	recv := predicate.Signature().Recv()
	if recv == nil || predicate.Pkg() == s.pass.Pkg || types.IsInterface(recv.Type()) {
		return nil
	}
	return s.vars.fieldOf(recv.Type())
}

// isPredicate guesses from the name of a function whether it reports the dry run. Such
// a function has no parameters and returns a boolean.
func isPredicate(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || !isBool(sig.Results().At(0).Type()) {
		return false
	}
	ok, negative := predicateName(fn.Name())
	return ok && !negative
}

// predicateOf returns the method of fn's receiver v that reports the dry run. It
// returns nil if there is no such method, or if v is not the receiver.
func (s *state) predicateOf(v *types.Var, fn *ssa.Function) *types.Func {
	n := namedOf(v.Type())
	if fn.Signature.Recv() != v || n == nil || isAPI(n) {
		return nil
	}
	for m := range n.Methods() {
		if isPredicate(m) && s.byObject[m] != nil && s.byObject[m] != fn {
			return m
		}
	}
	return nil
}

// programSources returns the sources for the dry run of the whole program with which
// the package guards a write:
//
//   - functions of other packages that report the dry run
//   - fields of the result of a call with constant arguments
//
// It returns none for a program with several commands, because the code does not show
// to which command the dry run belongs.
func (s *state) programSources() []*Source {
	if s.programSourcesKnown || len(s.roots) > 0 {
		return s.programSourceList
	}
	s.programSourcesKnown = true
	seen := map[types.Object]bool{}
	add := func(src *Source) {
		if !seen[src.Object] {
			seen[src.Object] = true
			s.programSourceList = append(s.programSourceList, src)
		}
	}
	for _, fn := range s.funcs {
		if s.inTest(fn) || !s.guards(fn) {
			continue
		}
		for _, predicate := range s.predicatesCalled(fn) {
			if predicate.Pkg() != s.pass.Pkg && predicate.Signature().Recv() == nil {
				add(&Source{Kind: Global, Shape: Bool, Object: predicate, called: true})
			}
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				load, ok := instr.(*ssa.UnOp)
				if !ok {
					continue
				}
				addr, ok := load.X.(*ssa.FieldAddr)
				v := loadedVar(load)
				if !ok || v == nil || !s.respected[v] || s.vars.describe(v).negative || !s.vars.describe(v).ok {
					continue
				}
				if call, ok := addr.X.(*ssa.Call); ok && constantCall(call.Common()) {
					add(&Source{Kind: Global, Shape: shapeOf(v.Type()), Object: v, fieldPath: calleeObject(call.Common()).Name() + "()."})
				}
			}
		}
	}
	return s.programSourceList
}

// constantCall reports whether a call runs a function, and not a method, with constant
// arguments only.
func constantCall(common *ssa.CallCommon) bool {
	obj := calleeObject(common)
	return obj != nil && obj.Signature().Recv() == nil && !slices.ContainsFunc(common.Args, func(a ssa.Value) bool {
		_, constant := a.(*ssa.Const)
		return !constant
	})
}
