package dryrun

import (
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"golang.org/x/tools/go/ssa"
)

// clientFromCaller reports whether the client of a write is in a field that an exported
// function sets to its argument. In a dry run, another package may pass a client that
// changes nothing, such as a fake client.
func (s *state) clientFromCaller(w *Write) bool {
	call, ok := w.instr.(ssa.CallInstruction)
	if !ok || w.Call == nil {
		return false
	}
	v := objectflow.Receiver(call)
	for range 8 { // client.CoreV1().Pods("").Delete(…)
		inner, ok := v.(*ssa.Call)
		if !ok {
			break
		}
		v = objectflow.Receiver(inner)
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	return slices.ContainsFunc(s.stores[fieldOf(addr.X.Type(), addr.Field)], func(st *ssa.Store) bool {
		p, ok := st.Val.(*ssa.Parameter)
		return ok && isClient(p.Type()) && exported(p.Parent()) && !s.inTest(st.Parent())
	})
}
