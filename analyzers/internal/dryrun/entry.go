package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

type entryKey struct {
	fn      *ssa.Function
	mode    Mode
	outside bool
	// wish is where the wish is kept; nil if that does not matter.
	wish types.Object
}

// entered is an answer to an entryKey; open while it is being found.
type entered struct {
	reach Reach
	open  bool
}

// entry says whether a function is entered while the wish holds, where others
// may call it too.
func (s *state) entry(fn *ssa.Function, m Mode) Reach { return s.entryFrom(fn, m, true, nil) }

// entryFrom does the same; with outside unset only main and what a
// command runs count as places where a program starts, and functions that
// other packages may call do not. With a wish that is kept in a variable or a
// field only those starts count in which it can hold it.
func (s *state) entryFrom(fn *ssa.Function, m Mode, outside bool, wish types.Object) Reach {
	if s.own == nil {
		return Unclear
	}
	key := entryKey{fn, m, outside, wish}
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
	switch from := s.startsOf(key.wish); {
	case from.only(fn):
		return Reached
	case s.roots[fn] || s.programStart(fn):
		if from.holds(fn) {
			return Reached
		}
		return Guarded
	}
	seen, guarded := 0, 0
	best := Unclear
	for _, at := range s.sites[fn] {
		if s.inTest(at.caller) || initial(at.caller) && at.caller.Synthetic != "" {
			continue
		}
		if at.caller == fn || s.entries[entryKey{at.caller, m, outside, key.wish}].open {
			continue // a recursion tells nothing
		}
		seen++
		switch s.siteReach(at, m) {
		case Guarded:
			guarded++
		case Reached:
			if shared(key.wish) && at.call != nil && s.heard(at.call, fn, m) {
				continue // it gets the wish in another way
			}
			switch s.entryFrom(at.caller, m, outside, key.wish) {
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
	case seen > 0 && guarded == seen && !s.loose[fn]:
		return Guarded
	case seen == 0 && s.loose[fn]:
		return s.fromSlots(fn, key)
	case seen == 0 && !s.loose[fn] && fn.Parent() == nil && outside && exported(fn):
		return Reached
	}
	return Unclear
}

// exported reports whether other packages can call a function: by its name,
// or through an interface.
func exported(fn *ssa.Function) bool {
	return fn.Object() != nil && fn.Object().Exported()
}

// shared reports whether a wish is kept in a variable of a package.
func shared(wish types.Object) bool {
	v, ok := wish.(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && (v.Parent() == v.Pkg().Scope() || v.Parent() == nil)
}
