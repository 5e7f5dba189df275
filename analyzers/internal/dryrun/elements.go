package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// receivers returns the values that the interface of a method call can have during a dry
// run. A loop over a slice calls the method of each element. known is false if there can
// be other values.
func (s *state) receivers(common *ssa.CallCommon, m Mode) (all []ssa.Value, known bool) {
	if list := elementOf(common.Value); list != nil {
		return s.elements(list, m, map[ssa.Value]bool{})
	}
	return s.valuesInDryRun(common.Value, m, 0)
}

// elementOf returns the slice or the array of which v is an element, or the map over which a
// loop goes. It returns nil for other values, and for an element with a constant index.
func elementOf(v ssa.Value) ssa.Value {
	if part, ok := v.(*ssa.Extract); ok && part.Index == 2 {
		if next, ok := part.Tuple.(*ssa.Next); ok && !next.IsString {
			if loop, ok := next.Iter.(*ssa.Range); ok {
				return loop.X
			}
		}
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	at, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	if _, fixed := at.Index.(*ssa.Const); fixed {
		return nil
	}
	return at.X
}

// elements returns the values that a slice, an array or a map of interfaces can contain during
// a dry run. known is false if it can also contain other values.
func (s *state) elements(list ssa.Value, m Mode, seen map[ssa.Value]bool) (all []ssa.Value, known bool) {
	if seen[list] {
		return nil, true // a loop that appends
	}
	if _, isMap := list.Type().Underlying().(*types.Map); isMap {
		made, ok := list.(*ssa.MakeMap)
		if !ok {
			return nil, false // other functions may put values into it
		}
		return s.mapValues(made, m)
	}
	seen[list] = true
	known = true
	from := func(values ...ssa.Value) {
		for _, v := range values {
			more, ok := s.elements(v, m, seen)
			all, known = append(all, more...), known && ok
		}
	}
	switch v := list.(type) {
	case *ssa.Const, *ssa.MakeSlice: // nil, or filled by append
	case *ssa.Slice:
		from(v.X)
	case *ssa.Alloc:
		if _, ok := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array); !ok {
			return nil, false
		}
		return s.filled(v, m)
	case *ssa.Phi:
		f := s.flow(v.Parent(), m)
		for i, pred := range v.Block().Preds {
			if f == nil || f.edges[[2]int{pred.Index, v.Block().Index}] {
				from(v.Edges[i])
			}
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			from(v.Call.Args...)
			break
		}
		return s.returnedElements(v, m, seen)
	case *ssa.UnOp:
		for _, st := range s.storesAt(v.X) {
			f := s.flow(st.Parent(), m)
			if f == nil {
				return nil, false
			}
			if f.blocks[st.Block().Index] {
				from(st.Val)
			}
		}
	case *ssa.Parameter:
		args := s.argumentsFor(v)
		from(args...)
		known = known && len(args) > 0
	default:
		return nil, false
	}
	return all, known
}

// filled returns the values that the function stores in an array.
func (s *state) filled(array *ssa.Alloc, m Mode) (all []ssa.Value, known bool) {
	known = true
	for _, r := range *array.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *at.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == at {
				more, ok := s.valuesInDryRun(st.Val, m, 0)
				all, known = append(all, more...), known && ok
			}
		}
	}
	return all, known
}

// mapValues returns the values that the function puts into a map during a dry run.
func (s *state) mapValues(made *ssa.MakeMap, m Mode) (all []ssa.Value, known bool) {
	f := s.flow(made.Parent(), m)
	if f == nil {
		return nil, false
	}
	known = true
	for _, r := range *made.Referrers() {
		if put, ok := r.(*ssa.MapUpdate); ok && put.Map == made && f.blocks[put.Block().Index] {
			more, ok := s.valuesInDryRun(put.Value, m, 0)
			all, known = append(all, more...), known && ok
		}
	}
	return all, known
}

// returnedElements returns the elements of the slice that a function of the package
// returns.
func (s *state) returnedElements(call *ssa.Call, m Mode, seen map[ssa.Value]bool) (all []ssa.Value, known bool) {
	body := s.body(call.Common())
	if body == nil || call.Common().IsInvoke() || body.Signature.Results().Len() != 1 {
		return nil, false
	}
	f := s.flow(body, m)
	known = true
	for _, b := range body.Blocks {
		if len(b.Instrs) == 0 || f != nil && !f.blocks[b.Index] {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			more, ok := s.elements(ret.Results[0], m, seen)
			all, known = append(all, more...), known && ok
		}
	}
	return all, known
}

// mayObey reports whether a value may change nothing in a dry run, because the dry run is in
// it, or decides which client is in it.
func (s *state) mayObey(made *ssa.MakeInterface, m Mode) bool {
	f := s.flow(made.Parent(), m)
	if f == nil || f.derived(made, 0) || s.chosen(made, m, map[ssa.Value]bool{}, 0) {
		return true
	}
	literal := made.X
	if load, ok := literal.(*ssa.UnOp); ok {
		literal = load.X
	}
	a, ok := literal.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range *a.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range *field.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == field && s.chosen(st.Val, m, map[ssa.Value]bool{}, 0) {
				return true
			}
		}
	}
	return false
}

// writeOfPassed describes the first write of a call that passes slices of interfaces to a
// function of another package, which calls the given methods of all elements. It returns ""
// if no element writes.
func (s *state) writeOfPassed(call ssa.CallInstruction, methods []string, m Mode) string {
	for _, arg := range call.Common().Args {
		list, ok := arg.Type().Underlying().(*types.Slice)
		if !ok {
			continue
		}
		name := s.interfaceName(list.Elem())
		if name == "" {
			continue
		}
		values, _ := s.elements(arg, m, map[ssa.Value]bool{})
		for _, v := range values {
			made, ok := v.(*ssa.MakeInterface)
			if !ok || s.mayObey(made, m) {
				continue
			}
			for _, w := range s.methodsThatWrite(made.X.Type(), list.Elem().Underlying().(*types.Interface)) {
				if slices.Contains(methods, name+"."+w.Name) {
					return w.Text
				}
			}
		}
	}
	return ""
}
