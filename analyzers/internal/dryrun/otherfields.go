package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// usesOtherFields reports whether a method only uses those fields of its receiver that do
// not depend on the dry run. p is the receiver, or a parameter to which it is passed. The
// package must declare the type and set the fields.
func (s *state) usesOtherFields(p *ssa.Parameter, m Mode, depth int) bool {
	pointer, ok := p.Type().(*types.Pointer)
	if !ok || depth > maxDepth {
		return false
	}
	if n := namedOf(pointer); n == nil || n.Obj().Pkg() != s.pass.Pkg {
		return false
	}
	for _, r := range *p.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if f := fieldOf(r.X.Type(), r.Field); f == nil || s.setByDryRun(f, m) {
				return false
			}
		case ssa.CallInstruction:
			body := s.body(r.Common())
			if body == nil {
				return false
			}
			for i, a := range r.Common().Args {
				if a == ssa.Value(p) && (i >= len(body.Params) || !s.usesOtherFields(body.Params[i], m, depth+1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// setByDryRun reports whether the value of a field may depend on the dry run. It returns
// true if the package never sets the field.
func (s *state) setByDryRun(field *types.Var, m Mode) bool {
	if s.vars.describe(field).ok || s.overridden[field] || len(s.stores[field]) == 0 || s.fieldChosen(field, m) {
		return true
	}
	return slices.ContainsFunc(s.stores[field], func(st *ssa.Store) bool {
		values := []ssa.Value{st.Val}
		if p, ok := st.Val.(*ssa.Parameter); ok {
			values = append(values, s.argumentsFor(p)...)
		}
		return slices.ContainsFunc(values, func(v ssa.Value) bool {
			if v.Parent() == nil {
				return false // a constant, a variable of a package or a function
			}
			f := s.flow(v.Parent(), m)
			return f == nil || f.derived(v, 0)
		})
	})
}
