package dryrun

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// runsInDryRun reports whether a call of an interface method certainly may run a method of
// the package in a dry run, although several types implement the interface. Either the types
// that the interface can have are known, or the methods of all types write.
func (s *state) runsInDryRun(at site, method *ssa.Function, m Mode) bool {
	if at.call == nil || s.clientChosen(at.call, m) {
		return false
	}
	common := at.call.Common()
	if values, known := s.receivers(common, m); known && len(values) > 0 {
		for _, v := range values {
			if made, ok := v.(*ssa.MakeInterface); ok && s.methodOf(made.X.Type(), common.Method.Name()) == method {
				return !s.asksFirst(common.Value, made.X.Type())
			}
		}
		return false
	}
	if n := namedOf(common.Value.Type()); n == nil || n.Obj().Exported() && s.pass.Pkg.Name() != "main" {
		return false // other packages may implement it for dry runs
	}
	all := s.implementations(common)
	for _, other := range all {
		if other != method && !s.inTest(other) && len(s.writes(other, m)) == 0 {
			return false
		}
	}
	return len(all) > 0
}

// mayRunDynamically reports whether a call of an interface method runs a method of the package
// in a dry run, or passes the dry run to it.
func (s *state) mayRunDynamically(at site, method *ssa.Function, m Mode) bool {
	return at.call != nil && (s.passesDryRun(at.call, m) || s.runsInDryRun(at, method, m))
}

// asksFirst reports whether code also calls a method of v that returns only a boolean, and
// that reads the dry run if v has a type, as in "if b.enabled() { b.save() }".
func (s *state) asksFirst(v ssa.Value, t types.Type) bool {
	for _, r := range *v.Referrers() {
		call, ok := r.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() || call.Call.Value != v || !isBool(call.Type()) {
			continue
		}
		if body := s.methodOf(t, call.Call.Method.Name()); body != nil && s.checksDirectly(body) {
			return true
		}
	}
	return false
}
