package objectflow

import (
	"go/ast"
	"go/types"
)

// Text is the source text of an object at a call, for a message, without the address
// operator and the conversion around it. Long expressions, and nil, are "the object".
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
