package apicall

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// directWrite returns the fact about a write in the body of the function top.
func (w *writers) directWrite(top *ssa.Function, c *Call) *writerFact {
	params := parametersOf(top)
	// The settings of the client apply too, if they are known here.
	known := func(all, own Setting) valueFact {
		out := outcome{Setting: own}
		if all.State != Unknown {
			out = outcome{Setting: all}
		}
		return w.dependOnOptions(encode(out, params), top)
	}
	fact := &writerFact{
		Verb: c.Verb, Patch: c.Patch, Subresource: c.Subresource, Verbs: setOf(c.Verb),
		Manager:    known(c.FieldManager, c.Own.FieldManager),
		Force:      known(c.Force, c.Own.Force),
		DryRun:     known(c.DryRun, c.Own.DryRun),
		Validation: known(c.FieldValidation, c.Own.FieldValidation),
	}
	for _, s := range []Setting{c.Client.FieldManager, c.Client.DryRun, c.Client.FieldValidation} {
		fact.Settable = fact.Settable || s.State == Unknown
	}
	if c.client != nil {
		if path, ok := stepsTo(c.client.Type(), c.clientFields); ok {
			fact.Client = w.placeOfValue(top, c.client, path, c.Instr, 0)
		}
	}
	if v := w.objectValue(c); v != nil {
		fact.Object = w.placeOfValue(top, v, nil, c.Instr, 0)
	}
	if inner := w.writerOf(c.Method); inner != nil && c.Family == Wrapper {
		fact.Depth, fact.Verbs = inner.Depth+1, inner.Verbs
		_, args := calleeOf(c.Instr.Common())
		for _, a := range inner.DryRunPlaces {
			w.addDryRunPlace(fact, a, args, c.Instr, top)
		}
	}
	return fact
}

// inCaller converts a fact about a called function into a fact about its caller, top.
// Places in the new fact are parameters of top.
func (w *writers) inCaller(fact *writerFact, args []ssa.Value, call ssa.CallInstruction, top *ssa.Function) *writerFact {
	out := *fact
	out.Depth++
	out.DryRunPlaces = nil
	at := func(p place) place {
		i := p.Param - 1
		if i < 0 || i >= len(args) {
			return place{}
		}
		path, ok := stepsTo(args[i].Type(), p.Fields)
		if !ok {
			return place{}
		}
		return w.placeOfValue(top, args[i], path, call, 0)
	}
	out.Client, out.Object = at(fact.Client), at(fact.Object)
	for _, s := range []struct {
		kind kind
		v    *valueFact
	}{{managerKind, &out.Manager}, {forceKind, &out.Force}, {dryRunKind, &out.DryRun}, {validationKind, &out.Validation}} {
		*s.v = w.valueInCaller(s.kind, *s.v, args, call, top)
	}
	asked := len(fact.DryRunPlaces) == 0
	for _, a := range fact.DryRunPlaces {
		if !w.addDryRunPlace(&out, a, args, call, top) {
			asked = true
		}
	}
	if !asked && out.DryRun.Sometimes {
		out.DryRun = encode(unset, nil) // the call passes false
	}
	return &out
}

// valueInCaller converts a setting in a fact about a called function into a setting in
// a fact about its caller, top.
func (w *writers) valueInCaller(k kind, v valueFact, args []ssa.Value, call ssa.CallInstruction, top *ssa.Function) valueFact {
	switch {
	case v.OptionsParam > 0:
		if v.OptionsParam > len(args) {
			v.OptionsParam = 0
			return v
		}
		options := args[v.OptionsParam-1]
		from := w.placeOfValue(top, options, nil, call, 0)
		v.OptionsParam = 0
		if from.Param > 0 && len(from.Fields) == 0 {
			v.OptionsParam = from.Param
			return v
		}
		return encode(w.withPassedOptions(k, v.decode(), options, call), nil)
	case v.Param == 0:
		return v
	case v.Param > len(args):
		return valueFact{}
	}
	return w.dependOnOptions(encode(w.flow(k).applied(v, call, args, false, nil), parametersOf(top)), top)
}

// addDryRunPlace handles the place a, from which a called function reads whether to
// make a dry run. If the caller top gets the value from its own parameter, that place
// is added to the fact. Otherwise the value determines the dry run in the fact. The result
// is true if the value certainly asks for no dry run.
func (w *writers) addDryRunPlace(fact *writerFact, a place, args []ssa.Value, at ssa.CallInstruction, top *ssa.Function) (none bool) {
	i := a.Param - 1
	if i < 0 || i >= len(args) {
		fact.DryRun = valueFact{}
		return false
	}
	path, ok := stepsTo(args[i].Type(), a.Fields)
	if !ok {
		fact.DryRun = valueFact{}
		return false
	}
	if from := w.placeOfValue(top, args[i], path, at, 0); from.Param > 0 {
		fact.DryRunPlaces = appendPlace(fact.DryRunPlaces, from)
		return false
	}
	out := dryRunFromField(w.flow(dryRunKind).value(args[i], path, at, nil))
	if out.State != Unset {
		fact.DryRun = encode(override(fact.DryRun.decode(), out), nil)
	}
	return out.State == Unset
}

func appendPlace(list []place, p place) []place {
	if len(list) >= maxDryRunPlaces || slices.ContainsFunc(list, p.equal) {
		return list
	}
	return append(slices.Clip(list), p)
}

// placeOfValue returns the parameter of top, or the field of a parameter, from which
// the value at a path comes. A client for a part of the API counts as the client from
// which it was derived.
func (w *writers) placeOfValue(top *ssa.Function, v ssa.Value, path []step, at ssa.Instruction, depth int) place {
	if depth > maxClientDepth {
		return place{}
	}
	var found place
	for n, s := range w.flow(managerKind).sources(v, path, at, nil) {
		from := w.placeOfSource(top, s, depth)
		if from.Param == 0 || n > 0 && !from.equal(found) {
			return place{}
		}
		found = from
	}
	return found
}

func (w *writers) placeOfSource(top *ssa.Function, s source, depth int) place {
	if s.lost || s.zero || s.value == nil {
		return place{}
	}
	if v, ok := s.value.(*ssa.Parameter); ok && v.Parent() == top {
		names, ok := fieldNames(v.Type(), s.path)
		if !ok {
			return place{}
		}
		return place{Param: slices.Index(top.Params, v) + 1, Fields: names}
	}
	if len(s.path) > 0 {
		call, from, ok := w.carryingCall(s)
		if !ok || from.Param == 0 || s.frame != nil {
			return place{}
		}
		_, args := calleeOf(call.Common())
		if from.Param > len(args) {
			return place{}
		}
		path, ok := stepsTo(args[from.Param-1].Type(), from.Fields)
		if !ok {
			return place{}
		}
		return w.placeOfValue(top, args[from.Param-1], path, call, depth+1)
	}
	v := s.value
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || s.frame != nil {
		return place{}
	}
	fn, args := calleeOf(call.Common())
	if fn == nil || len(args) == 0 || fn.Type().(*types.Signature).Recv() == nil || !isAccessor(fn, ImportPath(fn.Pkg())) {
		return place{}
	}
	return w.placeOfValue(top, args[0], nil, call, depth+1)
}

// dryRunPlaces returns the parameters of fn, and fields of them, that ask for a dry
// run. It leaves out those that neither fn nor a called function reads.
func (w *writers) dryRunPlaces(fn *ssa.Function, depth int) []place {
	if found, ok := w.dryRunCache[fn]; ok {
		return found
	}
	if depth > maxDryRunDepth {
		return nil
	}
	w.dryRunCache[fn] = nil
	var found []place
	add := func(v ssa.Value, path []step, at ssa.Instruction) {
		if p := w.placeOfValue(fn, v, path, at, 0); p.Param > 0 {
			found = appendPlace(found, p)
		}
	}
	for i, param := range fn.Params {
		if isDryRun(param.Name(), param.Type()) && param.Referrers() != nil && len(*param.Referrers()) > 0 {
			found = appendPlace(found, place{Param: i + 1})
		}
	}
	all := []*ssa.Function{fn}
	for len(all) > 0 {
		body := all[0]
		all = append(all[1:], body.AnonFuncs...)
		for _, b := range body.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ssa.UnOp:
					if addr, ok := i.X.(*ssa.FieldAddr); ok && isDryRunField(addr.X.Type(), addr.Field) {
						add(i, nil, i)
					}
				case *ssa.Field:
					if isDryRunField(i.X.Type(), i.Field) {
						add(i, nil, i)
					}
				case ssa.CallInstruction:
					callee := w.declared(i.Common().Value)
					if i.Common().IsInvoke() || callee == nil || callee.Parent() != nil {
						continue
					}
					args := i.Common().Args
					for _, a := range w.dryRunPlaces(callee, depth+1) {
						if a.Param > len(args) {
							continue
						}
						if path, ok := stepsTo(args[a.Param-1].Type(), a.Fields); ok {
							add(args[a.Param-1], path, i)
						}
					}
				}
			}
		}
	}
	w.dryRunCache[fn] = found
	return found
}

// isDryRun reports whether a variable asks for a dry run, by its name and type.
func isDryRun(name string, t types.Type) bool {
	if !strings.Contains(strings.ReplaceAll(strings.ToLower(name), "_", ""), "dryrun") {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsString|types.IsInteger) != 0
}

func isDryRunField(t types.Type, index int) bool {
	field := fieldOf(t, index)
	return field != nil && isDryRun(field.Name(), field.Type())
}
