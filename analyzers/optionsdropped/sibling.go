package optionsdropped

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// sibling is a call of another method of the same receiver with new options. An example is
// the method Update of a storage that calls Create if the object does not exist.
type sibling struct {
	instr  ssa.CallInstruction
	call   *ast.CallExpr
	callee *types.Func
	opts   *types.Var
	lit    *ast.CompositeLit
}

func siblings(pass *analysis.Pass, calls *apicall.Result, fn *ssa.Function) []sibling {
	outer := fn
	for outer.Parent() != nil {
		outer = outer.Parent()
	}
	opts := ownOptions(outer)
	if opts == nil || outer.Signature.Recv() == nil {
		return nil
	}
	var found []sibling
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || calls.CallAt(call) != nil {
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil || callee.Signature.Recv() == nil || !types.Identical(callee.Signature.Recv().Type(), outer.Signature.Recv().Type()) {
				continue
			}
			obj, ok := callee.Object().(*types.Func)
			if !ok || obj.Pkg() != pass.Pkg || ownOptions(callee) == nil {
				continue
			}
			expr := dryrun.CallExpr(pass.Files, call.Pos())
			if expr == nil {
				continue
			}
			if lit := fresh(pass, expr); lit != nil {
				found = append(found, sibling{call, expr, obj, opts, lit})
			}
		}
	}
	return found
}

// ownOptions returns the only parameter of a declared function that holds metav1 options of
// a write. It returns nil if there are several, or if the parameter has no name.
func ownOptions(fn *ssa.Function) *types.Var {
	var found *types.Var
	for i := range fn.Signature.Params().Len() {
		v := fn.Signature.Params().At(i)
		o := optionsOf(v.Type())
		if o == nil || o.runtime || o.verb == "" {
			continue
		}
		if found != nil || v.Name() == "" || v.Name() == "_" {
			return nil
		}
		found = v
	}
	return found
}

// fresh returns the argument of a call that is a literal of metav1 options without a dry
// run, or nil.
func fresh(pass *analysis.Pass, call *ast.CallExpr) *ast.CompositeLit {
	for _, arg := range call.Args {
		arg = ast.Unparen(arg)
		if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
			arg = ast.Unparen(u.X)
		}
		lit, ok := arg.(*ast.CompositeLit)
		if !ok {
			continue
		}
		o := optionsOf(pass.TypesInfo.TypeOf(lit))
		if o == nil || o.runtime || o.verb == "" || has(lit, "DryRun") || !keyed(lit) {
			continue
		}
		return lit
	}
	return nil
}

func (s sibling) report(pass *analysis.Pass) {
	d := analysis.Diagnostic{
		Pos: s.call.Pos(), End: s.call.End(),
		Message: fmt.Sprintf("%s gets new options instead of the caller's %s, so a dry run is stored; pass on %s.DryRun", s.callee.Name(), s.opts.Name(), s.opts.Name()),
		Related: []analysis.RelatedInformation{{Pos: s.opts.Pos(), Message: "the caller's options"}},
	}
	if sel, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr); ok {
		d.Pos, d.End = sel.Sel.Pos(), sel.Sel.End()
	}
	if edits := convert(pass, s.lit, s.opts); edits != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: "Pass on what " + s.opts.Name() + " says", TextEdits: edits}}
	}
	scope.Report(pass, d)
}
