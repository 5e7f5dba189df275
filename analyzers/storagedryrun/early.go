package storagedryrun

import (
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/sideeffect"
	"golang.org/x/tools/go/ssa"
)

// asking returns a function that reports whether an instruction uses the options in a way
// that may depend on the dry run.
func (m *method) asking() func(ssa.Instruction) bool {
	found := map[ssa.Instruction]bool{}
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		refs := v.Referrers()
		if seen[v] || refs == nil {
			return
		}
		seen[v] = true
		for _, r := range *refs {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.BinOp:
			case *ssa.FieldAddr:
				found[r] = field(r.X.Type(), r.Field) == readsDryRun
			case *ssa.Store:
				if cell, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
					visit(cell)
				} else if r.Addr != v {
					found[r] = true
				}
			case *ssa.UnOp:
				if _, cell := v.(*ssa.Alloc); cell {
					visit(r)
				} else {
					found[r] = true // a copy
				}
			default:
				found[r] = true
			}
		}
	}
	visit(m.options)
	return func(i ssa.Instruction) bool { return found[i] }
}

// givesOptions reports whether an argument of a call has a type of options. It may come
// from the options of the method.
func givesOptions(i ssa.CallInstruction) bool {
	for _, a := range i.Common().Args {
		if apicall.IsOptions(a.Type()) {
			return true
		}
	}
	return false
}

// ownOptions reports whether a call of another storage gets new options instead of the
// method's. The other storage may be the embedded generic store.
func (m *method) ownOptions(i ssa.CallInstruction) bool {
	callee := sideeffect.Method(i)
	if callee == nil {
		return false
	}
	s, ok := shapeOf(callee)
	args := i.Common().Args
	if !i.Common().IsInvoke() && len(args) > 0 {
		args = args[1:]
	}
	if !ok || s.options >= len(args) {
		return false
	}
	switch made := args[s.options].(type) {
	case *ssa.Const:
		return made.IsNil()
	case *ssa.Alloc:
		return untouched(made)
	}
	return false
}

// untouched reports whether no code sets the DryRun of new options, and they go only to one
// call.
func untouched(made *ssa.Alloc) bool {
	calls := 0
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if field(r.X.Type(), r.Field) == readsDryRun {
				return false
			}
		case ssa.CallInstruction:
			calls++ // the call of the storage
		default:
			return false
		}
	}
	_, structure := made.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	return structure && calls == 1
}
