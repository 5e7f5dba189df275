package apicall

import (
	"go/ast"

	"golang.org/x/tools/go/ssa"
)

// options returns the setting after a list of controller-runtime's functional options
// is applied. before is the setting before.
func (f *flow) options(list ssa.Value, before outcome, at ssa.Instruction, fr *frame) outcome {
	f.steps++
	if f.steps > maxSteps {
		return unknown
	}
	switch v := list.(type) {
	case *ssa.Const:
		return before
	case *ssa.Slice:
		array, ok := v.X.(*ssa.Alloc)
		if !ok || v.Low != nil || v.High != nil && !isZero(v.High) {
			break
		}
		if v.High != nil {
			return before
		}
		slots, known := slotsOf(array)
		if !known {
			break
		}
		written := f.program.variadic(v, len(slots))
		for i, s := range slots {
			if s == nil {
				continue
			}
			out := f.option(s.Val, before, s, fr)
			if out.State == Set && out.Value == nil {
				out.Value = f.program.expression(s)
				if written != nil {
					out.Value = written[i]
				}
			}
			before = out
		}
		return before
	case *ssa.MakeSlice:
		if isZero(v.Len) {
			return before
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) == 2 {
			return f.options(v.Call.Args[1], f.options(v.Call.Args[0], before, at, fr), at, fr)
		}
		return f.optionsFrom(v, 0, true, before, fr)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return f.optionsFrom(c, v.Index, true, before, fr)
		}
	case *ssa.ChangeType:
		return f.options(v.X, before, at, fr)
	case *ssa.Parameter, *ssa.FreeVar, *ssa.UnOp, *ssa.Phi, *ssa.Field:
		return f.each(list, before, at, fr, f.options)
	}
	return override(before, unknown)
}

// variadic returns the expressions of the last n arguments in the call to which a
// variadic list is passed. It returns nil if the list is not made of variadic
// arguments.
func (p *program) variadic(list *ssa.Slice, n int) []ast.Expr {
	for _, r := range *list.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if args := call.Common().Args; len(args) == 0 || args[len(args)-1] != list {
			continue
		}
		if e := p.calls[call.Common().Pos()]; e != nil && !e.Ellipsis.IsValid() && len(e.Args) >= n {
			return e.Args[len(e.Args)-n:]
		}
	}
	return nil
}

// fold is the type of the methods options and option: each returns the setting after
// the options in v.
type fold func(v ssa.Value, before outcome, at ssa.Instruction, fr *frame) outcome

// each applies fold to every value that v may have, and joins the outcomes.
func (f *flow) each(v ssa.Value, before outcome, at ssa.Instruction, fr *frame, fold fold) outcome {
	leave, ok := f.enter(v, nil, at, fr)
	if !ok {
		return none
	}
	defer leave()
	switch v := v.(type) {
	case *ssa.Phi:
		out := none
		for i, e := range v.Edges {
			pred := v.Block().Preds[i]
			out = join(out, fold(e, before, pred.Instrs[len(pred.Instrs)-1], fr))
		}
		return out
	case *ssa.Parameter:
		if arg, in, ok := argument(v, fr); ok {
			return fold(arg, before, fr.call, in)
		}
		return override(before, f.passed(v, nil))
	case *ssa.FreeVar:
		if binding, made := f.program.bound(v); binding != nil {
			return fold(binding, before, made, outerOf(fr))
		}
	case *ssa.UnOp:
		l := locate(v.X)
		if _, element := v.X.(*ssa.IndexAddr); element {
			return override(before, f.elementOf(v.X.(*ssa.IndexAddr), at, fr))
		}
		return f.eachDefinition(l, before, v, fr, fold)
	case *ssa.Field:
		out := f.value(v, nil, at, fr)
		if out.State == Passed {
			return override(before, out)
		}
	}
	return override(before, unknown)
}

// argument returns the value that the caller passes for a parameter of the entered
// function, and the frame of the caller. It returns false if the caller is not known.
func argument(v *ssa.Parameter, fr *frame) (ssa.Value, *frame, bool) {
	if fr == nil || fr.call == nil || fr.fn != v.Parent() || fr.call.Common().IsInvoke() {
		return nil, nil, false
	}
	for i, p := range fr.fn.Params {
		if p == v && i < len(fr.call.Common().Args) {
			return fr.call.Common().Args[i], fr.up, true
		}
	}
	return nil, nil, false
}

// eachDefinition applies fold to the possible values of a variable, and joins the
// outcomes.
func (f *flow) eachDefinition(l location, before outcome, at ssa.Instruction, fr *frame, fold fold) outcome {
	if g, ok := l.root.(*ssa.Global); ok {
		return f.globalOption(g, l, before, fold)
	}
	out := none
	for _, d := range f.definitions(l, at) {
		switch {
		case d.origin == zeroMemory:
			out = join(out, before)
		case d.origin == stored && len(d.rest) == 0:
			out = join(out, fold(d.value, before, d.at, f.frameOf(d, fr)))
		case d.origin == entered:
			out = join(out, override(before, f.enteredOption(d, before, fr, fold)))
		default:
			out = join(out, override(before, unknown))
		}
	}
	return out
}

// enteredOption returns the effect of options that come from outside the function.
func (f *flow) enteredOption(d definition, before outcome, fr *frame, fold fold) outcome {
	switch root := d.location.root.(type) {
	case *ssa.Parameter:
		if arg, in, ok := argument(root, fr); ok && len(d.location.path) == 0 {
			return f.eachDefinition(locate(arg), before, fr.call, in, fold)
		}
		return f.passed(root, append([]step{deref}, d.location.path...))
	case *ssa.FreeVar:
		if binding, made := f.program.bound(root); binding != nil {
			return f.eachDefinition(locate(binding).to(d.location.path), before, made, outerOf(fr), fold)
		}
	}
	return unknown
}

// globalOption applies fold to the values that the package stores in a package
// variable.
func (f *flow) globalOption(g *ssa.Global, l location, before outcome, fold fold) outcome {
	if len(l.path) > 0 || g.Pkg != f.program.pkg {
		return override(before, unknown)
	}
	f.program.collect()
	if f.program.escapes(g) {
		return override(before, unknown)
	}
	out := none
	for _, s := range f.program.globals[g] {
		out = join(out, fold(s.Val, before, s, nil))
	}
	if out.noValue {
		return before
	}
	return out
}

// elementOf returns the effect of one element of a list of options, as in a loop over
// opts.
func (f *flow) elementOf(addr *ssa.IndexAddr, at ssa.Instruction, fr *frame) outcome {
	out := f.options(addr.X, unset, at, fr)
	if out.State == Set {
		out.Sometimes = true
	}
	return out
}

// optionsFrom applies the options that a function returns: a list if list is true, and
// otherwise one option.
func (f *flow) optionsFrom(c *ssa.Call, index int, list bool, before outcome, fr *frame) outcome {
	callee, inside := f.callee(c, fr)
	if callee == nil {
		if fn := c.Call.StaticCallee(); fn != nil && fn.Pkg != nil && ImportPath(fn.Pkg.Pkg) == clientPath && fn.Signature.Recv() == nil {
			// Functions of controller-runtime such as WithSubResourceBody do not change the
			// settings.
			return before
		}
		return override(before, f.program.factResult(f, c, index, nil, true, fr))
	}
	if tooDeep(fr) {
		return override(before, unknown)
	}
	leave, ok := f.enter(c, nil, nil, fr)
	if !ok {
		return none
	}
	defer leave()
	out := none
	for _, ret := range returnsOf(callee) {
		if index >= len(ret.Results) {
			return override(before, unknown)
		}
		if list {
			out = join(out, f.options(ret.Results[index], before, ret, inside))
		} else {
			out = join(out, f.option(ret.Results[index], before, ret, inside))
		}
	}
	return out
}
