package objectflow

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// value returns the value that v has on all taken paths, if it is a known boolean, null
// (a nil error) or notFound. Otherwise it returns nil.
func (p *paths) value(v ssa.Value, depth int) constant.Value {
	if depth > 20 {
		return nil
	}
	if c, known := p.memo[v]; known {
		return c
	}
	p.memo[v] = nil // a phi in a loop has no known value
	c := p.evaluate(v, depth+1)
	p.memo[v] = c
	return c
}

func (p *paths) evaluate(v ssa.Value, depth int) constant.Value {
	switch {
	case p.failed != nil && v == p.failed && p.missing:
		return notFound
	case p.failed != nil && v == p.failed:
		return null
	case p.found != nil && v == p.found:
		return constant.MakeBool(!p.missing)
	}
	switch v := v.(type) {
	case *ssa.Const:
		switch {
		case v.Value == nil && (isError(v.Type()) || types.IsInterface(v.Type())):
			return null
		case v.Value != nil && v.Value.Kind() == constant.Bool:
			return v.Value
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			if c := p.value(v.X, depth); c != nil && c.Kind() == constant.Bool {
				return constant.MakeBool(!constant.BoolVal(c))
			}
		case token.MUL:
			if s := lastStore(v); s != nil {
				return p.value(s.Val, depth)
			}
		}
	case *ssa.BinOp:
		return p.comparison(v, depth)
	case *ssa.ChangeInterface:
		return p.value(v.X, depth)
	case *ssa.MakeInterface:
		return nil // an interface with a value is never nil
	case *ssa.Call:
		return p.resultOfErrorCall(v, depth)
	case *ssa.Phi:
		return p.phi(v, depth)
	}
	return nil
}

func (p *paths) comparison(v *ssa.BinOp, depth int) constant.Value {
	if v.Op != token.EQL && v.Op != token.NEQ {
		return nil
	}
	if isEmptyString(v.X) && p.isIdentity(v.Y) || isEmptyString(v.Y) && p.isIdentity(v.X) {
		return constant.MakeBool(v.Op == token.NEQ)
	}
	x, y := p.value(v.X, depth), p.value(v.Y, depth)
	if x == nil || y == nil || x.Kind() != y.Kind() {
		return nil
	}
	return constant.MakeBool(constant.Compare(x, v.Op, y))
}

func isEmptyString(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.String && constant.StringVal(c.Value) == ""
}

// isIdentity reports whether a value is the UID or the resource version of the object
// that was read. Servers never leave these empty.
func (p *paths) isIdentity(v ssa.Value) bool {
	if p.filled == nil {
		return false
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return p.isIdentity(v.X)
	case *ssa.ChangeType:
		return p.isIdentity(v.X)
	case *ssa.UnOp:
		if f, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			field := fieldOf(f.X.Type(), f.Field)
			return field != nil && (field.Name() == "UID" || field.Name() == "ResourceVersion") && p.filled(f.X)
		}
	case *ssa.Call:
		fn, recv := Callee(v), Receiver(v)
		return fn != nil && recv != nil && (fn.Name() == "GetUID" || fn.Name() == "GetResourceVersion") && p.filled(recv)
	}
	return false
}

// resultOfErrorCall returns the result of a function that tests or wraps an error. For
// a nil error, functions such as IsNotFound return false, and functions that wrap
// errors return nil.
func (p *paths) resultOfErrorCall(v *ssa.Call, depth int) constant.Value {
	fn := Callee(v)
	if fn == nil || fn.Signature().Results().Len() != 1 {
		return nil
	}
	// errors.Is has two error arguments. It tests the first.
	var about constant.Value
	for _, arg := range v.Call.Args {
		if isError(arg.Type()) {
			about = p.value(arg, depth)
			break
		}
	}
	if about == nil || about.Kind() != constant.String {
		return nil
	}
	missing := constant.Compare(about, token.EQL, notFound)
	name := fn.Name()
	switch t := fn.Signature().Results().At(0).Type(); {
	case isError(t):
		switch {
		case missing && name == "IgnoreNotFound":
			return null
		case strings.HasPrefix(name, "Ignore") || strings.HasPrefix(name, "Wrap") || strings.HasPrefix(name, "WithMessage") || name == "WithStack":
			return about
		}
	case types.Identical(t.Underlying(), types.Typ[types.Bool]):
		switch {
		case missing && name == "IsNotFound":
			return constant.MakeBool(true)
		case missing && (name == "Is" || !strings.HasPrefix(name, "Is")):
			return nil
		case strings.HasPrefix(name, "Is") || strings.HasPrefix(name, "is") || strings.HasPrefix(name, "Has") || name == "As":
			return constant.MakeBool(false)
		}
	}
	return nil
}

// phi returns the value of a phi, if it is the same on all taken edges.
func (p *paths) phi(v *ssa.Phi, depth int) constant.Value {
	var same constant.Value
	for i, pred := range v.Block().Preds {
		if !p.isTaken(pred, v.Block()) {
			continue
		}
		c := p.value(v.Edges[i], depth)
		if c == nil || same != nil && (c.Kind() != same.Kind() || !constant.Compare(c, token.EQL, same)) {
			return nil
		}
		same = c
	}
	return same
}

// lastStore returns the store that determines the value of a load of a local variable;
// nil if it is not known. It searches the block of the load, then the preceding blocks
// as long as each has a single predecessor.
func lastStore(load *ssa.UnOp) *ssa.Store {
	switch load.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil
	}
	b := load.Block()
	var before ssa.Instruction = load
	for range 8 {
		at := len(b.Instrs)
		for i, instr := range b.Instrs {
			if instr == before {
				at = i
			}
		}
		for i := at - 1; i >= 0; i-- {
			switch instr := b.Instrs[i].(type) {
			case *ssa.Store:
				if instr.Addr == load.X {
					return instr
				}
			case ssa.CallInstruction:
				if captures(instr, load.X) {
					return nil
				}
			}
		}
		if len(b.Preds) != 1 {
			return nil
		}
		b, before = b.Preds[0], nil
	}
	return nil
}

// captures reports whether an argument of a call is a function literal that captures a
// variable. The literal may assign to the variable.
func captures(call ssa.CallInstruction, cell ssa.Value) bool {
	values := append([]ssa.Value{call.Common().Value}, call.Common().Args...)
	for _, v := range values {
		if c, ok := v.(*ssa.MakeClosure); ok {
			for _, b := range c.Bindings {
				if b == cell {
					return true
				}
			}
		}
	}
	return false
}
