package apicall

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

func constantString(v constant.Value) string {
	if v == nil || v.Kind() != constant.String {
		return ""
	}
	return constant.StringVal(v)
}

// follow computes the settings of a call whose SSA form is known.
func (p *program) follow(c *Call, sh *shape) {
	common := c.Instr.Common()
	args := common.Args
	receiver := common.Value
	if !common.IsInvoke() {
		receiver = nil
		if closure, ok := common.Value.(*ssa.MakeClosure); ok && len(closure.Bindings) > 0 && closure.Parent() == c.Func && closure.Fn.(*ssa.Function).Parent() == nil {
			receiver = closure.Bindings[0]
		} else if sig, ok := c.Method.Type().(*types.Signature); ok && sig.Recv() != nil && len(args) > 0 {
			receiver, args = args[0], args[1:]
		}
	}
	if sh.client >= 0 && sh.client < len(args) {
		receiver = args[sh.client]
	}
	c.Args = args
	argument := func(i int) ssa.Value {
		if i < 0 || i >= len(args) {
			return nil
		}
		return args[i]
	}
	if v := argument(sh.patchType); v != nil && c.Patch == "" {
		c.Patch = p.constantText(v, c.Instr)
	}
	if v := argument(sh.patch); v != nil {
		c.Patch = p.patchOf(v, c.Instr)
	}
	if v := argument(sh.subresources); v != nil && c.Subresource == "" {
		c.Subresource = p.firstOf(v, c.Instr)
	}
	p.patchVerb(c)
	if c.Family != REST {
		p.ownSettings(c, sh, argument(sh.options))
	}
	if c.Family != REST {
		p.evictionDryRun(c, args)
	}
	if v := argument(sh.manager); v != nil {
		c.Own.FieldManager = p.directValue(managerKind, v, c.Instr).Setting
	}
	p.describeClient(c, receiver)
	p.combine(c)
}

// ownSettings sets c.Own from the options of the call.
func (p *program) ownSettings(c *Call, sh *shape, options ssa.Value) {
	for _, s := range []struct {
		kind kind
		to   *Setting
	}{
		{managerKind, &c.Own.FieldManager}, {forceKind, &c.Own.Force},
		{dryRunKind, &c.Own.DryRun}, {validationKind, &c.Own.FieldValidation},
	} {
		*s.to = Setting{State: Unset}
		if options == nil || s.kind == forceKind && c.Verb != VerbPatch && c.Verb != VerbApply {
			continue
		}
		f := p.flow(s.kind)
		var out outcome
		if sh.option.functional {
			out = f.options(options, unset, c.Instr, nil)
		} else {
			out = f.plainOptions(options, c.Instr)
		}
		if out.noValue {
			out = unknown
		}
		*s.to = p.toSetting(out, c)
		// Releases of controller-runtime before 0.19 take only the field validation from Raw.
		if f.caller != nil && s.kind != validationKind {
			c.CallerOptions = f.caller
		}
	}
}

// evictionDryRun sets the dry run from the DeleteOptions in an Eviction. It also does
// so if the method takes no options.
func (p *program) evictionDryRun(c *Call, args []ssa.Value) {
	for _, arg := range args {
		v := withoutInterfaces(arg)
		i, ok := indexOf(v.Type(), "DeleteOptions")
		if _, name, _ := named(v.Type()); name != "Eviction" || !ok {
			continue
		}
		way := []step{step(i), deref}
		if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
			way = []step{deref, step(i), deref}
		}
		field, ok := dryRunKind.fieldIndex(fieldType(v.Type(), i))
		if !ok {
			continue
		}
		f := p.flow(dryRunKind)
		out := f.value(v, append(way, step(field)), c.Instr, nil)
		if out.noValue {
			out = unknown
		}
		c.Own.DryRun = p.toSetting(override(outcome{Setting: c.Own.DryRun}, out), c)
		if f.caller != nil {
			c.CallerOptions = f.caller
		}
	}
}

// plainOptions returns the followed setting in options of apimachinery: a struct or a
// pointer to a struct.
func (f *flow) plainOptions(v ssa.Value, at ssa.Instruction) outcome {
	i, ok := f.kind.fieldIndex(v.Type())
	if !ok {
		return unset
	}
	path := []step{step(i)}
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		path = []step{deref, step(i)}
	}
	return f.value(v, path, at, nil)
}

// toSetting converts an outcome into a setting of a call. It removes values that belong
// to other functions.
func (p *program) toSetting(out outcome, c *Call) Setting {
	s := out.Setting
	if s.State == Unset || s.State == Unknown {
		return Setting{State: s.State}
	}
	s.By = CallOptions
	if s.SSA != nil && s.SSA.Parent() != nil && s.SSA.Parent() != c.Func {
		s.SSA = nil
	}
	return s
}

// directValue returns the setting of a value that is passed directly, not in options.
func (p *program) directValue(k kind, v ssa.Value, at ssa.Instruction) outcome {
	f := p.flow(k)
	out := f.value(v, nil, at, nil)
	if out.noValue {
		return unknown
	}
	return f.explicit(out, v)
}

// constantText returns the string that a value always has, or "".
func (p *program) constantText(v ssa.Value, at ssa.Instruction) string {
	out := p.flow(managerKind).value(v, nil, at, nil)
	if out.noValue || out.State != Set || out.Sometimes {
		return ""
	}
	return constantString(out.Constant)
}

// firstOf returns the first string of a variadic list, or "".
func (p *program) firstOf(v ssa.Value, at ssa.Instruction) string {
	elements, _, _ := p.flow(dryRunKind).elements(v, at, nil)
	if len(elements) == 0 {
		return ""
	}
	return elements[0]
}

// combine computes the settings of a write from those of the call and those of the
// client.
func (p *program) combine(c *Call) {
	c.FieldManager = withClient(c.Own.FieldManager, c.Client.FieldManager)
	c.FieldValidation = withClient(c.Own.FieldValidation, c.Client.FieldValidation)
	c.Force = c.Own.Force
	// A call cannot undo the dry run of its client, but can add one.
	c.DryRun = withClient(c.Own.DryRun, c.Client.DryRun)
	if client := c.Client.DryRun; client.State == Set && (!client.Sometimes || c.Own.DryRun.State == Passed) {
		c.DryRun = client
	}
	if c.Verb == VerbDelete || c.Verb == VerbDeleteCollection {
		c.FieldManager, c.FieldValidation = c.Own.FieldManager, c.Own.FieldValidation
	}
	if c.Verb == VerbApply && c.Family != Helper {
		// client.WithFieldValidation does not change applies. Servers always validate them
		// strictly.
		c.FieldValidation = c.Own.FieldValidation
	}
}

// withClient returns the setting of a write: own is the setting of the call, and client
// is the default that the client has.
func withClient(own, client Setting) Setting {
	switch own.State {
	case Unset:
		return client
	case Set:
		if !own.Sometimes {
			return own
		}
	case Unknown:
		if client.State == Set && !client.Sometimes {
			// The client sets a value, even if the call does not.
			return Setting{State: Set, By: ClientOptions, Value: client.Value, Param: client.Param, Field: client.Field}
		}
		return own
	}
	if client.State == Set && !client.Sometimes {
		own.State, own.Sometimes = Set, false
		own.Constant, own.Elements, own.Complete = nil, nil, false
	}
	return own
}
