package objectflow

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// applies is the fact about a function that applies some of its arguments unchanged.
// Params has the indexes of their parameters. A receiver has index 0.
type applies struct{ Params []int }

func (*applies) AFact()         {}
func (*applies) String() string { return "applies" }

// Applies returns the calls of the package that apply an object, with the value that
// holds the object. Such a call runs a client's method, or a function of another
// package with the fact applies.
func (r *Result) Applies() map[ssa.CallInstruction]ssa.Value {
	sinks := map[ssa.CallInstruction]ssa.Value{}
	for _, c := range r.calls.Calls {
		if body := Applied(c); body != nil {
			sinks[c.Instr] = body
		}
	}
	helped := false
	for _, imported := range r.pass.Pkg.Imports() {
		var fact examined
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

// exportApplies exports a fact about each function that applies an argument. It reports
// whether there is such a function.
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
			if mayHold(p.Type()) && len(t.passageOf(fn, i).sinks) > 0 {
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

// Expr returns the source expression of a call. It is nil for a call that the compiler
// adds.
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
