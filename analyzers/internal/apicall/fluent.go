package apicall

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// requestStep is the step from a *rest.Request to its content, which only methods of the
// request change.
const requestStep step = -2

// fluent recognizes a call that returns its receiver or argument: of a method of
// resource.Helper or rest.Request, or of rest.AddUserAgent. same is that receiver or
// argument. ok is false for other values.
func fluent(v ssa.Value) (same ssa.Value, ok bool) {
	c, isCall := v.(*ssa.Call)
	if !isCall {
		return nil, false
	}
	fn := c.Call.StaticCallee()
	if fn == nil || len(c.Call.Args) == 0 {
		return nil, false
	}
	if recv := fn.Signature.Recv(); recv != nil {
		if isNamed(recv.Type(), restPath, "Request") || isNamed(recv.Type(), resourcePath, "Helper") {
			return c.Call.Args[0], types.Identical(c.Type(), recv.Type())
		}
		return nil, false
	}
	return c.Call.Args[0], isAddUserAgent(fn)
}

func isAddUserAgent(fn *ssa.Function) bool {
	return fn.Name() == "AddUserAgent" && fn.Pkg != nil && ImportPath(fn.Pkg.Pkg) == restPath
}

// stateful reports whether a call may change the setting of a request, a Helper or a
// configuration at a location.
func (f *flow) stateful(i ssa.CallInstruction, l location) bool {
	common := i.Common()
	fn := common.StaticCallee()
	if fn == nil || len(common.Args) < 2 || len(l.path) == 0 {
		return false
	}
	on := locate(common.Args[0])
	if on.root != l.root || len(on.path) != len(l.path)-1 {
		return false
	}
	if !location.within(l, common.Args[0]) {
		return false
	}
	if isAddUserAgent(fn) {
		return f.kind == agentKind
	}
	recv := fn.Signature.Recv()
	switch {
	case recv == nil:
		return false
	case isNamed(recv.Type(), restPath, "Request"):
		switch fn.Name() {
		case "VersionedParams", "SpecificallyVersionedParams", "Param", "Body":
			return true
		}
	case isNamed(recv.Type(), resourcePath, "Helper"):
		return helperMethods[fn.Name()] == f.kind && f.kind != ""
	}
	return false
}

// helperMethods maps the methods of a Helper that change a setting of its writes to the
// setting.
var helperMethods = map[string]kind{
	"DryRun": dryRunKind, "WithFieldManager": managerKind, "WithFieldValidation": validationKind,
}

// settingAfterStateful returns the setting after a call for which stateful returns
// true.
func (f *flow) settingAfterStateful(i ssa.CallInstruction, before outcome, fr *frame) outcome {
	common := i.Common()
	fn := common.StaticCallee()
	arg := common.Args[1]
	if isAddUserAgent(fn) {
		return f.explicit(f.value(arg, nil, i, fr), arg)
	}
	if isNamed(fn.Signature.Recv().Type(), resourcePath, "Helper") {
		if f.kind == dryRunKind {
			return f.dryRunFromBool(arg, i, fr)
		}
		return f.explicit(f.value(arg, nil, i, fr), arg)
	}
	switch fn.Name() {
	case "VersionedParams", "SpecificallyVersionedParams":
		return override(before, f.objectOptions(arg, i, fr))
	case "Body":
		// For a delete, the body contains the options.
		if o, ok := optionOf(withoutInterfaces(arg).Type()); ok && o.vocabulary == metaOptions {
			return override(before, f.objectOptions(arg, i, fr))
		}
	case "Param":
		return f.param(common, before, i, fr)
	}
	return before
}

// dryRunFromBool returns the dry-run setting for a boolean that asks for a dry run.
func (f *flow) dryRunFromBool(v ssa.Value, at ssa.Instruction, fr *frame) outcome {
	inner := f.program.flow(forceKind)
	inner.steps, inner.seen = f.steps, f.seen
	out := inner.value(v, nil, at, fr)
	f.steps = inner.steps
	if out.State == Unknown && !out.noValue {
		out.State = Set
	}
	if out.SSA == nil {
		out.SSA = v
	}
	return toDryRunList(out)
}

// objectOptions returns the setting in options that are passed as a runtime.Object.
func (f *flow) objectOptions(v ssa.Value, at ssa.Instruction, fr *frame) outcome {
	v = withoutInterfaces(v)
	o, ok := optionOf(v.Type())
	if !ok {
		return unknown
	}
	if o.vocabulary == runtimeOptions {
		return f.structOptions(v, unset, at, fr)
	}
	i, ok := f.kind.fieldIndex(v.Type())
	if !ok {
		return unset
	}
	if !o.pointer {
		return f.value(v, []step{step(i)}, at, fr)
	}
	return f.value(v, []step{deref, step(i)}, at, fr)
}

// withoutInterfaces returns a value without its conversions to interfaces.
func withoutInterfaces(v ssa.Value) ssa.Value {
	for {
		switch i := v.(type) {
		case *ssa.MakeInterface:
			v = i.X
		case *ssa.ChangeInterface:
			v = i.X
		default:
			return v
		}
	}
}

// parameterNames maps the four settings to their query parameters.
var parameterNames = map[kind]string{
	managerKind: "fieldManager", forceKind: "force", dryRunKind: "dryRun", validationKind: "fieldValidation",
}

// param returns the setting after a call of request.Param(name, value).
func (f *flow) param(common *ssa.CallCommon, before outcome, at ssa.Instruction, fr *frame) outcome {
	if len(common.Args) != 3 {
		return before
	}
	text := f.program.flow(managerKind)
	name := text.value(common.Args[1], nil, at, fr)
	if constantString(name.Constant) == "" {
		return override(before, unknown)
	}
	if constantString(name.Constant) != parameterNames[f.kind] {
		return before
	}
	out := f.explicit(text.value(common.Args[2], nil, at, fr), common.Args[2])
	s := constantString(out.Constant)
	switch {
	case out.Constant == nil:
	case f.kind == dryRunKind:
		out.Constant, out.Elements, out.Complete = nil, []string{s}, true
	case f.kind == forceKind:
		out.Constant = constant.MakeBool(s == "true")
	}
	return override(before, out)
}

// throughPointer returns the address that a load reads. It returns false for values
// that are not loads.
func throughPointer(v ssa.Value) (ssa.Value, bool) {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return nil, false
	}
	return u.X, true
}
