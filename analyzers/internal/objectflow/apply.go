package objectflow

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// applies marks a function that applies its object arguments unchanged. Params are
// their places among the receiver and the parameters.
type applies struct{ Params []int }

func (*applies) AFact()         {}
func (*applies) String() string { return "applies" }

// Applies are the calls of the package that apply an object, with the value that holds
// it. They are calls of clients, and of functions of the module's other packages that
// apply their arguments.
func (r *Result) Applies() map[ssa.CallInstruction]ssa.Value {
	sinks := map[ssa.CallInstruction]ssa.Value{}
	for _, c := range r.calls.Calls {
		if body := Applied(c); body != nil {
			sinks[c.Instr] = body
		}
	}
	helped := false
	for _, imported := range r.pass.Pkg.Imports() {
		var fact looked
		helped = helped || r.pass.ImportPackageFact(imported, &fact) && fact.Applies
	}
	if !helped {
		return sinks
	}
	for _, fn := range r.functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				callee := Callee(call)
				var fact applies
				if callee == nil || callee.Pkg() == nil || callee.Pkg() == r.pass.Pkg || call.Common().IsInvoke() ||
					!r.pass.ImportObjectFact(callee, &fact) {
					continue
				}
				for _, i := range fact.Params {
					if i < len(call.Common().Args) {
						sinks[call] = call.Common().Args[i]
						break
					}
				}
			}
		}
	}
	return sinks
}

// exportApplies exports facts about the functions that apply their arguments, and
// reports whether there are any.
func (r *Result) exportApplies() bool {
	sinks := r.Applies()
	if len(sinks) == 0 {
		return false
	}
	t := newTracer(r, Question{Sinks: sinks, Cleared: true})
	t.findReaching()
	found := false
	for _, fn := range r.functions() {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || !t.reaches(fn) {
			continue
		}
		var fact applies
		for i, p := range fn.Params {
			if mayHold(p.Type()) && len(t.pass(fn, i).sinks) > 0 {
				fact.Params = append(fact.Params, i)
			}
		}
		if len(fact.Params) > 0 {
			r.pass.ExportObjectFact(obj, &fact)
			found = true
		}
	}
	return found
}

// Expr is the source expression of a call; nil if there is none, as in code made by the
// compiler.
func (r *Result) Expr(call ssa.CallInstruction) (found *ast.CallExpr) {
	for _, file := range r.pass.Files {
		if call.Pos() < file.FileStart || call.Pos() > file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && c.Lparen == call.Pos() {
				found = c
			}
			return found == nil && n != nil && n.Pos() <= call.Pos() && call.Pos() <= n.End()
		})
	}
	return found
}
