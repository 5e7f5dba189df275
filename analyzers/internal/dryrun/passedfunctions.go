package dryrun

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// maxPassed limits the functions and variables through which a function value is passed.
const maxPassed = 8

// passedFunctions returns the functions of the package that a function value can be, if
// callers pass it as an argument, directly or in the variables of a literal. It ignores
// tests.
func (s *state) passedFunctions(v ssa.Value) []*ssa.Function {
	var found []*ssa.Function
	seen := map[ssa.Value]bool{}
	var follow func(v ssa.Value, depth int)
	follow = func(v ssa.Value, depth int) {
		if depth > maxPassed || seen[v] {
			return
		}
		seen[v] = true
		var sources []ssa.Value
		switch v := v.(type) {
		case *ssa.Function:
			if fn := s.declared(v); fn != nil && !s.inTest(fn) && !slices.Contains(found, fn) {
				found = append(found, fn)
			}
		case *ssa.MakeClosure:
			sources = []ssa.Value{v.Fn}
		case *ssa.ChangeType:
			sources = []ssa.Value{v.X}
		case *ssa.Phi:
			sources = v.Edges
		case *ssa.Parameter:
			sources = s.argumentsFor(v)
		case *ssa.UnOp:
			switch addr := v.X.(type) {
			case *ssa.Alloc, *ssa.FreeVar:
				if v.Op == token.MUL {
					sources = s.storedAt(addr)
				}
			}
		}
		for _, from := range sources {
			follow(from, depth+1)
		}
	}
	follow(v, 0)
	return found
}
