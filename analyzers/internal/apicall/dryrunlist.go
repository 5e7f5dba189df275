package apicall

import "go/constant"

// toDryRunList converts a boolean setting that asks for a dry run to a DryRun list:
// true becomes ["All"], and false becomes Unset.
func toDryRunList(out outcome) outcome {
	if out.noValue || out.State != Set && out.State != Passed {
		return out
	}
	if out.Constant != nil && out.Constant.Kind() == constant.Bool {
		asked := constant.BoolVal(out.Constant)
		out.Constant = nil
		switch {
		case asked:
			out.Elements, out.Complete = []string{"All"}, true
		case !out.Sometimes:
			return unset
		}
		return out
	}
	// The program decides at run time whether to ask for a dry run.
	out.State, out.Sometimes = Set, true
	return out
}
