package dryrun

import "golang.org/x/tools/go/ssa"

// runsInDryRun reports whether a call of an interface method certainly may run a method of
// the package in a dry run, although several types implement the interface. Either the types
// that the interface can have are known, or the methods of all types write.
func (s *state) runsInDryRun(at site, method *ssa.Function, m Mode) bool {
	if at.call == nil || s.clientChosen(at.call, m) {
		return false
	}
	common := at.call.Common()
	if values, known := s.valuesInDryRun(common.Value, m, 0); known && len(values) > 0 {
		for _, v := range values {
			if made, ok := v.(*ssa.MakeInterface); ok && s.methodOf(made.X.Type(), common.Method.Name()) == method {
				return true
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
