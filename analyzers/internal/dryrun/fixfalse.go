package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/analysis"
)

// PassOn returns the fix of a call that passes false for the dry run, or a struct
// literal without it. The fix passes the dry run on. PassOn returns nil if the function
// with the call cannot read the dry run.
func (x *Fixer) PassOn(f *Finding) []analysis.SuggestedFix {
	if len(f.Path) > 0 && f.Source.Kind != Global || f.Write.FalseParam == "" {
		return nil
	}
	file := edit.Open(x.pass, f.Write.Pos)
	if file == nil {
		return nil
	}
	call := callAt(file.Syntax(), f.Write.Pos)
	if call == nil || f.Write.falseArg < 0 || f.Write.falseArg >= len(call.Args) {
		return nil
	}
	w := x.place(f, call)
	if w == nil {
		return nil
	}
	w.mode = bothModes
	cond := w.condition()
	if cond == "" {
		return nil
	}
	arg := ast.Unparen(call.Args[f.Write.falseArg])
	var change *analysis.TextEdit
	if f.Write.falseField == nil {
		change = replaceFalse(arg, cond)
	} else {
		change = w.setField(arg, f.Write.falseField, cond)
	}
	if change == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Pass " + cond + " on", TextEdits: append(w.dryRun.imports, *change)}}
}

// callAt returns the call whose parenthesis is at a position.
func callAt(file *ast.File, lparen token.Pos) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == lparen {
			found = call
		}
		return found == nil
	})
	return found
}

// replaceFalse returns the edit that replaces the word false. It returns nil for other
// expressions.
func replaceFalse(e ast.Expr, text string) *analysis.TextEdit {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && id.Name == "false" {
		return &analysis.TextEdit{Pos: id.Pos(), End: id.End(), NewText: []byte(text)}
	}
	return nil
}

// setField returns the edit that sets a field in a struct literal. It returns nil if the
// argument is no literal.
func (w *fixable) setField(arg ast.Expr, field *types.Var, text string) *analysis.TextEdit {
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = ast.Unparen(u.X)
	}
	lit, ok := arg.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			st, ok := w.fixer.pass.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
			if !ok || i >= st.NumFields() {
				return nil
			}
			if st.Field(i).Origin() == field {
				return replaceFalse(e, text)
			}
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == field.Name() {
			return replaceFalse(kv.Value, text)
		}
	}
	text = field.Name() + ": " + text
	if len(lit.Elts) == 0 {
		return &analysis.TextEdit{Pos: lit.Rbrace, End: lit.Rbrace, NewText: []byte(text)}
	}
	last := lit.Elts[len(lit.Elts)-1]
	line := func(p token.Pos) int { return w.fixer.pass.Fset.PositionFor(p, false).Line }
	if line(last.End()) == line(lit.Rbrace) {
		return &analysis.TextEdit{Pos: last.End(), End: last.End(), NewText: []byte(", " + text)}
	}
	// The last field has a line of its own, so the new one gets a line too.
	return &analysis.TextEdit{Pos: lit.Rbrace, End: lit.Rbrace, NewText: []byte("\t" + text + ",\n" + w.file.Indent(lit.Rbrace))}
}
