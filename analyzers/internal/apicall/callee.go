package apicall

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// callee finds the function of the package that a call enters, with the frame
// to look at it in.
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

// CalledName is the name of what is called; nil for a call of a function
// literal or of a call's result.
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

// callee is the method or function that is called, and the expression it is
// called on. A method value that is kept in a variable is followed in SSA
// form.
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
		if fn := p.alias(callee); fn != nil {
			return fn, nil
		}
	}
	if instr == nil || instr.Common().IsInvoke() {
		return nil, nil
	}
	if closure, ok := instr.Common().Value.(*ssa.MakeClosure); ok {
		if fn, ok := closure.Fn.(*ssa.Function); ok && fn.Parent() == nil {
			method, _ := fn.Object().(*types.Func)
			return method, nil
		}
	}
	return nil, nil
}
