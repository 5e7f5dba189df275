package dryrun

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// noteReads records where the package reads and sets the variables and fields that it
// knows.
func (s *state) noteReads() {
	for _, fn := range s.funcs {
		for _, predicate := range s.predicatesCalled(fn) {
			if f := s.fieldBehind(predicate); f != nil {
				s.noteRead(f, fn)
			}
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.noteSetter(instr)
				switch instr := instr.(type) {
				case *ssa.UnOp:
					if v := loadedVar(instr); v != nil && s.hasUse(instr) && s.vars.describe(v).ok {
						s.noteRead(v, fn)
						s.notePassing(v, instr, fn)
						if addr, ok := instr.X.(*ssa.FieldAddr); ok && s.vars.describe(v).bound {
							if name := fieldPathOf(addr.X); name != "" {
								s.fieldPaths[v] = name // a library may set the variable
							}
						}
					}
				case *ssa.Field:
					if v := fieldOf(instr.X.Type(), instr.Field); v != nil && s.hasUse(instr) && s.vars.describe(v).ok {
						s.noteRead(v, fn)
						s.notePassing(v, instr, fn)
					}
				case *ssa.FieldAddr:
					// a pointer that is passed on
					v := fieldOf(instr.X.Type(), instr.Field)
					if v == nil || !s.vars.describe(v).ok {
						continue
					}
					for _, r := range *instr.Referrers() {
						if call, ok := r.(*ssa.Call); ok && !bindsFlag(call.Common()) {
							s.noteRead(v, fn)
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

// noteRead records that fn reads the source v.
func (s *state) noteRead(v *types.Var, fn *ssa.Function) {
	s.reads[v] = true
	s.readers[v] = append(s.readers[v], fn)
}

// bindsFlag reports whether a call declares a flag for a dry run, or is a method of the
// result of such a call, as in Flag("dry-run", …).BoolVar(&x).
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

// loadedVar returns the field or package variable that an instruction loads; nil for
// other instructions.
func loadedVar(load *ssa.UnOp) *types.Var {
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

// hasUse reports whether code uses a value. Printing a value is not a use. Storing it
// is a use only if the place is an argument, or a field for a library that writes.
func (s *state) hasUse(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == v && (s.isLibraryField(r.Addr) || inArgument(r.Addr)) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// passesToLibrary reports whether fn passes the dry run in a field of its parameter to
// a library, directly or through one other function. Then fn is responsible for the dry
// run of all its callers.
func (s *state) passesToLibrary(src *Source, fn *ssa.Function) bool {
	v, ok := src.Object.(*types.Var)
	if !ok || src.Base == nil {
		return false
	}
	if s.libraryPassers[v][fn] {
		return true
	}
	return slices.ContainsFunc(s.callees[fn], func(c callee) bool {
		if c.call == nil || !s.libraryPassers[v][c.fn] {
			return false
		}
		return slices.ContainsFunc(c.call.Common().Args, func(a ssa.Value) bool {
			p, ok := a.(*ssa.Parameter)
			return ok && p.Object() == src.Base
		})
	})
}

// notePassing records that fn passes the dry run to a library.
func (s *state) notePassing(v *types.Var, load ssa.Value, fn *ssa.Function) {
	for _, r := range *load.Referrers() {
		if store, ok := r.(*ssa.Store); ok && store.Val == load && s.isLibraryField(store.Addr) {
			if s.libraryPassers[v] == nil {
				s.libraryPassers[v] = map[*ssa.Function]bool{}
			}
			s.libraryPassers[v][fn] = true
		}
	}
}

// isLibraryField reports whether an address is the field for the dry run in a library's
// struct, such as one of Helm's actions, and a write uses the struct.
func (s *state) isLibraryField(place ssa.Value) bool {
	addr, ok := place.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	f := fieldOf(addr.X.Type(), addr.Field)
	if f == nil || s.vars.isLocal(f.Pkg()) || !s.vars.describe(f).ok || s.vars.describe(f).kind != 0 {
		return false
	}
	if p, ok := addr.X.(*ssa.Parameter); ok {
		return slices.ContainsFunc(s.argumentsFor(p), s.writesWith)
	}
	return s.writesWith(addr.X)
}

// writesWith reports whether a write uses a value, such as one of Helm's actions.
func (s *state) writesWith(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false // a variable of a package
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(ssa.CallInstruction)
		return ok && s.calls.CallAt(call) != nil
	})
}

// inArgument reports whether an address is a field of a struct literal that is an
// argument of a call.
func inArgument(place ssa.Value) bool {
	addr, ok := place.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	a, ok := addr.X.(*ssa.Alloc)
	return ok && slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		if load, ok := r.(*ssa.UnOp); ok {
			return slices.ContainsFunc(*load.Referrers(), isCall)
		}
		return isCall(r)
	})
}

func isCall(i ssa.Instruction) bool {
	_, ok := i.(ssa.CallInstruction)
	return ok
}
