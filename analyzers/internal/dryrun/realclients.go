package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// RealClients returns the reconcilers that get the real client, although the function that
// creates them chooses the client of another reconciler by the dry run. The author may have
// meant the dry run only for that other reconciler. Field is the field for the client.
func (r *Result) RealClients() []*UnconfiguredReconciler {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.state
	if s.analyzed == nil || !s.hasSources {
		return nil
	}
	var got []*UnconfiguredReconciler
	for _, fn := range s.funcs {
		if !s.inTest(fn) {
			got = append(got, s.realClients(fn)...)
		}
	}
	slices.SortFunc(got, func(a, b *UnconfiguredReconciler) int { return int(a.Pos) - int(b.Pos) })
	return got
}

func (s *state) realClients(fn *ssa.Function) (got []*UnconfiguredReconciler) {
	var quiet *ssa.Store
	var others []*ssa.Store
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok || !s.setsClient(store) {
				continue
			}
			switch {
			case !s.chosen(store.Val, Client, map[ssa.Value]bool{}, 0):
				others = append(others, store)
			case quiet == nil:
				quiet = store
			}
		}
	}
	if quiet == nil {
		return nil
	}
	with := quiet.Addr.(*ssa.FieldAddr)
	for _, store := range others {
		addr := store.Addr.(*ssa.FieldAddr)
		n := namedOf(addr.X.Type())
		var fact reconcileWrites
		if s.vars.fieldOf(n) != nil || s.reach(store, Client) != Reached || !s.pass.ImportObjectFact(reconcileMethod(n), &fact) {
			continue
		}
		got = append(got, &UnconfiguredReconciler{
			Pos: addr.X.Pos(), Name: n.Obj().Name(), Other: namedOf(with.X.Type()).Obj().Name(),
			Field: fieldOf(addr.X.Type(), addr.Field).Name(), At: quiet.Pos(), Text: fact.Text,
		})
	}
	return got
}

// setsClient reports whether a store sets the client of a new reconciler of the module.
func (s *state) setsClient(store *ssa.Store) bool {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	made, ok := addr.X.(*ssa.Alloc)
	if !ok || !made.Pos().IsValid() {
		return false
	}
	n, f := namedOf(made.Type()), fieldOf(addr.X.Type(), addr.Field)
	return n != nil && f != nil && s.vars.isLocal(n.Obj().Pkg()) && reconcileMethod(n) != nil && canWrite(f.Type())
}

// canWrite reports whether a type is an interface for clients that write: one with the
// methods of controller-runtime's client, or with groups of APIs.
func canWrite(t types.Type) bool {
	if !isClient(t) {
		return false
	}
	for _, name := range []string{"DeleteAllOf", "CoreV1", "Resource"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name); obj != nil {
			return true
		}
	}
	return false
}
