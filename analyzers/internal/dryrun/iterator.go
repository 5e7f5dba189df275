package dryrun

import "golang.org/x/tools/go/ssa"

// yield describes a function that go/ssa makes of the body of a loop over an iterator.
const yield = "range-over-func yield"

// iteration returns the call that runs a loop over an iterator. fn is the function that
// go/ssa makes of the body of the loop. iteration returns nil for other functions.
func iteration(fn *ssa.Function) ssa.CallInstruction {
	if fn.Synthetic != yield || fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok || len(call.Common().Args) != 1 {
				continue
			}
			arg := call.Common().Args[0]
			if closure, ok := arg.(*ssa.MakeClosure); ok {
				arg = closure.Fn
			}
			if arg == fn {
				return call
			}
		}
	}
	return nil
}

// iteratesIndependently reports whether a loop over an iterator has the same rounds with
// and without a dry run. For example, a list may have elements only without a dry run.
func (s *state) iteratesIndependently(empty *ssa.MakeMap, loop ssa.CallInstruction) bool {
	return !s.checks(loop.Parent()) || s.independent(loop.Common().Value, 0) && s.independentIfEmpty(empty, loop)
}

// loopOnlyReads reports whether a closure is the body of a loop over an iterator that only
// reads a variable.
func loopOnlyReads(closure *ssa.MakeClosure, v *ssa.Alloc) bool {
	fn, ok := closure.Fn.(*ssa.Function)
	if !ok || fn.Synthetic != yield {
		return false
	}
	for i, b := range closure.Bindings {
		if b != ssa.Value(v) {
			continue
		}
		for _, r := range *fn.FreeVars[i].Referrers() {
			switch r.(type) {
			case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef:
			default:
				return false
			}
		}
	}
	return true
}
