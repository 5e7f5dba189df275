package dryrun

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// testsFilled reports whether a condition compares the length of a map or slice with 0,
// and the map or slice is filled with or without a dry run.
func (s *state) testsFilled(cmp *ssa.BinOp) bool {
	length, ok := cmp.X.(*ssa.Call)
	if !ok {
		return false
	}
	if b, ok := length.Call.Value.(*ssa.Builtin); !ok || b.Name() != "len" {
		return false
	}
	zero, ok := cmp.Y.(*ssa.Const)
	if !ok || zero.Value == nil || constant.Sign(zero.Value) != 0 {
		return false
	}
	of := length.Call.Args[0]
	if made, ok := of.(*ssa.MakeMap); ok {
		return s.mapFilled(made, length)
	}
	return s.sliceFilled(of, map[ssa.Value]bool{})
}

// mapFilled reports whether code that does not depend on the dry run puts an element
// into a map before an instruction.
func (s *state) mapFilled(made *ssa.MakeMap, at ssa.Instruction) bool {
	return slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		update, ok := r.(*ssa.MapUpdate)
		return ok && update.Map == ssa.Value(made) && runsBefore(update, at) && s.independentIfEmpty(made, update)
	})
}

// sliceFilled reports whether code that does not depend on the dry run appends elements to a
// slice.
func (s *state) sliceFilled(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return s.sliceFilled(e, seen) })
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "append" || len(v.Call.Args) != 2 {
			return false
		}
		return listsElements(v.Call.Args[1]) && s.independentOfDryRun(v) || s.sliceFilled(v.Call.Args[0], seen)
	}
	return false
}

// listsElements reports whether a slice has the elements that a call lists, as in append(s, a, b).
func listsElements(v ssa.Value) bool {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	array, ok := slice.X.(*ssa.Alloc)
	return ok && array.Comment == "varargs"
}

// runsBefore reports whether an instruction may run before another one runs for the first
// time.
func runsBefore(first, second ssa.Instruction) bool {
	from, to := first.Block(), second.Block()
	if from == to {
		return slices.Index(from.Instrs, first) < slices.Index(from.Instrs, second)
	}
	if to.Dominates(from) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return b == to
		}
		seen[b] = true
		return b == to || slices.ContainsFunc(b.Succs, visit)
	}
	return visit(from)
}

// findsElement reports whether a value is the condition of a loop over a map, and the
// map is filled with or without a dry run.
func (s *state) findsElement(v *ssa.Extract) bool {
	next, ok := v.Tuple.(*ssa.Next)
	if !ok || v.Index != 0 {
		return false
	}
	loop, ok := next.Iter.(*ssa.Range)
	if !ok {
		return false
	}
	made, ok := loop.X.(*ssa.MakeMap)
	return ok && s.mapFilled(made, loop)
}

// findsNothing reports whether a block only runs if a lookup in the map empty finds no
// element.
func findsNothing(cond *ssa.If, empty *ssa.MakeMap, b *ssa.BasicBlock) bool {
	v := cond.Cond
	if e, ok := v.(*ssa.Extract); ok {
		next, loops := e.Tuple.(*ssa.Next)
		switch {
		case e.Index == 1:
			v = e.Tuple
		case loops:
			loop, ok := next.Iter.(*ssa.Range)
			return ok && loop.X == ssa.Value(empty) && cond.Block().Succs[1].Dominates(b)
		}
	}
	lookup, ok := v.(*ssa.Lookup)
	return ok && lookup.X == ssa.Value(empty) && cond.Block().Succs[1].Dominates(b)
}
