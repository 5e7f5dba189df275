package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// heed finds the fields and variables whose dry run the package respects: their
// value prevents a write, or is passed on. The other fields and variables may
// only be printed, and something else may prevent the writes, for example a
// client that writes nothing.
func (s *state) heed() {
	s.heeded = map[types.Object]bool{}
	s.busy = map[*ssa.Function]bool{}
	for _, fn := range s.funcs {
		if s.inTest(fn) {
			continue
		}
		loads, asked := s.wishesRead(fn), s.predicatesAsked(fn)
		if len(loads) == 0 && len(asked) == 0 {
			continue
		}
		guards := s.guards(fn)
		for _, predicate := range asked {
			s.heeded[predicate] = s.heeded[predicate] || guards
		}
		for _, l := range loads {
			if guards || handed(l.value) {
				s.heeded[l.v] = true
			}
		}
	}
}

type wishLoad struct {
	v     *types.Var
	value ssa.Value
}

// wishesRead returns the fields and package variables with a dry run that fn loads.
func (s *state) wishesRead(fn *ssa.Function) []wishLoad {
	var got []wishLoad
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			var v *types.Var
			switch instr := instr.(type) {
			case *ssa.UnOp:
				v = variable(instr)
			case *ssa.Field:
				v = fieldOf(instr.X.Type(), instr.Field)
			}
			if v != nil && s.wishes.of(v).ok {
				got = append(got, wishLoad{v, instr.(ssa.Value)})
			}
		}
	}
	return got
}

// guards reports whether the dry run prevents a write in fn.
func (s *state) guards(fn *ssa.Function) bool {
	f, idle := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || idle == nil {
		return false
	}
	kept := func(b *ssa.BasicBlock) bool { return !f.blocks[b.Index] && idle.blocks[b.Index] }
	for _, c := range s.byCall[fn] {
		if kept(c.Instr.Block()) || !c.Own.DryRun.Empty() || s.conditional(c.Instr, Client) {
			return true
		}
	}
	for _, c := range s.callees[fn] {
		if (kept(c.instr.Block()) || c.call != nil && s.conditional(c.call, Client)) && s.writesSomehow(c.fn, 0) {
			return true
		}
	}
	if choosesFunction(f, idle) || asksInOptions(f, idle) {
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
	if got, ok := s.busy[fn]; ok {
		return got
	}
	s.busy[fn] = len(s.byCall[fn]) > 0
	if s.busy[fn] || depth > maxOrigin {
		return s.busy[fn]
	}
	for _, c := range s.callees[fn] {
		if s.writesSomehow(c.fn, depth+1) {
			s.busy[fn] = true
			break
		}
	}
	return s.busy[fn]
}

// handed reports whether a value is an argument or a result, or is stored in a field.
func handed(v ssa.Value) bool {
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

// asksInOptions reports whether fn sets the dry run of options only in a dry run. f and idle
// are flows of the same function, with and without a dry run.
func asksInOptions(f, idle *flow) bool {
	for _, b := range f.fn.Blocks {
		if !f.blocks[b.Index] || idle.blocks[b.Index] {
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

// choosesFunction reports whether the dry run decides which function or client a variable
// holds. f and idle are flows of the same function, with and without a dry run.
func choosesFunction(f, idle *flow) bool {
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
				if f.edges[key] != idle.edges[key] {
					return true
				}
			}
		}
	}
	return false
}

// acts reports whether fn does something only in a dry run, for example prints its plan.
// Then fn runs during a dry run.
func (s *state) acts(fn *ssa.Function) bool {
	f, idle := s.flow(fn, Client), s.flow(fn, off)
	if f == nil || idle == nil {
		return false
	}
	for i := range f.blocks {
		if f.blocks[i] && !idle.blocks[i] {
			return true
		}
	}
	return false
}
