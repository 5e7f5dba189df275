package apicall

import "go/constant"

// wish turns a boolean that asks for a dry run into the list that says so.
func wish(out outcome) outcome {
	if out.nothing || out.State != Set && out.State != Passed {
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
	// Whether it is asked for is decided at run time.
	out.State, out.Sometimes = Set, true
	return out
}
