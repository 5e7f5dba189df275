package apicall

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// callee returns the called function if it belongs to the package, and the frame of the
// call. It returns nil for other calls.
func (f *flow) callee(c ssa.CallInstruction, fr *frame) (*ssa.Function, *frame) {
	fn := c.Common().StaticCallee()
	if fn == nil || !f.program.owns(fn) {
		return nil, nil
	}
	fn = origin(fn)
	inside := &frame{fn: fn, call: c, up: fr, depth: depthOf(fr) + 1}
	if fn.Parent() != nil && fn.Parent() == c.Parent() {
		inside.outer = fr
	}
	return fn, inside
}

// CalledName returns the name of the called function or method. It returns nil if the
// call runs a function literal or the result of another call.
func CalledName(e *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(e.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

func asVar(o types.Object) *types.Var {
	v, _ := o.(*types.Var)
	return v
}

// callee returns the called method or function, and the expression of its receiver. If
// the call runs a method value in a variable, callee finds the method in the SSA form.
func (p *program) callee(e *ast.CallExpr, instr ssa.CallInstruction) (*types.Func, ast.Expr) {
	switch callee := typeutil.Callee(p.pass.TypesInfo, e).(type) {
	case *types.Func:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok {
			return callee, nil
		}
		selection := p.pass.TypesInfo.Selections[sel]
		if selection == nil {
			return callee, nil
		}
		if selection.Kind() == types.MethodExpr {
			if len(e.Args) > 0 {
				return callee, e.Args[0]
			}
			return callee, nil
		}
		return callee, sel.X
	case *types.Var:
		if fn := p.aliasTarget(callee); fn != nil {
			return fn, nil
		}
	}
	if instr == nil || instr.Common().IsInvoke() {
		return nil, nil
	}
	if closure, ok := instr.Common().Value.(*ssa.MakeClosure); ok {
		method, _ := methodValue(closure)
		return method, nil
	}
	if method, _ := p.storedMethod(instr.Common()); p.writerOf(method) != nil {
		return method, nil
	}
	return nil, nil
}

// methodValue returns the declared function or method to which a function value
// refers. For a method, it also returns the instruction that binds the
// receiver.
func methodValue(v ssa.Value) (*types.Func, *ssa.MakeClosure) {
	closure, bound := v.(*ssa.MakeClosure)
	if bound {
		v = closure.Fn
	}
	fn, ok := v.(*ssa.Function)
	if !ok || fn.Parent() != nil {
		return nil, nil
	}
	method, _ := origin(fn).Object().(*types.Func)
	return method, closure
}

// storedMethod returns the function or method that a call of a field runs. It returns
// nil unless the package stores only this one function in the field. bound is the
// instruction that binds the receiver of a method value.
func (p *program) storedMethod(common *ssa.CallCommon) (method *types.Func, bound *ssa.MakeClosure) {
	addr, ok := throughPointer(common.Value)
	if !ok {
		return nil, nil
	}
	at, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	p.collect()
	field := fieldOf(at.X.Type(), at.Field)
	if field == nil || field.Pkg() != p.pass.Pkg || p.taken[field] || p.code.Mentions(field) || field.Exported() && p.pass.Pkg.Name() != "main" {
		return nil, nil
	}
	for _, store := range p.fields[field] {
		if c, ok := store.Val.(*ssa.Const); ok && c.IsNil() {
			continue
		}
		found, by := methodValue(store.Val)
		if found == nil || method != nil && found != method {
			return nil, nil
		}
		if method != nil && by != bound {
			by = nil
		}
		method, bound = found, by
	}
	return method, bound
}

// argumentsOf returns the arguments of a call. The receiver of a method comes first, and is
// nil if it is not known. bound is the instruction that binds the receiver of a method
// value.
func (p *program) argumentsOf(common *ssa.CallCommon, method bool) (args []ssa.Value, bound *ssa.MakeClosure) {
	fn, args := calleeOf(common)
	closure, ok := common.Value.(*ssa.MakeClosure)
	if !method || fn != nil && !ok {
		return args, nil
	}
	if !ok {
		_, closure = p.storedMethod(common)
	}
	var receiver ssa.Value
	if closure != nil && len(closure.Bindings) == 1 {
		receiver, bound = closure.Bindings[0], closure
	}
	return append([]ssa.Value{receiver}, args...), bound
}
