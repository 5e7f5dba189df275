package dryrun

import "golang.org/x/tools/go/ssa"

type entryKey struct {
	fn      *ssa.Function
	mode    Mode
	outside bool
}

// entered is an answer to an entryKey; open while it is being found.
type entered struct {
	reach Reach
	open  bool
}

// entry says whether a function is entered while the wish holds, where others
// may call it too.
func (s *state) entry(fn *ssa.Function, m Mode) Reach { return s.entryFrom(fn, m, true) }

// entryFrom does the same; with outside unset only main, init and what a
// command runs count as places where a program starts, and functions that
// other packages may call do not.
func (s *state) entryFrom(fn *ssa.Function, m Mode, outside bool) Reach {
	if s.own == nil {
		return Unclear
	}
	key := entryKey{fn, m, outside}
	if got, ok := s.entries[key]; ok {
		return got.reach
	}
	s.entries[key] = entered{open: true}
	got := s.findEntry(fn, m, outside)
	s.entries[key] = entered{reach: got}
	return got
}

func (s *state) findEntry(fn *ssa.Function, m Mode, outside bool) Reach {
	if s.roots[fn] {
		return Reached
	}
	if fn.Parent() == nil && fn.Signature.Recv() == nil {
		if name := fn.Name(); name == "main" && s.pass.Pkg.Name() == "main" || name == "init" {
			return Reached
		}
	}
	seen, guarded := 0, 0
	best := Unclear
	for _, at := range s.sites[fn] {
		if s.inTest(at.caller) {
			continue
		}
		if at.caller == fn || s.entries[entryKey{at.caller, m, outside}].open {
			continue // a recursion tells nothing
		}
		seen++
		switch s.siteReach(at, m) {
		case Guarded:
			guarded++
		case Reached:
			switch s.entryFrom(at.caller, m, outside) {
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
