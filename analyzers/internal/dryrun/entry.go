package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

type entryKey struct {
	fn      *ssa.Function
	mode    Mode
	outside bool
	// source is the variable, field or function that asks for the dry run. It is nil if
	// any source may ask.
	source types.Object
}

// entered is an answer to an entryKey. open is true while the answer is not known yet.
type entered struct {
	reach Reach
	open  bool
}

// entry returns Reached if a function is called during a dry run, and Guarded if it is
// not. It assumes that other packages may also call the function.
func (s *state) entry(fn *ssa.Function, m Mode) Reach { return s.entryFrom(fn, m, true, nil) }

// entryFrom is like entry, but counts only these functions as starts of a program:
//
//   - main and the functions of commands
//   - if outside is true, also functions that other packages may call
//
// If source is a variable or a field, a start counts only if source can hold a dry run
// there.
func (s *state) entryFrom(fn *ssa.Function, m Mode, outside bool, source types.Object) Reach {
	if s.analyzed == nil {
		return Unclear
	}
	key := entryKey{fn, m, outside, source}
	if got, ok := s.entries[key]; ok {
		return got.reach
	}
	s.entries[key] = entered{open: true}
	got := s.findEntry(key)
	s.entries[key] = entered{reach: got}
	return got
}

func (s *state) findEntry(key entryKey) Reach {
	fn, m, outside := key.fn, key.mode, key.outside
	switch from := s.startsOf(key.source); {
	case from.isStart(fn):
		return Reached
	case s.roots[fn] || s.programStart(fn):
		if from.include(fn) {
			return Reached
		}
		return Guarded
	}
	seen, guarded := 0, 0
	best := Unclear
	for _, at := range s.sites[fn] {
		if s.inTest(at.caller) || runsBeforeMain(at.caller) && at.caller.Synthetic != "" {
			continue
		}
		if at.caller == fn || s.entries[entryKey{at.caller, m, outside, key.source}].open {
			continue // a recursion adds nothing
		}
		seen++
		switch s.siteReach(at, m) {
		case Guarded:
			guarded++
		case Reached:
			if isPackageVar(key.source) && at.call != nil && s.mayRespect(at.call, fn, m) {
				continue // fn gets the dry run in another way
			}
			if at.dynamic && !s.mayRunDynamically(at, fn, m) {
				continue // one of several types may be for dry runs
			}
			switch s.entryFrom(at.caller, m, outside, key.source) {
			case Reached:
				best = Reached
			case Guarded:
				guarded++
			}
		}
	}
	switch {
	case best == Reached:
		return Reached
	case seen > 0 && guarded == seen && !s.escaping[fn]:
		return Guarded
	case seen == 0 && s.escaping[fn]:
		return s.entryFromSlots(fn, key)
	case seen == 0 && !s.escaping[fn] && fn.Parent() == nil && outside && exported(fn):
		return Reached
	}
	return Unclear
}

// exported reports whether other packages can call a function by its name.
func exported(fn *ssa.Function) bool {
	return fn.Object() != nil && fn.Object().Exported()
}

// isPackageVar reports whether an object is a variable of a package.
func isPackageVar(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && (v.Parent() == v.Pkg().Scope() || v.Parent() == nil)
}
