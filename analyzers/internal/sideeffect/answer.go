package sideeffect

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// answerUsed reports whether the code may read the body of the response to a request. A
// POST whose response is read may be a question, for example to a policy engine, and not a
// change. Closing the body does not count as reading.
func answerUsed(i ssa.CallInstruction) bool {
	call, ok := i.(*ssa.Call)
	if !ok || call.Referrers() == nil {
		return false // go and defer statements drop the response
	}
	seen := map[ssa.Value]bool{}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == 0 && responseUsed(e, seen) {
			return true
		}
	}
	return false
}

func responseUsed(response ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[response] || response.Referrers() == nil {
		return false
	}
	seen[response] = true
	for _, r := range *response.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.FieldAddr:
			if fieldName(r.X.Type(), r.Field) == "Body" && bodyUsed(r) {
				return true
			}
		case *ssa.Phi:
			if responseUsed(r, seen) {
				return true
			}
		case *ssa.Store:
			cell, ok := r.Addr.(*ssa.Alloc)
			if !ok || cellUsed(cell, seen) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// cellUsed reports whether the code may read the body of a response in a variable. The
// response is in a variable if a literal captures it, for example to close the body.
func cellUsed(cell ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[cell] || cell.Referrers() == nil {
		return false
	}
	seen[cell] = true
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.UnOp:
			if responseUsed(r, seen) {
				return true
			}
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			for n, bound := range r.Bindings {
				if bound == cell && (!ok || n >= len(fn.FreeVars) || cellUsed(fn.FreeVars[n], seen)) {
					return true
				}
			}
		default:
			return true
		}
	}
	return false
}

// bodyUsed reports whether code uses the body, except to close it.
func bodyUsed(field *ssa.FieldAddr) bool {
	for _, r := range *field.Referrers() {
		load, ok := r.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return true
		}
		for _, use := range *load.Referrers() {
			switch use := use.(type) {
			case *ssa.DebugRef:
			case ssa.CallInstruction:
				if common := use.Common(); !common.IsInvoke() || common.Method.Name() != "Close" {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}
