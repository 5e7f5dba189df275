package apicall

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// flow follows one setting of one call back to the place that sets it.
type flow struct {
	program *program
	kind    kind
	seen    map[visit]bool
	steps   int
	// literals caches the frames of function literals.
	literals map[literalFrame]*frame
	// caller is the parameter with options that flow found on the way to the value.
	caller *types.Var
}

// visit is a lookup of a value that has begun and not ended. If the lookup needs its
// own result, the inner lookup has no result. This prevents endless recursion.
type visit struct {
	value ssa.Value
	at    ssa.Instruction
	frame *frame
	path  string
}

const (
	// maxSteps is the number of instructions that are examined for one setting. With more,
	// the setting is unknown.
	maxSteps = 50_000
	// maxDepth is the number of nested functions of the package that are entered.
	maxDepth = 4
)

// frame describes the call through which the analysis entered a function. A nil frame
// means that callers are not examined. The values of parameters are then Passed.
type frame struct {
	fn    *ssa.Function
	call  ssa.CallInstruction // the call in up; nil if it is not known
	up    *frame
	outer *frame // frame of the function that contains a literal
	depth int
}

func (p *program) flow(k kind) *flow {
	return &flow{program: p, kind: k, seen: map[visit]bool{}}
}

// enter records that a lookup begins. The caller must call leave at its end. ok is
// false if the same lookup has begun already.
func (f *flow) enter(v ssa.Value, path []step, at ssa.Instruction, fr *frame) (leave func(), ok bool) {
	key := visit{value: v, at: at, frame: fr, path: pathKey(path)}
	if f.seen[key] {
		return nil, false
	}
	f.seen[key] = true
	return func() { delete(f.seen, key) }, true
}

func pathKey(path []step) string {
	key := make([]byte, 0, len(path)*2)
	for _, s := range path {
		key = append(key, byte(s), byte(s>>8))
	}
	return string(key)
}

// value returns the setting at a path in a value. If the path leads through pointers,
// value reads their targets right before the instruction at.
func (f *flow) value(v ssa.Value, path []step, at ssa.Instruction, fr *frame) outcome {
	f.steps++
	if f.steps > maxSteps {
		return unknown
	}
	if len(path) > 0 && path[0] == deref {
		if c, ok := v.(*ssa.Const); ok && c.Value == nil {
			return unset // a nil pointer has no setting
		}
		return f.memory(locate(v).to(path[1:]), at, fr)
	}
	switch v := v.(type) {
	case *ssa.Const:
		return f.constant(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.memory(locate(v.X).to(path), v, fr)
		}
	case *ssa.Field:
		return f.value(v.X, append([]step{step(v.Field)}, path...), at, fr)
	case *ssa.Phi:
		leave, ok := f.enter(v, path, nil, fr)
		if !ok {
			return none
		}
		defer leave()
		out := none
		for i, e := range v.Edges {
			pred := v.Block().Preds[i]
			out = join(out, f.value(e, path, pred.Instrs[len(pred.Instrs)-1], fr))
		}
		return out
	case *ssa.ChangeType:
		return f.value(v.X, path, at, fr)
	case *ssa.ChangeInterface:
		return f.value(v.X, path, at, fr)
	case *ssa.MakeInterface:
		return f.value(v.X, path, at, fr)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return f.value(v.X, path, at, fr)
		}
	case *ssa.Convert:
		return f.value(v.X, path, at, fr)
	case *ssa.Parameter:
		return f.parameter(v, path, fr)
	case *ssa.FreeVar:
		return f.captured(v, path, fr)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return f.result(c, v.Index, path, fr)
		}
	case *ssa.Call:
		if len(path) == 0 {
			if out, ok := f.computedCall(v, at, fr); ok {
				return out
			}
		}
		return f.result(v, 0, path, fr)
	}
	if len(path) > 0 {
		return unknown
	}
	return f.computed(v, at, fr)
}

// parameter returns the setting at a path in a parameter. If the frame has a call, it
// is the setting in the argument of that call. Otherwise it is Passed.
func (f *flow) parameter(v *ssa.Parameter, path []step, fr *frame) outcome {
	if fr != nil && fr.call != nil && fr.fn == v.Parent() {
		i := slices.Index(fr.fn.Params, v)
		args := fr.call.Common().Args
		if i < 0 || i >= len(args) || fr.call.Common().IsInvoke() {
			return unknown
		}
		return f.value(args[i], path, fr.call, fr.up)
	}
	return f.passed(v, path)
}

// passed returns the outcome for a parameter of the examined function.
func (f *flow) passed(v *ssa.Parameter, path []step) outcome {
	param, _ := v.Object().(*types.Var)
	out := outcome{Setting: Setting{State: Passed, Param: param, SSA: v}}
	out.Field = fieldOn(v.Type(), path)
	if param != nil && IsOptions(param.Type()) {
		f.caller = param
	}
	return out
}

// fieldOn returns the last field on a path before an option struct. If the path begins
// in an option struct, it returns the last field of the path.
func fieldOn(t types.Type, path []step) *types.Var {
	var last *types.Var
	for _, s := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
			if s == deref {
				continue
			}
		} else if s == deref {
			return last
		}
		if _, ok := optionOf(t); ok && last != nil {
			return last
		}
		v := fieldOf(t, int(s))
		if v == nil {
			return last
		}
		last = v
		t = fieldType(t, int(s))
	}
	return last
}
