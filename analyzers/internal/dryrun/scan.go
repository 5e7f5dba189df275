package dryrun

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// scan notes which wishes are looked at, and what fields are given.
func (s *state) scan() {
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.noteSetter(instr)
				switch instr := instr.(type) {
				case *ssa.UnOp:
					if v := variable(instr); v != nil && s.used(instr) && s.wishes.of(v).ok {
						s.read(v, fn)
					}
				case *ssa.Field:
					if v := fieldOf(instr.X.Type(), instr.Field); v != nil && s.used(instr) && s.wishes.of(v).ok {
						s.read(v, fn)
					}
				case *ssa.FieldAddr:
					// A pointer that is handed on.
					v := fieldOf(instr.X.Type(), instr.Field)
					if v == nil || !s.wishes.of(v).ok {
						continue
					}
					for _, r := range *instr.Referrers() {
						if call, ok := r.(*ssa.Call); ok && !bindsFlag(call.Common()) {
							s.read(v, fn)
						}
					}
				case *ssa.Store:
					switch addr := instr.Addr.(type) {
					case *ssa.FieldAddr:
						if v := fieldOf(addr.X.Type(), addr.Field); v != nil {
							s.stores[v] = append(s.stores[v], instr)
						}
					case *ssa.Global:
						s.globalStores[addr] = append(s.globalStores[addr], instr)
					}
				}
			}
		}
	}
}

// read notes that a function looks at a wish.
func (s *state) read(v *types.Var, fn *ssa.Function) {
	s.reads[v] = true
	s.readers[v] = append(s.readers[v], fn)
}

// bindsFlag reports whether a call declares a flag, or is a method of what
// does, as in Flag("dry-run", …).BoolVar(&x).
func bindsFlag(common *ssa.CallCommon) bool {
	for range 6 {
		for _, a := range common.Args {
			if name, ok := stringOf(a); ok && flagName(name) {
				return true
			}
		}
		if common.Signature().Recv() == nil || common.IsInvoke() || len(common.Args) == 0 {
			break
		}
		inner, ok := common.Args[0].(*ssa.Call)
		if !ok {
			break
		}
		common = inner.Common()
	}
	return false
}

// variable is the field or package variable that an instruction loads.
func variable(load *ssa.UnOp) *types.Var {
	if load.Op != token.MUL {
		return nil
	}
	switch x := load.X.(type) {
	case *ssa.FieldAddr:
		return fieldOf(x.X.Type(), x.Field)
	case *ssa.Global:
		v, _ := x.Object().(*types.Var)
		return v
	}
	return nil
}

// used reports whether a value is looked at or handed on, other than to be
// printed or kept. A library that is told of the wish before it writes gets it
// handed on.
func (s *state) used(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v && s.tellsLibrary(r.Addr) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// tellsLibrary reports whether a place is the field for the wish of a struct of
// another module that a write is done with, such as one of Helm's actions.
func (s *state) tellsLibrary(place ssa.Value) bool {
	addr, ok := place.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	f := fieldOf(addr.X.Type(), addr.Field)
	if f == nil || s.wishes.ours(f.Pkg()) || !s.wishes.of(f).ok || s.wishes.of(f).kind != 0 {
		return false
	}
	referrers := addr.X.Referrers()
	if referrers == nil {
		return false // a variable of a package
	}
	for _, r := range *referrers {
		if call, ok := r.(ssa.CallInstruction); ok && s.calls.CallAt(call) != nil {
			return true
		}
	}
	return false
}
