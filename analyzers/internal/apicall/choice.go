package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// choiceOf returns the number of the parameter with a library's own functional options, as
// in Patch(ctx, obj, opts ...Option). The first parameter or the receiver has number 1. It
// returns 0 if the function has no such parameter.
//
// If the function sets a value only on some paths, these options are assumed to decide
// whether it sets the value.
func (p *program) choiceOf(fn *ssa.Function) int {
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

// choose handles a setting that the function top makes on only some of its paths. It
// records that the functional options passed to top decide the setting.
func (w *writers) choose(v valueFact, top *ssa.Function) valueFact {
	if v.State == Set && v.Sometimes && v.Param == 0 && v.Choice == 0 {
		v.Choice = w.choiceOf(top)
	}
	return v
}

// words has parts of the names of options, for each setting.
var words = map[kind][]string{
	managerKind:    {"owner", "manager"},
	forceKind:      {"force"},
	dryRunKind:     {"dryrun"},
	validationKind: {"validation"},
}

// chosen corrects the outcome of a setting that depends on functional options. The setting
// is unset if the call certainly passes no option with a name for the setting.
func (p *program) chosen(k kind, out outcome, options ssa.Value, at ssa.Instruction) outcome {
	switch p.names(k, options, at, 0) {
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

// names reports how often a list contains an option whose name has one of the words of the
// setting. WithDryRun is such an option for the dry run.
func (p *program) names(k kind, list ssa.Value, at ssa.Instruction, depth int) frequency {
	if depth > maxDepth {
		return sometimes
	}
	switch v := list.(type) {
	case *ssa.Const:
		return never
	case *ssa.ChangeType:
		return p.names(k, v.X, at, depth+1)
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
				found = max(found, p.isNamed(k, s.Val))
			}
		}
		return found
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" && len(v.Call.Args) == 2 {
			return max(p.names(k, v.Call.Args[0], at, depth+1), p.names(k, v.Call.Args[1], at, depth+1))
		}
	case *ssa.Phi:
		all := p.names(k, v.Edges[0], at, depth+1)
		for _, e := range v.Edges[1:] {
			if p.names(k, e, at, depth+1) != all {
				return sometimes
			}
		}
		return all
	}
	return sometimes
}

// isNamed checks the name of an option for the words of a setting. The name of an option is
// the name of its type, or of the function that returns it.
func (p *program) isNamed(k kind, v ssa.Value) frequency {
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
	for _, word := range words[k] {
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
