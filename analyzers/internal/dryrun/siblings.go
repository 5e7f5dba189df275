package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// besideGuard reports whether a caller passes the struct with the dry run src to fn, and
// also to another function of the package that prevents a write in a dry run. fn then runs
// in a dry run, too: if the callers checked the dry run, the other function would not need
// to. If only is set, the other function must have no other callers in the package, because
// it may check the dry run for them.
func (s *state) besideGuard(src *Source, fn *ssa.Function, only bool) bool {
	return src.Kind == Field && slices.ContainsFunc(s.sites[fn], func(at site) bool {
		return slices.ContainsFunc(s.sources(at.caller), func(of *Source) bool {
			return of.Kind == Field && of.Object == src.Object && s.passesStruct(callee{at, fn}, of) && s.passesToGuard(of, at, only)
		})
	})
}

// passesToGuard reports whether the caller at a site passes src to another function that
// prevents a write in a dry run, although no caller in the package checks the dry run.
func (s *state) passesToGuard(src *Source, at site, only bool) bool {
	if slices.ContainsFunc(s.sites[at.caller], func(above site) bool { return !s.inTest(above.caller) && s.siteReach(above, Client) != Reached }) {
		return false
	}
	return s.siteReach(at, Client) == Reached && slices.ContainsFunc(s.callees[at.caller], func(c callee) bool {
		if only && slices.ContainsFunc(s.sites[c.fn], func(of site) bool { return of.caller != at.caller && !s.inTest(of.caller) }) {
			return false
		}
		return c.instr != at.instr && s.siteReach(c.site, Client) == Reached && s.passesStruct(c, src) && s.checksDirectly(c.fn) && s.guards(c.fn)
	})
}

// passesStruct reports whether a call passes the parameter src.Base of the caller to a
// function that reads the same dry run from it.
func (s *state) passesStruct(c callee, src *Source) bool {
	if c.dynamic || c.call == nil {
		return false
	}
	return slices.ContainsFunc(c.call.Common().Args, func(arg ssa.Value) bool {
		p, ok := arg.(*ssa.Parameter)
		return ok && p.Object() == types.Object(src.Base)
	}) && slices.ContainsFunc(s.sources(c.fn), func(of *Source) bool { return of.Kind == Field && of.Object == src.Object })
}
