package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// untied reports whether no code passes a dry run to fn. All these conditions
// must be true:
//
//   - src is a field, and no flag sets it, as far as the package and its imports
//     show.
//   - fn and the functions that lead to fn do not read the field.
//   - Either the other functions that these functions call do not read the field,
//     or an exported function reads it. In the latter case, the dry run is a
//     feature of that exported function.
func (s *state) untied(src *Source, fn *ssa.Function) bool {
	v, ok := src.Object.(*types.Var)
	if !ok || src.Kind != Field || src.Flag != "" || s.wishes.of(v).bound {
		return false
	}
	chain := map[*ssa.Function]bool{}
	if !s.chain(fn, chain) {
		return false
	}
	readers := map[*ssa.Function]bool{}
	feature := false
	for _, reader := range s.readers[v] {
		for f := reader; f != nil; f = f.Parent() {
			if chain[f] {
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
	for f := range chain {
		if s.looksBelow(f, readers, seen) {
			return false
		}
	}
	return true
}

// chain adds to got fn and all functions of the package that call fn, directly
// or not. It ignores tests. It returns false if one of these functions is used
// as a value, because that function may run in any dry run.
func (s *state) chain(fn *ssa.Function, got map[*ssa.Function]bool) bool {
	if got[fn] || s.inTest(fn) {
		return true
	}
	got[fn] = true
	if s.loose[fn] || s.roots[fn] {
		return false
	}
	if fn.Parent() != nil && !s.chain(fn.Parent(), got) {
		return false
	}
	for _, at := range s.sites[fn] {
		if !s.chain(at.caller, got) {
			return false
		}
	}
	return true
}

// looksBelow reports whether fn, or a function that it calls, is one of the readers.
func (s *state) looksBelow(fn *ssa.Function, readers, seen map[*ssa.Function]bool) bool {
	if readers[fn] {
		return true
	}
	if seen[fn] {
		return false
	}
	seen[fn] = true
	for _, c := range s.callees[fn] {
		if s.looksBelow(c.fn, readers, seen) {
			return true
		}
	}
	return false
}
