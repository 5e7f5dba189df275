package dryrun

import "golang.org/x/tools/go/ssa"

// passesInAnyForm reports whether a call passes the dry run, or a struct with a field
// for it. The receiver counts too. The field need not be set.
func (s *state) passesInAnyForm(call ssa.CallInstruction, m Mode) bool {
	if s.passesDryRun(call, m) {
		return true
	}
	common := call.Common()
	for _, a := range common.Args {
		if s.vars.fieldOf(a.Type()) != nil {
			return true
		}
	}
	return common.IsInvoke() && s.vars.fieldOf(common.Value.Type()) != nil
}

// passesDryRun reports whether an argument of a call is the dry run, or contains it. A
// struct counts only if its field for the dry run is set.
func (s *state) passesDryRun(call ssa.CallInstruction, m Mode) bool {
	if !s.hasSources {
		return false
	}
	f := s.flow(call.Parent(), m)
	if f == nil {
		return true
	}
	for _, a := range call.Common().Args {
		if f.derived(a, 0) {
			return true
		}
	}
	return false
}

// derived reports whether a value is the dry run, contains it or was computed from it.
func (f *flow) derived(v ssa.Value, depth int) bool {
	if v == nil || depth > 6 {
		return false
	}
	if f.value(v).depends() {
		return true
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		return f.hasDerivedPart(v, depth)
	case *ssa.UnOp:
		return f.derived(v.X, depth+1)
	case *ssa.MakeInterface:
		return f.derived(v.X, depth+1)
	case *ssa.ChangeInterface:
		return f.derived(v.X, depth+1)
	case *ssa.ChangeType:
		return f.derived(v.X, depth+1)
	case *ssa.Slice:
		return f.derived(v.X, depth+1)
	case *ssa.Extract:
		return f.derived(v.Tuple, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if f.derived(e, depth+2) {
				return true
			}
		}
	case *ssa.Call:
		if f.st.loadedBy(v) != nil {
			return true
		}
		for _, a := range v.Call.Args {
			if f.derived(a, depth+2) {
				return true
			}
		}
		// If a function that checks the dry run returns an object, the object may ask for a
		// dry run.
		if body := f.st.body(v.Common()); body != nil && !isClient(v.Type()) && nillable(v.Type()) && f.st.checks(body) {
			return true
		}
		return passesConstant(v.Common())
	}
	return false
}

// passesConstant reports whether a call passes a constant to a parameter for the dry
// run. The author of such a call has decided about the dry run.
func passesConstant(common *ssa.CallCommon) bool {
	obj := calleeObject(common)
	if obj == nil {
		return false
	}
	args := common.Args
	if !common.IsInvoke() && obj.Signature().Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	params := obj.Signature().Params()
	for i := range min(params.Len(), len(args)) {
		if _, constant := args[i].(*ssa.Const); constant && shapeOf(params.At(i).Type()) != 0 {
			if ok, _ := dryRunName(params.At(i).Name()); ok {
				return true
			}
		}
	}
	return false
}

// hasDerivedPart reports whether code stores the dry run in a part of the struct or
// array at an address.
func (f *flow) hasDerivedPart(addr ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == addr && f.derived(r.Val, depth+1) {
				return true
			}
		case *ssa.FieldAddr:
			if r.X == addr && f.hasDerivedPart(r, depth+1) {
				return true
			}
		case *ssa.IndexAddr:
			if r.X == addr && f.hasDerivedPart(r, depth+1) {
				return true
			}
		}
	}
	return false
}
