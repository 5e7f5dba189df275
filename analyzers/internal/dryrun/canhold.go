package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// canHold reports whether a field can hold a dry run while fn runs. If only methods set
// the field, each to one of its parameters, it holds the dry run only while such a
// method runs. canHold also returns true if a function that reads the field calls fn.
func (s *state) canHold(field types.Object, fn *ssa.Function) bool {
	v, ok := field.(*types.Var)
	if !ok || v.Exported() || s.vars.describe(v).bound {
		return true
	}
	var setters []*ssa.Function
	for _, st := range s.stores[v] {
		if s.inTest(st.Parent()) {
			continue
		}
		if c, ok := st.Val.(*ssa.Const); ok && c.Value != nil {
			continue
		}
		_, given := st.Val.(*ssa.Parameter)
		addr, _ := st.Addr.(*ssa.FieldAddr)
		if !given || addr == nil || st.Parent().Signature.Recv() == nil || addr.X != st.Parent().Params[0] {
			return true
		}
		setters = append(setters, st.Parent())
	}
	if len(setters) == 0 {
		return true
	}
	for _, m := range setters {
		if s.leadsTo(m, fn, map[*ssa.Function]bool{}) {
			return true
		}
	}
	for _, reader := range s.readers[v] {
		if !s.inTest(reader) && s.leadsTo(reader, fn, map[*ssa.Function]bool{}) {
			return true
		}
	}
	return false
}

// leadsTo reports whether from is the function to, or calls it directly or indirectly.
func (s *state) leadsTo(from, to *ssa.Function, seen map[*ssa.Function]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for _, c := range s.callees[from] {
		if s.leadsTo(c.fn, to, seen) {
			return true
		}
	}
	return false
}
