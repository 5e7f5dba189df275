package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// findOverridden finds the fields that code sets to a constant because of a dry run, as
// in "if o.dryRun { o.install = false }". A condition on such a field depends on the
// dry run. Its result is unknown, because other code may set the field again.
func (s *state) findOverridden() {
	found := map[*types.Var]bool{}
	for v, stores := range s.stores {
		if s.vars.describe(v).ok {
			continue
		}
		for _, st := range stores {
			if c, ok := st.Val.(*ssa.Const); !ok || c.Value == nil || s.inTest(st.Parent()) {
				continue
			}
			if s.checksAround(st.Parent()) && s.dependsOnDryRun(st, Client) {
				found[v] = true
				break
			}
		}
	}
	if len(found) == 0 {
		return
	}
	// The results so far ignored these fields.
	s.overridden = found
	s.resetFlows()
}

// checksAround reports whether fn, or a function that contains fn as a literal, reads a
// source or calls a function such as IsDryRun. It does not follow other calls.
func (s *state) checksAround(fn *ssa.Function) bool {
	for f := fn; f != nil; f = f.Parent() {
		if s.checksDirectly(f) {
			return true
		}
	}
	return false
}

// resetFlows discards the cached results about the flow of functions.
func (s *state) resetFlows() {
	s.flows = map[flowKey]*flow{}
	s.reaches = map[flowKey][]Reach{}
	s.results = map[resultKey]value{}
	s.params = map[paramKey]value{}
}
