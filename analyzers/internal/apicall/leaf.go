package apicall

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// constant returns the outcome for a constant. Nil and the zero value of a struct leave the
// setting unset. The empty string sets it.
func (f *flow) constant(c *ssa.Const) outcome {
	if c.Value == nil {
		return unset
	}
	return outcome{Setting: Setting{State: Set, Constant: c.Value, SSA: c}}
}

// computed returns the setting for a value that is not constant and that the function
// computes.
func (f *flow) computed(v ssa.Value, at ssa.Instruction, fr *frame) outcome {
	setting := outcome{Setting: Setting{State: Set, SSA: v}}
	switch f.kind {
	case forceKind:
		if isPointerTo(v.Type(), types.IsBoolean) {
			l := locate(v)
			out := f.memory(l, at, fr)
			if out.State == Set && out.Constant != nil {
				out.SSA = v
				return out
			}
			switch {
			case out.noValue:
			case out.State == Unset:
				setting.Constant = constant.MakeBool(false)
			default:
				setting.Param, setting.Field = out.Param, out.Field
			}
			return setting
		}
	case dryRunKind:
		if elements, complete, ok := f.elements(v, at, fr); ok {
			setting.Elements, setting.Complete = elements, complete
			return setting
		}
	}
	return setting
}

func isPointerTo(t types.Type, basic types.BasicInfo) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	b, ok := p.Elem().Underlying().(*types.Basic)
	return ok && b.Info()&basic != 0
}

// elements returns the constant elements of a list of strings. complete is set if all
// elements are constant. ok is false if v is not a list that the function creates.
func (f *flow) elements(v ssa.Value, at ssa.Instruction, fr *frame) (elements []string, complete, ok bool) {
	switch v := v.(type) {
	case *ssa.Slice:
		if v.High != nil && v.Low == nil && isZero(v.High) {
			return nil, true, true
		}
		array, isAlloc := v.X.(*ssa.Alloc)
		if !isAlloc || v.Low != nil || v.High != nil {
			return nil, false, true
		}
		complete = true
		slots, known := slotsOf(array)
		if !known {
			return nil, false, true
		}
		for _, s := range slots {
			out := unknown
			if s != nil {
				out = f.value(s.Val, nil, s, fr)
			}
			if out.State == Set && !out.Sometimes && out.Constant != nil && out.Constant.Kind() == constant.String {
				elements = append(elements, constant.StringVal(out.Constant))
			} else {
				complete = false
			}
		}
		return elements, complete, true
	case *ssa.MakeSlice:
		return nil, isZero(v.Len), true
	}
	return nil, false, false
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

// slotsOf returns the stores to the elements of an array, by index. The array is that
// of a slice literal or of variadic arguments. known is false if an index is not
// constant, or if an element is stored twice.
func slotsOf(array *ssa.Alloc) (slots []*ssa.Store, known bool) {
	t, ok := array.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || t.Len() > 1000 {
		return nil, false
	}
	slots = make([]*ssa.Store, t.Len())
	for _, r := range *array.Referrers() {
		addr, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		index, ok := addr.Index.(*ssa.Const)
		if !ok {
			return nil, false
		}
		i := index.Int64()
		for _, use := range *addr.Referrers() {
			if s, ok := use.(*ssa.Store); ok && s.Addr == addr {
				if i < 0 || i >= t.Len() || slots[i] != nil {
					return nil, false
				}
				slots[i] = s
			}
		}
	}
	return slots, true
}

// computedCall returns the setting for the result of append, ptr.To and similar
// functions. It returns false for other calls.
func (f *flow) computedCall(c *ssa.Call, at ssa.Instruction, fr *frame) (outcome, bool) {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() != "append" || f.kind != dryRunKind || len(common.Args) != 2 {
			return outcome{Setting: Setting{State: Set, SSA: c}}, true
		}
		return f.appended(c, fr), true
	}
	if f.kind != forceKind || len(common.Args) != 1 || !isPointerTo(c.Type(), types.IsBoolean) {
		return unknown, false
	}
	// ptr.To, pointer.Bool and similar functions take a boolean and return its address.
	if b, ok := common.Args[0].Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return unknown, false
	}
	out := f.value(common.Args[0], nil, c, fr)
	if out.State == Unset {
		out.Constant = constant.MakeBool(false)
	}
	out.State, out.SSA, out.noValue = Set, c, false
	return out, true
}

// appended returns the list of strings that append returns.
func (f *flow) appended(c *ssa.Call, fr *frame) outcome {
	args := c.Common().Args
	head, tail := f.value(args[0], nil, c, fr), f.value(args[1], nil, c, fr)
	switch {
	case head.noValue || head.State == Unset:
		return tail
	case tail.noValue || tail.State == Unset:
		return head
	}
	out := outcome{Setting: Setting{State: Set, SSA: c, Elements: slices.Concat(head.Elements, tail.Elements)}}
	out.Complete = head.Complete && tail.Complete && !head.Sometimes && !tail.Sometimes
	out.Sometimes = head.State != Set && tail.State != Set || head.Sometimes && tail.Sometimes
	return out
}
