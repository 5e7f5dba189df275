package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// clientChosen reports whether the dry run decides which client a call uses. The client
// is the receiver or an argument of the call. It is chosen in one of these ways:
//
//   - A condition on the dry run selects the client.
//   - A function that checks the dry run returns the client.
//   - The client is in a field that holds a dry-run client in some cases.
func (s *state) clientChosen(call ssa.CallInstruction, m Mode) bool {
	if call == nil {
		return true
	}
	if !s.hasSources {
		return false
	}
	common := call.Common()
	seen := map[ssa.Value]bool{}
	if common.IsInvoke() {
		return s.chosen(common.Value, m, seen, 0) && !s.usesRealClient(call, m)
	}
	// The client is the receiver, or is in an argument.
	for i, a := range common.Args {
		receiver := i == 0 && common.Signature().Recv() != nil
		if body := s.body(common); receiver && body != nil && s.usesOtherFields(body.Params[0], m, 0) {
			continue
		}
		if receiver || holdsClients(a.Type()) {
			if s.chosen(a, m, seen, 0) {
				return true
			}
		}
	}
	return false
}

// isClient guesses whether a type is a client: an interface that is neither an API
// object nor a context.
func isClient(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetResourceVersion")
	ctx, _, _ := types.LookupFieldOrMethod(t, true, nil, "Deadline")
	return obj == nil && ctx == nil
}

// ValueChosen reports whether the dry run decides which value v is.
func (r *Result) ValueChosen(v ssa.Value, m Mode) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.analyzed != nil && r.state.chosen(v, m, map[ssa.Value]bool{}, 0)
}

func (s *state) chosen(v ssa.Value, m Mode, seen map[ssa.Value]bool, depth int) bool {
	if v == nil || seen[v] || depth > 12 {
		return false
	}
	seen[v] = true
	next := func(w ssa.Value) bool { return s.chosen(w, m, seen, depth+1) }
	switch v := v.(type) {
	case *ssa.Phi:
		f, normal := s.flow(v.Parent(), m), s.flow(v.Parent(), off)
		if f == nil || normal == nil {
			return true
		}
		for i, pred := range v.Block().Preds {
			key := [2]int{pred.Index, v.Block().Index}
			if f.edges[key] != normal.edges[key] {
				return true
			}
			if next(v.Edges[i]) {
				return true
			}
		}
	case *ssa.Call:
		return s.resultChosen(v, m, next)
	case *ssa.Extract:
		return next(v.Tuple)
	case *ssa.UnOp:
		return s.storedChosen(v.X, m, next)
	case *ssa.FieldAddr:
		return s.storedChosen(v, m, next)
	case *ssa.Field:
		if s.fieldChosen(fieldOf(v.X.Type(), v.Field), m) {
			return true
		}
		return next(v.X)
	case *ssa.MakeInterface:
		return next(v.X)
	case *ssa.ChangeInterface:
		return next(v.X)
	case *ssa.TypeAssert:
		return next(v.X)
	case *ssa.ChangeType:
		return next(v.X)
	case *ssa.Alloc:
		return s.storedChosen(v, m, next)
	case *ssa.Lookup:
		return next(v.X) // one of several elements
	case *ssa.IndexAddr:
		return next(v.X)
	case *ssa.Next:
		return next(v.Iter)
	case *ssa.Range:
		return next(v.X)
	case *ssa.MakeMap:
		return elementsChosen(v, next)
	case *ssa.MakeSlice:
		return elementsChosen(v, next)
	case *ssa.Slice:
		return next(v.X)
	case *ssa.Parameter:
		return s.argumentChosen(v, m, next)
	}
	return false
}

// resultChosen reports whether the dry run decides which value a call returns. The
// result is a new client, or a client that another client returns.
func (s *state) resultChosen(call *ssa.Call, m Mode, next func(ssa.Value) bool) bool {
	common := call.Common()
	name, _ := calleeName(common)
	if strings.Contains(squeeze(name), "dryrun") {
		return true
	}
	f := s.flow(call.Parent(), m)
	if f == nil {
		return true
	}
	for _, a := range common.Args {
		if f.value(a).depends() {
			return true
		}
	}
	if common.IsInvoke() {
		return next(common.Value)
	}
	if isClient(call.Type()) && s.isChecker(common) || s.isBuiltByDryRun(common) {
		return true
	}
	if body := s.body(common); body != nil && isClient(call.Type()) && s.branches(body) {
		return true
	}
	for i, a := range common.Args {
		if i == 0 && common.Signature().Recv() != nil || isClient(a.Type()) {
			if next(a) {
				return true
			}
		}
	}
	return false
}

// isBuiltByDryRun reports whether a call runs a function of another package that builds its
// result differently in a dry run.
func (s *state) isBuiltByDryRun(common *ssa.CallCommon) bool {
	obj := calleeObject(common)
	var fact checksDryRun
	return obj != nil && obj.Pkg() != s.pass.Pkg && s.vars.isLocal(obj.Pkg()) && s.pass.ImportObjectFact(obj.Origin(), &fact) && fact.Branches
}

// buildsByDryRun reports whether the result of fn may be another one in a dry run, because
// fn or a function that it calls branches on the dry run. Functions without results, and
// those that write, do not count.
func (s *state) buildsByDryRun(fn *ssa.Function, depth int) bool {
	results := fn.Signature.Results()
	if results.Len() == 0 || depth > 2 || s.writesSomehow(fn, 0) {
		return false
	}
	switch results.At(0).Type().Underlying().(type) {
	case *types.Pointer, *types.Struct, *types.Interface, *types.Signature:
	default:
		return false
	}
	return !isError(results.At(0).Type()) && s.branches(fn) || slices.ContainsFunc(s.callees[fn], func(c callee) bool { return s.buildsByDryRun(c.fn, depth+1) })
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// branches reports whether a function branches on the dry run itself. Called functions
// do not count.
func (s *state) branches(fn *ssa.Function) bool {
	f, normal := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || normal == nil {
		return true
	}
	for i := range f.blocks {
		if f.blocks[i] != normal.blocks[i] {
			return true
		}
	}
	return len(f.unclear) > 0
}

// storedChosen reports whether the dry run decides which value is stored at an address.
func (s *state) storedChosen(addr ssa.Value, m Mode, next func(ssa.Value) bool) bool {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		v := fieldOf(addr.X.Type(), addr.Field)
		if call, ok := addr.X.(*ssa.Call); ok && s.body(call.Common()) != nil && len(s.stores[v]) > 0 {
			return s.fieldChosen(v, m) // other arguments of the constructor do not matter
		}
		return s.fieldChosen(v, m) || next(addr.X)
	case *ssa.Alloc:
		return s.storesChosen(addr, m, next)
	case *ssa.FreeVar:
		if a := s.captured(addr); a != nil {
			return s.storesChosen(a, m, next)
		}
	case *ssa.Global:
		return slices.ContainsFunc(s.globalStores[addr], func(st *ssa.Store) bool {
			return !s.inTest(st.Parent()) && (s.dependsOnDryRun(st, m) || next(st.Val))
		})
	default:
		return next(addr)
	}
	return false
}

func (s *state) storesChosen(a *ssa.Alloc, m Mode, next func(ssa.Value) bool) bool {
	addrs := []ssa.Value{a}
	for _, fv := range s.captures[a] {
		addrs = append(addrs, fv)
	}
	for _, addr := range addrs {
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == addr && (s.dependsOnDryRun(r, m) || next(r.Val)) {
					return true
				}
			case *ssa.UnOp:
				if elementsChosen(r, next) {
					return true
				}
			}
		}
	}
	return false
}

// elementsChosen reports whether the dry run decides one of the values that are put
// into a map or a slice.
func elementsChosen(v ssa.Value, next func(ssa.Value) bool) bool {
	switch v.Type().Underlying().(type) {
	case *types.Map, *types.Slice:
	default:
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Map == v && next(r.Value) {
				return true
			}
		case *ssa.IndexAddr:
			for _, rr := range *r.Referrers() {
				if st, ok := rr.(*ssa.Store); ok && st.Addr == r && next(st.Val) {
					return true
				}
			}
		}
	}
	return false
}

// holdsClients reports whether a type is a client, or a map or a slice of clients.
func holdsClients(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Map:
		return isClient(t.Elem())
	case *types.Slice:
		return isClient(t.Elem())
	}
	return isClient(t)
}

// fieldChosen reports whether some assignment of the package to a field depends on the
// dry run.
func (s *state) fieldChosen(v *types.Var, m Mode) bool {
	if v == nil {
		return false
	}
	key := fieldKey{v, m}
	if got, ok := s.chosenFields[key]; ok {
		return got // false during the search, for a field that is assigned to itself
	}
	s.chosenFields[key] = false
	s.chosenFields[key] = s.findChosen(v, m)
	return s.chosenFields[key]
}

func (s *state) findChosen(v *types.Var, m Mode) bool {
	for _, st := range s.stores[v] {
		if s.inTest(st.Parent()) {
			continue
		}
		if s.dependsOnDryRun(st, m) {
			return true
		}
		// Of calls, only the call whose result is stored is examined.
		if call, ok := st.Val.(*ssa.Call); ok {
			if name, _ := calleeName(call.Common()); strings.Contains(squeeze(name), "dryrun") {
				return true
			}
		}
		if s.chosen(st.Val, m, map[ssa.Value]bool{}, 6) {
			return true
		}
	}
	return false
}

// dependsOnDryRun reports whether an instruction runs only in a dry run, or only
// outside one.
func (s *state) dependsOnDryRun(i ssa.Instruction, m Mode) bool {
	f, normal := s.flow(i.Parent(), m), s.flow(i.Parent(), off)
	if f == nil || normal == nil {
		return true
	}
	n := i.Block().Index
	return f.blocks[n] != normal.blocks[n]
}

// argumentChosen reports whether the dry run decides the value of a parameter, as far
// as the callers in the package show.
func (s *state) argumentChosen(p *ssa.Parameter, m Mode, next func(ssa.Value) bool) bool {
	if !holdsClients(p.Type()) {
		return false
	}
	for _, at := range s.sites[p.Parent()] {
		call := at.call
		if inner, ok := at.inner.(ssa.CallInstruction); ok {
			call = inner // the call that runs the function literal
		}
		if call == nil || call.Common().IsInvoke() {
			continue
		}
		args := call.Common().Args
		for i, q := range p.Parent().Params {
			if q == p && i < len(args) && next(args[i]) {
				return true
			}
		}
	}
	return s.passedWithDryRun(p.Parent(), m)
}

// calledInside reports whether a call passes the literal fn to a function of the package
// that calls fn. Then the arguments of fn are known.
func (s *state) calledInside(fn *ssa.Function, call ssa.CallInstruction) bool {
	return !s.escaping[fn] && slices.ContainsFunc(s.sites[fn], func(at site) bool { return at.instr == ssa.Instruction(call) && at.inner != nil })
}

// passedWithDryRun reports whether fn is a function literal that is an argument of a
// call which also passes the dry run. Clients that the literal gets as arguments may
// then depend on the dry run.
func (s *state) passedWithDryRun(fn *ssa.Function, m Mode) bool {
	if fn.Parent() == nil {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, a := range call.Common().Args {
				mc, closure := a.(*ssa.MakeClosure)
				if s.calledInside(fn, call) {
					continue // the arguments are known
				}
				if (closure && mc.Fn == fn || a == fn) && s.passesInAnyForm(call, m) {
					return true
				}
			}
		}
	}
	return false
}
