package apicall

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// option returns the setting after a functional option is applied. before is the
// setting before.
func (f *flow) option(v ssa.Value, before outcome, at ssa.Instruction, fr *frame) outcome {
	path, name, declared := named(v.Type())
	if declared && path == clientPath && !types.IsInterface(v.Type()) {
		return f.knownOption(v, name, before, at, fr)
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if out, ok := f.ownOption(v, before, fr); ok {
			return out
		}
		return f.option(v.X, before, at, fr)
	case *ssa.ChangeInterface:
		return f.option(v.X, before, at, fr)
	case *ssa.Const:
		return before
	case *ssa.Call:
		if out, ok := f.helm2Option(v, before, fr); ok {
			return out
		}
		return f.optionsFrom(v, 0, false, before, fr)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return f.optionsFrom(c, v.Index, false, before, fr)
		}
	case *ssa.Parameter, *ssa.FreeVar, *ssa.UnOp, *ssa.Phi, *ssa.Field:
		return f.each(v, before, at, fr, f.option)
	}
	return override(before, unknown)
}

// ownOption applies an option whose type this package declares, by following the
// option's method. It returns false for other options.
func (f *flow) ownOption(v *ssa.MakeInterface, before outcome, fr *frame) (outcome, bool) {
	o, ok := optionOf(v.Type())
	if !ok || !o.functional || types.IsInterface(v.X.Type()) || tooDeep(fr) {
		return outcome{}, false
	}
	object, _, _ := types.LookupFieldOrMethod(v.X.Type(), true, f.program.pass.Pkg, "ApplyTo"+o.kind)
	method, ok := object.(*types.Func)
	if !ok || method.Pkg() != f.program.pass.Pkg {
		return outcome{}, false
	}
	fn := f.program.pkg.Prog.FuncValue(method.Origin())
	if fn == nil || len(fn.Blocks) == 0 || len(fn.Params) != 2 {
		return outcome{}, false
	}
	target := fn.Params[1]
	i, ok := f.kind.fieldIndex(target.Type())
	if !ok {
		return before, true
	}
	inside := &frame{fn: fn, depth: depthOf(fr) + 1}
	out := none
	for _, ret := range returnsOf(fn) {
		for _, d := range f.definitions(location{target, []step{step(i)}}, ret) {
			if d.origin == entered {
				out = join(out, before)
			} else {
				out = join(out, f.definition(d, inside))
			}
		}
	}
	return out, true
}

// knownOption applies an option whose type controller-runtime declares.
func (f *flow) knownOption(v ssa.Value, name string, before outcome, at ssa.Instruction, fr *frame) outcome {
	switch {
	case strings.HasSuffix(name, "Options"):
		return f.structOptions(v, before, at, fr)
	case name == "FieldOwner" && f.kind == managerKind,
		name == "FieldValidation" && f.kind == validationKind:
		out := f.value(v, nil, at, fr)
		return override(before, f.explicit(out, v))
	case name == "dryRunAll" && f.kind == dryRunKind:
		return outcome{Setting: Setting{State: Set, Elements: []string{"All"}, Complete: true, SSA: v}}
	case name == "forceOwnership" && f.kind == forceKind:
		return outcome{Setting: Setting{State: Set, Constant: constant.MakeBool(true), SSA: v}}
	}
	// Other options, such as PropagationPolicy and InNamespace, do not change the four
	// settings.
	return before
}

// explicit returns the setting that an option for only one setting makes, such as
// client.FieldOwner(value). out is the outcome of the value. The setting is always Set,
// unless the value comes from a caller's options.
func (f *flow) explicit(out outcome, v ssa.Value) outcome {
	switch {
	case out.noValue:
		return out
	case out.State == Unknown, out.State == Passed && !f.forwards(out):
		out.State = Set
	case out.State == Unset:
		out.State, out.Constant = Set, constant.MakeString("")
	}
	if out.SSA == nil {
		out.SSA = v
	}
	return out
}

// inRaw reports whether an option struct of controller-runtime can make the setting in its
// field Raw. Before a write, the client copies the struct's own field into Raw, even if it
// is zero. Only PatchOptions keeps what Raw says then, in 0.22 and later. Source:
// AsCreateOptions and its siblings in controller-runtime's pkg/client/options.go.
func (k kind) inRaw(t types.Type) bool {
	_, own := k.fieldIndex(t)
	_, name, _ := named(t)
	return !own || name == "PatchOptions"
}

// structOptions applies an option struct of controller-runtime, such as
// &client.PatchOptions{…} or &client.SubResourcePatchOptions{PatchOptions: …}. If both
// the field Raw and the struct can make the setting, the struct wins.
func (f *flow) structOptions(v ssa.Value, before outcome, at ssa.Instruction, fr *frame) outcome {
	var path []step
	if _, ok := v.Type().Underlying().(*types.Pointer); ok {
		if c, ok := v.(*ssa.Const); ok && c.Value == nil {
			return before
		}
		path = append(path, deref)
	}
	t := v.Type()
	if _, name, _ := named(t); strings.HasPrefix(name, "SubResource") {
		i, ok := indexOf(t, strings.TrimPrefix(name, "SubResource"))
		if !ok {
			return override(before, unknown)
		}
		path, t = append(path, step(i)), fieldType(t, i)
	} else if i, ok := indexOf(t, strings.Replace(name, "DeleteAllOfOptions", "DeleteOptions", 1)); ok {
		path, t = append(path, step(i)), fieldType(t, i)
	}
	if i, ok := indexOf(t, "Raw"); ok && f.kind.inRaw(t) {
		rawType := fieldType(t, i)
		if field, ok := f.kind.fieldIndex(rawType); ok {
			raw := f.value(v, append(append([]step{}, path...), step(i), deref, step(field)), at, fr)
			before = override(before, raw)
		}
	}
	if i, ok := f.kind.fieldIndex(t); ok {
		before = override(before, f.value(v, append(path, step(i)), at, fr))
	}
	return before
}
