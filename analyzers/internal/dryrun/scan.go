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
				switch instr := instr.(type) {
				case *ssa.UnOp:
					if v := variable(instr); v != nil && used(instr) && s.wishes.of(v).ok {
						s.reads[v] = true
					}
				case *ssa.Field:
					if v := fieldOf(instr.X.Type(), instr.Field); v != nil && used(instr) && s.wishes.of(v).ok {
						s.reads[v] = true
					}
				case *ssa.FieldAddr:
					// A pointer that is handed on.
					v := fieldOf(instr.X.Type(), instr.Field)
					if v == nil || !s.wishes.of(v).ok {
						continue
					}
					for _, r := range *instr.Referrers() {
						if call, ok := r.(*ssa.Call); ok && !bindsFlag(call) {
							s.reads[v] = true
						}
					}
				case *ssa.Store:
					if fa, ok := instr.Addr.(*ssa.FieldAddr); ok {
						if v := fieldOf(fa.X.Type(), fa.Field); v != nil {
							s.stores[v] = append(s.stores[v], instr)
						}
					}
				}
			}
		}
	}
}

// bindsFlag reports whether a call declares a flag.
func bindsFlag(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if name, ok := stringOf(a); ok && flagName(name) {
			return true
		}
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
// printed or kept.
func used(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.Store, *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}
