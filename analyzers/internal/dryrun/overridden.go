package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// findOverridden finds the fields and package variables that code sets to a constant because
// of a dry run, as in "if o.dryRun { o.install = false }", or to a value that the dry run
// decides. A condition on such a variable depends on the dry run. Its result is unknown,
// because other code may set the variable again.
func (s *state) findOverridden() {
	found := map[*types.Var]bool{}
	for v, stores := range s.stores {
		if !s.vars.describe(v).ok && slices.ContainsFunc(stores, s.overrides) {
			found[v] = true
		}
	}
	for g, stores := range s.globalStores {
		if v, ok := g.Object().(*types.Var); ok && !s.vars.describe(v).ok && slices.ContainsFunc(stores, s.overrides) {
			found[v] = true
		}
	}
	if len(found) == 0 {
		return
	}
	// The results so far ignored these fields.
	s.overridden = found
	s.resetFlows()
}

// overrides reports whether the dry run decides which basic value a store sets.
func (s *state) overrides(st *ssa.Store) bool {
	if s.inTest(st.Parent()) {
		return false
	}
	if c, ok := st.Val.(*ssa.Const); ok {
		return c.Value != nil && s.checksAround(st.Parent()) && s.dependsOnDryRun(st, Client)
	}
	if _, basic := st.Val.Type().Underlying().(*types.Basic); !basic {
		return false
	}
	f, normal := s.flow(st.Parent(), Client), s.flow(st.Parent(), off)
	if f == nil || normal == nil {
		return false
	}
	on, without := f.value(st.Val), normal.value(st.Val)
	return on.depends() || on.kind == constKind && without.kind == constKind && on.c.ExactString() != without.c.ExactString()
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
