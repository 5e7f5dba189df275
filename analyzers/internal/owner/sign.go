package owner

import (
	"go/ast"
	"go/constant"
	"go/token"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// controllerRuntime is the package whose options are functions.
const controllerRuntime = "sigs.k8s.io/controller-runtime/pkg/client"

// Sign returns the fix that makes one call name a field manager. It returns nil unless
// the call's options are a literal.
func Sign(pass *analysis.Pass, c *apicall.Call, name Name) []analysis.SuggestedFix {
	var edits []analysis.TextEdit
	switch c.Family {
	case apicall.Typed, apicall.Dynamic, apicall.Metadata, apicall.Scale:
		if lit := literal(c.Options); lit != nil {
			edits = Field(pass, lit, "FieldManager", name.Expr)
		}
	case apicall.Runtime, apicall.RuntimeSubresource:
		pkg, ok := edit.Imported(pass, c.Pos(), controllerRuntime)
		args := c.Expr.Args
		if ok && len(args) > 0 && !c.Expr.Ellipsis.IsValid() {
			at := args[len(args)-1].End()
			edits = []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(", " + pkg + ".FieldOwner(" + name.Expr + ")")}}
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Name the field manager " + name.Expr, TextEdits: edits}}
}

// literal returns the struct literal that e is, with or without &. It returns nil for
// other expressions.
func literal(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// Field returns the edits that set a field in a struct literal, if the literal has keys
// and the field is missing or "". Otherwise it returns nil.
func Field(pass *analysis.Pass, lit *ast.CompositeLit, field, value string) []analysis.TextEdit {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == field {
			if tv := pass.TypesInfo.Types[kv.Value]; tv.Value != nil && tv.Value.Kind() == constant.String && constant.StringVal(tv.Value) == "" {
				return []analysis.TextEdit{{Pos: kv.Value.Pos(), End: kv.Value.End(), NewText: []byte(value)}}
			}
			return nil
		}
	}
	text := field + ": " + value
	if len(lit.Elts) == 0 {
		return []analysis.TextEdit{{Pos: lit.Lbrace + 1, End: lit.Rbrace, NewText: []byte(text)}}
	}
	first := lit.Elts[0].Pos()
	line := func(p token.Pos) int { return pass.Fset.PositionFor(p, false).Line }
	if line(lit.Lbrace) == line(first) {
		text += ", "
	} else {
		text += ",\n"
	}
	return []analysis.TextEdit{{Pos: first, End: first, NewText: []byte(text)}}
}
