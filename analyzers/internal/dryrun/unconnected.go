package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// unconnected reports whether no code passes the dry run in the field src to fn. All
// these conditions must be true:
//
//   - src is a field, and no flag sets it, as far as the package and its imports show.
//   - Neither fn nor the functions that lead to fn read the field.
//   - No function that these functions call reads the field, or an exported function
//     reads it. In the latter case, the dry run is a feature of that exported function.
//   - No caller of fn also passes the struct to a function that respects the field, and
//     that nothing else calls.
func (s *state) unconnected(src *Source, fn *ssa.Function) bool {
	v, ok := src.Object.(*types.Var)
	if !ok || src.Kind != Field || src.Flag != "" || s.vars.describe(v).bound || s.besideGuard(src, fn, true) {
		return false
	}
	callers := map[*ssa.Function]bool{}
	if !s.addCallers(fn, callers) {
		return false
	}
	readers := map[*ssa.Function]bool{}
	feature := false
	for _, reader := range s.readers[v] {
		for f := reader; f != nil; f = f.Parent() {
			if callers[f] {
				return false
			}
			readers[f] = true
			feature = feature || f.Parent() == nil && exported(f) && !s.inTest(f)
		}
	}
	if feature {
		return true
	}
	seen := map[*ssa.Function]bool{}
	for f := range callers {
		if s.callsAny(f, readers, seen) {
			return false
		}
	}
	return true
}

// addCallers adds to got fn and the functions of the package that call fn, directly or
// indirectly. It ignores tests. It returns false if one of these functions is used as a
// value, because that function may run in any dry run.
func (s *state) addCallers(fn *ssa.Function, got map[*ssa.Function]bool) bool {
	if got[fn] || s.inTest(fn) {
		return true
	}
	got[fn] = true
	if s.escaping[fn] || s.roots[fn] {
		return false
	}
	if fn.Parent() != nil && !s.addCallers(fn.Parent(), got) {
		return false
	}
	for _, at := range s.sites[fn] {
		if !s.addCallers(at.caller, got) {
			return false
		}
	}
	return true
}

// callsAny reports whether fn, or a function that it calls, is one of readers.
func (s *state) callsAny(fn *ssa.Function, readers, seen map[*ssa.Function]bool) bool {
	if readers[fn] {
		return true
	}
	if seen[fn] {
		return false
	}
	seen[fn] = true
	for _, c := range s.callees[fn] {
		if s.callsAny(c.fn, readers, seen) {
			return true
		}
	}
	return false
}
