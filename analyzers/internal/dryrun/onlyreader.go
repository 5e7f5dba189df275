package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// onlyReader reports whether only fn, and the functions that it calls, can respect a
// flag. All these conditions must be true:
//
//   - fn reads the variable to which the flag is bound.
//   - The flag belongs to all programs that import the package, and the package is not
//     a program.
//   - The variable prevents a write of the package, and other packages cannot read it.
func (s *state) onlyReader(obj types.Object, fn *ssa.Function) bool {
	v, ok := obj.(*types.Var)
	if !ok || v.Exported() || v.IsField() || v.Pkg() != s.pass.Pkg || v.Pkg().Name() == "main" || !slices.Contains(s.readers[v], fn) {
		return false
	}
	if got, ok := s.onlyReaders[v]; ok {
		return got
	}
	from := s.startsOf(v)
	got := from != nil && from.all && s.vars.describe(v).bound
	guards := false
	for _, fn := range s.funcs {
		if !got {
			break
		}
		read := false
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				load, ok := instr.(*ssa.UnOp)
				if !ok || loadedVar(load) != v {
					continue
				}
				read = true
				got = got && s.staysInPackage(load, 0)
			}
		}
		guards = guards || read && !s.inTest(fn) && s.guards(fn)
	}
	got = got && guards
	s.onlyReaders[v] = got
	return got
}

// staysInPackage reports whether a value is only used by conditions, by functions of
// the package and by functions that print.
func (s *state) staysInPackage(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > maxDepth {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.If, *ssa.DebugRef, *ssa.MakeInterface:
		case *ssa.UnOp, *ssa.BinOp, *ssa.Phi:
			if !s.staysInPackage(r.(ssa.Value), depth+1) {
				return false
			}
		case ssa.CallInstruction:
			if callee := r.Common().StaticCallee(); callee == nil || !s.analyzed[callee] || exported(callee) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
