package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// untied reports whether no code passes a dry run to fn. The source is then a field that no
// flag sets, as far as the package and its imports show. The functions that call fn,
// directly or not, do not read the field. The other functions that they call do not read it
// either, unless an exported function reads the field. The dry run is then a feature of
// that exported function.
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

// chain adds fn and all functions of the package that call it, directly or not. It ignores
// tests. It returns false if one of them is used as a value, because it may then run in any
// dry run.
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
