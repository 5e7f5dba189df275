package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// OptionsNeverSet reports whether the options that a function gets never ask for a dry
// run. It returns true only if no other package can call the function, and all callers
// pass options without a dry run.
func (r *Result) OptionsNeverSet(fn *ssa.Function, options *types.Var) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.analyzed != nil && r.state.optionsNeverSet(fn, options, 0)
}

func (s *state) optionsNeverSet(fn *ssa.Function, options *types.Var, depth int) bool {
	for fn.Parent() != nil && !declares(fn, options) {
		fn = fn.Parent()
	}
	if fn.Parent() != nil || exported(fn) || s.escaping[fn] || depth > maxOrigin {
		return false
	}
	called := false
	for _, at := range s.sites[fn] {
		if s.inTest(at.caller) {
			continue
		}
		if at.call == nil || at.inner != nil || at.call.Common().IsInvoke() {
			return false
		}
		called = true
		args := at.call.Common().Args
		for i, p := range fn.Params {
			if p.Object() == options && (i >= len(args) || !s.isUnset(args[i], depth)) {
				return false
			}
		}
	}
	return called
}

func declares(fn *ssa.Function, v *types.Var) bool {
	for _, p := range fn.Params {
		if p.Object() == v {
			return true
		}
	}
	return false
}

// isUnset reports whether a value is options that do not ask for a dry run.
func (s *state) isUnset(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true // the zero value
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		return ok && s.neverSet(a, depth+1)
	case *ssa.Alloc:
		return s.neverSet(v, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !s.isUnset(e, depth+2) {
				return false
			}
		}
		return true
	case *ssa.Parameter:
		given, ok := v.Object().(*types.Var)
		return ok && s.optionsNeverSet(v.Parent(), given, depth+1)
	}
	return false
}

// neverSet reports whether no code sets the field for a dry run of the options in a
// variable.
func (s *state) neverSet(a *ssa.Alloc, depth int) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != a || !s.isUnset(r.Val, depth) {
				return false
			}
		case *ssa.FieldAddr:
			if f := fieldOf(r.X.Type(), r.Field); f == nil || f.Name() == "DryRun" {
				return false
			}
		case ssa.CallInstruction:
			// A function of the package that gets a pointer to the options is assumed not to
			// set the field.
			if r.Common().IsInvoke() || s.body(r.Common()) == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}
