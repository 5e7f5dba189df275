package dryrun

import "golang.org/x/tools/go/ssa"

// onlyOutput reports whether the only use of a value is output: it is printed, logged
// or sent back in an answer.
func (s *state) onlyOutput(v ssa.Value) bool {
	return s.eachUse(v, func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MakeInterface:
			return s.onlyOutputArgument(r, 0)
		case *ssa.Call: // such as the label of a metric
			name, pkg := calleeName(r.Common())
			return name == "FormatBool" && pkg == "strconv" && s.onlyOutputArgument(r, 0)
		}
		return false
	})
}

// readOnlyForOutput reports whether an instruction reads a value, or takes its address,
// and the only use of the value is output.
func (s *state) readOnlyForOutput(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return s.eachUse(instr, s.readOnlyForOutput)
	case *ssa.UnOp:
		return s.onlyOutput(instr)
	case *ssa.Field:
		return s.onlyOutput(instr)
	}
	return false
}

// onlyOutputArgument reports whether an interface is only used as an argument of output
// functions: alone, in a list of arguments or in a map.
func (s *state) onlyOutputArgument(v ssa.Value, depth int) bool {
	return depth <= maxOrigin && s.eachUse(v, func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			return r.Map == v || s.onlyOutputArgument(r.Map, depth+1)
		case *ssa.MakeInterface:
			return s.onlyOutputArgument(r, depth+1)
		case *ssa.Slice:
			return s.onlyOutputArgument(r, depth+1)
		case *ssa.IndexAddr:
			return true // an element of the list of arguments
		case *ssa.Store:
			element, ok := r.Addr.(*ssa.IndexAddr)
			return ok && r.Val == v && s.onlyOutputArgument(element.X, depth+1)
		case ssa.CallInstruction:
			obj := calleeObject(r.Common())
			return obj != nil && (!s.vars.isLocal(obj.Pkg()) || isOutputFunc(obj.Name()))
		}
		return false
	})
}

// eachUse reports whether a value has uses, and is returns true for all of them.
func (s *state) eachUse(v ssa.Value, is func(ssa.Instruction) bool) bool {
	used := false
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if used = true; !is(r) {
			return false
		}
	}
	return used
}

// isOutputFunc guesses from its name whether a function of the module outputs its
// arguments, in a log or in an answer.
func isOutputFunc(name string) bool {
	return hasPart(name, "json", "respond", "response", "render", "log", "print", "info", "debug", "warn")
}
