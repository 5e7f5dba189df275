package dryrunforward

import (
	"go/ast"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"golang.org/x/tools/go/analysis"
)

// forward writes a list that the function is given into the options of its
// write. Other shapes of the wish need a statement, and a decision.
func forward(pass *analysis.Pass, f *dryrun.Finding) *analysis.SuggestedFix {
	if f.Source.Kind != dryrun.Parameter || f.Source.Shape != dryrun.List || len(f.Path) > 0 {
		return nil
	}
	switch f.Write.Call.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Scale:
	default:
		return nil
	}
	lit, ok := ast.Unparen(f.Write.Call.Options).(*ast.CompositeLit)
	if !ok || !visible(pass, f.Source.Object, lit) {
		return nil
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name == "DryRun" {
			return nil
		}
	}
	if _, ok := f.Source.Object.Type().(*types.Slice); !ok {
		return nil
	}
	text, pos := "DryRun: "+f.Source.Object.Name(), lit.Rbrace
	if n := len(lit.Elts); n > 0 {
		text, pos = ", "+text, lit.Elts[n-1].End()
	}
	return &analysis.SuggestedFix{
		Message:   "Pass " + f.Source.Object.Name() + " on",
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos, NewText: []byte(text)}},
	}
}

// visible reports whether a name means obj where lit stands.
func visible(pass *analysis.Pass, obj types.Object, lit ast.Expr) bool {
	inner := pass.Pkg.Scope().Innermost(lit.Pos())
	if inner == nil {
		return false
	}
	_, found := inner.LookupParent(obj.Name(), lit.Pos())
	return found == obj
}
