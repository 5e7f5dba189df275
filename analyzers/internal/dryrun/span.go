package dryrun

import (
	"go/ast"
	"go/token"
)

// CallExpr finds the call whose opening parenthesis is at pos, which is where
// the SSA form says that a call is; nil where there is none.
func CallExpr(files []*ast.File, pos token.Pos) *ast.CallExpr {
	for _, f := range files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		var found *ast.CallExpr
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || found != nil || n.Pos() > pos || n.End() <= pos {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
				found = call
			}
			return true
		})
		return found
	}
	return nil
}

// Span returns where the name of the function called at pos begins and ends. If no call
// is there, it returns pos itself and no end.
func Span(files []*ast.File, pos token.Pos) (from, to token.Pos) {
	call := CallExpr(files, pos)
	if call == nil {
		return pos, token.NoPos
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Pos(), sel.Sel.End()
	}
	return call.Fun.Pos(), call.Fun.End()
}
