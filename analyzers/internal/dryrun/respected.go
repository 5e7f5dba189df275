package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// findRespected finds the sources that the package respects: their value prevents a
// write, or is passed on. Other sources may only be printed. If the package does not
// respect a source, something else may prevent the writes, for example a client that
// writes nothing.
func (s *state) findRespected() {
	s.respected = map[types.Object]bool{}
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		loads, predicates := s.sourcesLoaded(fn), s.predicatesCalled(fn)
		if len(loads) == 0 && len(predicates) == 0 {
			continue
		}
		guards := s.guards(fn)
		for _, predicate := range predicates {
			s.respected[predicate] = s.respected[predicate] || guards
			if f := s.fieldBehind(predicate); f != nil && guards {
				s.respected[f] = true
			}
		}
		for _, l := range loads {
			if guards || isPassedOn(l.value) && !s.onlyOutput(l.value) {
				s.respected[l.v] = true
			}
		}
	}
}

type sourceLoad struct {
	v     *types.Var
	value ssa.Value
}

// sourcesLoaded returns the fields and package variables with a dry run that fn loads.
func (s *state) sourcesLoaded(fn *ssa.Function) []sourceLoad {
	var got []sourceLoad
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			var v *types.Var
			switch instr := instr.(type) {
			case *ssa.UnOp:
				v = loadedVar(instr)
			case *ssa.Field:
				v = fieldOf(instr.X.Type(), instr.Field)
			case *ssa.FieldAddr: // of an atomic.Bool
				if slices.ContainsFunc(*instr.Referrers(), func(r ssa.Instruction) bool {
					call, ok := r.(*ssa.Call)
					return ok && calleeNameOnly(call.Common()) == "Load"
				}) {
					v = fieldOf(instr.X.Type(), instr.Field)
				}
			}
			if v != nil && s.vars.describe(v).ok {
				got = append(got, sourceLoad{v, instr.(ssa.Value)})
			}
		}
	}
	return got
}

// guards reports whether the dry run prevents a write in fn.
func (s *state) guards(fn *ssa.Function) bool {
	f, normal := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || normal == nil {
		return false
	}
	kept := func(b *ssa.BasicBlock) bool { return !f.blocks[b.Index] && normal.blocks[b.Index] }
	for _, c := range s.byCall[fn] {
		if kept(c.Instr.Block()) || !c.Own.DryRun.Empty() || s.clientChosen(c.Instr, Client) {
			return true
		}
	}
	for _, c := range s.callees[fn] {
		if (kept(c.instr.Block()) || c.call != nil && s.clientChosen(c.call, Client)) && s.writesSomehow(c.fn, 0) {
			return true
		}
	}
	if choosesFunction(f, normal) || setsDryRunOption(f, normal) {
		return true
	}
	for _, b := range fn.Blocks {
		if !kept(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				if obj := calleeObject(call.Common()); obj != nil && obj.Pkg() != s.pass.Pkg && s.pass.ImportObjectFact(obj.Origin(), &writer{}) {
					return true
				}
			}
		}
	}
	return false
}

// writesSomehow reports whether fn, or a function of the package that it calls, writes.
func (s *state) writesSomehow(fn *ssa.Function, depth int) bool {
	if got, ok := s.writing[fn]; ok {
		return got
	}
	s.writing[fn] = len(s.byCall[fn]) > 0
	if s.writing[fn] || depth > maxOrigin {
		return s.writing[fn]
	}
	for _, c := range s.callees[fn] {
		if s.writesSomehow(c.fn, depth+1) {
			s.writing[fn] = true
			break
		}
	}
	return s.writing[fn]
}

// isPassedOn reports whether a value is an argument or a result, or is stored in a field.
func isPassedOn(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			return true
		case *ssa.Return:
			return true
		case *ssa.Store:
			if r.Val == v {
				if _, field := r.Addr.(*ssa.FieldAddr); field {
					return true
				}
			}
		}
	}
	return false
}

// setsDryRunOption reports whether fn sets the dry run of options only in a dry run. f
// and normal are the flows of fn with and without a dry run.
func setsDryRunOption(f, normal *flow) bool {
	for _, b := range f.fn.Blocks {
		if !f.blocks[b.Index] || normal.blocks[b.Index] {
			continue
		}
		for _, instr := range b.Instrs {
			if store, ok := instr.(*ssa.Store); ok && isDryRunOption(store) {
				return true
			}
		}
	}
	return false
}

// isDryRunOption reports whether an instruction sets the field DryRun of options, or puts
// client.DryRunAll into a list.
func isDryRunOption(store *ssa.Store) bool {
	if addr, ok := store.Addr.(*ssa.FieldAddr); ok {
		n, field := namedOf(addr.X.Type()), fieldOf(addr.X.Type(), addr.Field)
		return n != nil && isOptions(n) && field != nil && field.Name() == "DryRun"
	}
	load, ok := withoutInterface(store.Val).(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == "DryRunAll"
}

// choosesFunction reports whether the dry run chooses the function or the client in a
// variable. f and normal are the flows of one function with and without a dry run.
func choosesFunction(f, normal *flow) bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if _, function := phi.Type().Underlying().(*types.Signature); !function && !isClient(phi.Type()) {
				continue
			}
			for _, pred := range b.Preds {
				key := [2]int{pred.Index, b.Index}
				if f.edges[key] != normal.edges[key] {
					return true
				}
			}
		}
	}
	return false
}

// actsInDryRun reports whether fn runs some code only in a dry run, for example to
// print its plan. Such a function runs during a dry run.
func (s *state) actsInDryRun(fn *ssa.Function) bool {
	f, normal := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || normal == nil {
		return false
	}
	for i := range f.blocks {
		if f.blocks[i] && !normal.blocks[i] {
			return true
		}
	}
	return false
}
