package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// optionsParam returns the number of the parameter with a library's own functional
// options, as in Patch(ctx, obj, opts ...Option). The receiver or, without one, the
// first parameter has number 1. The result is 0 if there is no such parameter.
//
// If the function sets a value only on some paths, these options are assumed to decide
// whether it sets the value.
func (p *program) optionsParam(fn *ssa.Function) int {
	sig := fn.Signature
	if !sig.Variadic() || len(fn.Params) == 0 {
		return 0
	}
	list := fn.Params[len(fn.Params)-1].Type()
	if _, known := functional(list); known {
		return 0
	}
	s, ok := types.Unalias(list).(*types.Slice)
	if !ok {
		return 0
	}
	n := namedType(s.Elem())
	if n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg() != p.pass.Pkg && !p.isHelper(n.Obj().Pkg()) {
		return 0
	}
	switch u := n.Underlying().(type) {
	case *types.Signature:
		return len(fn.Params)
	case *types.Interface:
		if u.NumMethods() > 0 {
			return len(fn.Params)
		}
	}
	return 0
}

// dependOnOptions handles a setting that the function top makes only on some of its
// paths. It records that the functional options of top decide whether top makes the
// setting.
func (w *writers) dependOnOptions(v valueFact, top *ssa.Function) valueFact {
	if v.State == Set && v.Sometimes && v.Param == 0 && v.OptionsParam == 0 {
		v.OptionsParam = w.optionsParam(top)
	}
	return v
}

// optionWords lists, for each setting, words that the names of its options contain.
var optionWords = map[kind][]string{
	managerKind:    {"owner", "manager"},
	forceKind:      {"force"},
	dryRunKind:     {"dryrun"},
	validationKind: {"validation"},
}

// withPassedOptions corrects the outcome of a setting that depends on functional
// options. The setting is unset if the call certainly passes no option whose name has a
// word of the setting.
func (p *program) withPassedOptions(k kind, out outcome, options ssa.Value, at ssa.Instruction) outcome {
	switch p.optionFrequency(k, options, at, 0) {
	case never:
		return unset
	case always:
		out.Sometimes = false
	}
	return out
}

// frequency says on how many paths an option is passed.
type frequency uint8

const (
	never frequency = iota
	sometimes
	always
)

// optionFrequency reports how often a list contains an option whose name has a word of
// the setting. An example is WithDryRun for the dry run.
func (p *program) optionFrequency(k kind, list ssa.Value, at ssa.Instruction, depth int) frequency {
	if depth > maxDepth {
		return sometimes
	}
	switch v := list.(type) {
	case *ssa.Const:
		return never
	case *ssa.ChangeType:
		return p.optionFrequency(k, v.X, at, depth+1)
	case *ssa.MakeSlice:
		if isZero(v.Len) {
			return never
		}
	case *ssa.Slice:
		array, ok := v.X.(*ssa.Alloc)
		if !ok || v.Low != nil || v.High != nil && !isZero(v.High) {
			return sometimes
		}
		if v.High != nil {
			return never
		}
		slots, known := slotsOf(array)
		if !known {
			return sometimes
		}
		found := never
		for _, s := range slots {
			if s != nil {
				found = max(found, p.nameFrequency(k, s.Val))
			}
		}
		return found
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) == 2 {
			return max(p.optionFrequency(k, v.Call.Args[0], at, depth+1), p.optionFrequency(k, v.Call.Args[1], at, depth+1))
		}
	case *ssa.Phi:
		all := p.optionFrequency(k, v.Edges[0], at, depth+1)
		for _, e := range v.Edges[1:] {
			if p.optionFrequency(k, e, at, depth+1) != all {
				return sometimes
			}
		}
		return all
	}
	return sometimes
}

// nameFrequency reports how often a value is an option whose name has a word of the
// setting. The name is that of the option's type, or of the function that returns the
// option.
func (p *program) nameFrequency(k kind, v ssa.Value) frequency {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	var object types.Object
	if call, ok := v.(*ssa.Call); ok {
		if fn, _ := calleeOf(call.Common()); fn != nil {
			object = fn
		}
	} else if n := namedType(v.Type()); n != nil && !types.IsInterface(n) {
		object = n.Obj()
	}
	if object == nil || object.Pkg() == nil {
		return sometimes
	}
	name := strings.ToLower(object.Name())
	for _, word := range optionWords[k] {
		if strings.Contains(name, word) {
			return always
		}
	}
	if !p.isHelper(object.Pkg()) || object.Pkg() == p.pass.Pkg {
		return sometimes // an option of the program may do anything
	}
	if n := namedType(v.Type()); n != nil {
		if _, ok := n.Underlying().(*types.Signature); ok && object == n.Obj() {
			return sometimes // a function from a variable
		}
	}
	return never
}
