package dryrun

import (
	"go/ast"
	"go/token"
)

// CallExpr returns the call with the opening parenthesis at pos, which is the
// position of a call in SSA form; nil if there is none.
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

// Span returns the start and the end of the name of the function called at pos. If there is
// no call, it returns pos and no end.
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
