package objectflow

import (
	"go/ast"
	"go/types"
)

// Text returns the source text of an object in a call, for messages. It leaves out the
// address operator and conversions. It returns "the object" for nil, and for a text of
// more than 40 bytes.
func Text(e ast.Expr) string {
	const longest = 40
	for e != nil {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.UnaryExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if len(x.Args) == 1 {
				e = x.Args[0]
				continue
			}
		}
		if text := types.ExprString(e); len(text) <= longest {
			return text
		}
		break
	}
	return "the object"
}
