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
	if call == nil {
		return nil
	}
	arg := argumentOf(call, f.Write)
	if arg == nil {
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

// argumentOf returns the argument, or the receiver, that holds no dry run; nil if the
// code does not show it.
func argumentOf(call *ast.CallExpr, w *Write) ast.Expr {
	if w.falseArg >= 0 {
		if w.falseArg >= len(call.Args) {
			return nil
		}
		return ast.Unparen(call.Args[w.falseArg])
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || w.falseField == nil {
		return nil
	}
	return ast.Unparen(sel.X)
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

// setField returns the edit that sets a field in the struct literal of an argument. The
// argument may be a variable that is declared with the literal. setField returns nil for
// other arguments.
func (w *fixable) setField(arg ast.Expr, field *types.Var, text string) *analysis.TextEdit {
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = ast.Unparen(u.X)
	}
	if id, ok := arg.(*ast.Ident); ok {
		if arg = w.literalOf(id, field); arg == nil {
			return nil
		}
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

// literalOf returns the struct literal with which a local variable is declared. It returns
// nil if the variable or the field is assigned again, or if the dry run is not known at the
// literal.
func (w *fixable) literalOf(id *ast.Ident, field *types.Var) ast.Expr {
	info := w.fixer.pass.TypesInfo
	obj := info.Uses[id]
	var value ast.Expr
	assigned := false
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				switch l := ast.Unparen(l).(type) {
				case *ast.Ident:
					if info.Defs[l] == obj && len(n.Lhs) == len(n.Rhs) {
						value = n.Rhs[i]
					}
					assigned = assigned || info.Uses[l] == obj
				case *ast.SelectorExpr:
					v, ok := info.Uses[l.Sel].(*types.Var)
					assigned = assigned || ok && v.Origin() == field && rootOf(info, l.X) == obj
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if info.Defs[name] == obj && i < len(n.Values) {
					value = n.Values[i]
				}
			}
		}
		return true
	})
	if obj == nil || value == nil || assigned || !w.dryRun.knownAt(w.fixer.pass, value.Pos()) {
		return nil
	}
	value = ast.Unparen(value)
	if u, ok := value.(*ast.UnaryExpr); ok && u.Op == token.AND {
		value = ast.Unparen(u.X)
	}
	return value
}
