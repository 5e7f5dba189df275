package dryrun

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// cell returns what the flow f knows of a variable whose address is taken, or that a
// function literal captures. It ignores the order of the assignments to the variable.
func (s *state) cell(a *ssa.Alloc, m Mode, f *flow) value {
	elem := a.Type().(*types.Pointer).Elem()
	if shapeOf(elem) == 0 && !nillable(elem) {
		return otherValue
	}
	if b, ok := s.locals[a.Pos()]; ok {
		return dryRunValue(elem, m, b.Negative)
	}
	var got value
	initialised, escapes := false, false
	visit := func(addr ssa.Value, fn *ssa.Function) {
		for _, r := range *addr.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr != addr {
					escapes = true
					continue
				}
				if fn == a.Parent() && r.Block() == a.Block() {
					initialised = true
				}
				got = join(got, s.stored(r, fn, m, f))
			case *ssa.UnOp, *ssa.MakeClosure, *ssa.DebugRef:
			default:
				escapes = true
			}
		}
	}
	visit(a, a.Parent())
	for _, fv := range s.captures[a] {
		visit(fv, fv.Parent())
	}
	if !initialised {
		got = join(got, zero(elem))
	}
	if escapes && !got.dependent || shapeOf(elem) == 0 && got.kind != null {
		return otherValue
	}
	if got.kind == other || got.kind == mixed {
		if ok, negative := dryRunName(a.Comment); ok {
			return dryRunValue(elem, m, negative)
		}
	}
	return got
}

// stored returns what is known of the value that an assignment stores.
func (s *state) stored(st *ssa.Store, fn *ssa.Function, m Mode, f *flow) value {
	if c, ok := st.Val.(*ssa.Const); ok && c.Value != nil {
		return value{kind: constKind, c: c.Value}
	}
	if fn == f.fn {
		if !f.blocks[st.Block().Index] {
			return value{}
		}
		return f.value(st.Val)
	}
	if g := s.flow(fn, m); g != nil {
		return g.value(st.Val)
	}
	return otherValue
}

func zero(t types.Type) value {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsBoolean != 0:
			return boolean(false, false)
		case b.Info()&types.IsString != 0:
			return value{kind: constKind, c: constant.MakeString("")}
		case b.Info()&types.IsInteger != 0:
			return value{kind: constKind, c: constant.MakeInt64(0)}
		}
	}
	if nillable(t) {
		return nilValue
	}
	return otherValue
}

// nillable reports whether nil is a value of a type.
func nillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// captured returns the captured variable for a free variable of a function literal; nil
// if it is not known.
func (s *state) captured(fv *ssa.FreeVar) *ssa.Alloc { return s.freeVars[fv] }

// capture records which variables of the enclosing function a function literal
// captures.
func (s *state) capture(mc *ssa.MakeClosure) {
	fn, ok := mc.Fn.(*ssa.Function)
	if !ok {
		return
	}
	for i, b := range mc.Bindings {
		if i >= len(fn.FreeVars) {
			break
		}
		var a *ssa.Alloc
		switch b := b.(type) {
		case *ssa.Alloc:
			a = b
		case *ssa.FreeVar:
			a = s.freeVars[b]
		}
		if a != nil {
			s.freeVars[fn.FreeVars[i]] = a
			s.captures[a] = append(s.captures[a], fn.FreeVars[i])
		}
	}
}
