package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// writeOfBuilt describes a write of the methods of a type that fn builds. The methods
// prevent the write if a field of the parameter i of fn asks for a dry run. It returns "" if
// there is none. A parameter that is the dry run itself does not count: a call that passes
// false to a constructor usually does so on purpose.
func (s *state) writeOfBuilt(fn *ssa.Function, i int) string {
	_, field := s.dryRunArgument(fn.Signature)
	if fn.Signature.Recv() != nil {
		i++
	}
	if field == nil || fn.Signature.Results().Len() == 0 || i >= len(fn.Params) {
		return ""
	}
	for _, kept := range s.fieldsKeeping(fn.Params[i], field) {
		for _, reader := range s.readers[kept] {
			if s.inTest(reader) || reader == fn || s.hasOtherSource(reader, kept) {
				continue
			}
			if text := s.writePreventedIn(reader, nil, 0); text != "" {
				return text
			}
		}
	}
	return ""
}

// fieldsKeeping returns the fields in which a function stores the dry run in a field of its
// parameter p. The function may also store all of p.
func (s *state) fieldsKeeping(p *ssa.Parameter, field *types.Var) []*types.Var {
	values := []ssa.Value{p}
	for _, r := range *p.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Val == ssa.Value(p) {
			values = append(values, st.Addr) // the address of p is taken
		}
	}
	var got []*types.Var
	stored := func(v ssa.Value) {
		for _, r := range *v.Referrers() {
			st, ok := r.(*ssa.Store)
			if !ok || st.Val != v {
				continue
			}
			addr, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			switch f := fieldOf(addr.X.Type(), addr.Field); {
			case f == nil:
			case s.vars.describe(f).ok:
				got = append(got, f)
			case s.vars.fieldOf(f.Type()) == field:
				got = append(got, field)
			}
		}
	}
	for _, v := range values {
		stored(v)
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp:
				stored(r)
			case *ssa.Field:
				if fieldOf(r.X.Type(), r.Field) == field {
					stored(r)
				}
			case *ssa.FieldAddr:
				if fieldOf(r.X.Type(), r.Field) == field {
					for _, load := range *r.Referrers() {
						if load, ok := load.(*ssa.UnOp); ok {
							stored(load)
						}
					}
				}
			}
		}
	}
	return got
}

// hasOtherSource reports whether a function can learn of a dry run other than that in field.
func (s *state) hasOtherSource(fn *ssa.Function, field *types.Var) bool {
	return slices.ContainsFunc(s.sources(fn), func(src *Source) bool {
		return src.Object != types.Object(field) && src.Kind != Options && src.Kind != Request && src.Kind != Global
	})
}
