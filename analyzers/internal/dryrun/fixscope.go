package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// movable reports whether an expression has the same value on the line before the
// write's statement. Such an expression uses no variable that the statement declares,
// contains no function literal and receives from no channel.
func (w *fixable) movable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.Ident:
			obj := w.fixer.pass.TypesInfo.Uses[n]
			ok = ok && (obj == nil || obj.Pos() < w.stmt.Pos() || obj.Pos() > w.stmt.End())
		}
		return ok
	})
	return ok
}

// declare returns the name of a new variable with options, and the edits that declare the
// variable before the write and change it in a dry run. The name is "" if no name is free.
// n is a type such as CreateOptions. code returns the declaration and the change for a
// name. If an earlier fix declares the same constant options in an enclosing scope,
// declare returns the name and the edits of that fix.
func (w *fixable) declare(n *types.Named, constant bool, cond string, code func(name string) (declaration, change string)) (string, []analysis.TextEdit) {
	text := func(name string) string {
		declaration, change := code(name)
		return declaration + "\n" + conditional(cond, change)
	}
	for _, g := range w.fixer.added {
		if constant && g.constant && g.text == text(g.name) && g.edits[0].Pos < w.stmt.Pos() && g.scope.Pos() <= w.stmt.Pos() && w.stmt.End() <= g.scope.End() {
			return g.name, g.edits
		}
	}
	verb := strings.TrimSuffix(strings.TrimSuffix(n.Obj().Name(), "s"), "Option")
	verb = strings.TrimPrefix(verb, "SubResource")
	if verb == "" {
		return "", nil
	}
	used := map[string]bool{}
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	lower := strings.ToLower(verb[:1]) + verb[1:]
	names := []string{lower + "Options"}
	if kind := w.call.GVK.Kind; token.IsIdentifier(kind) {
		names = append(names, lower+kind+"Options")
	}
	for i := 2; i < 10; i++ {
		names = append(names, lower+"Options"+strconv.Itoa(i))
	}
	scope := w.ancestors[0]
	for _, name := range names {
		if used[name] || w.fixer.pass.Pkg.Scope().Lookup(name) != nil || w.fixer.taken(name, scope) {
			continue
		}
		declaration, change := code(name)
		g := addedVar{name: name, scope: scope, text: text(name), constant: constant, edits: w.inDryRun(cond, declaration, change)}
		w.fixer.added = append(w.fixer.added, g)
		return name, g.edits
	}
	return "", nil
}

// constantOptions reports whether options are a struct literal with constant fields. It
// returns false for a pointer to such a literal.
func constantOptions(info *types.Info, options ast.Expr) bool {
	lit, ok := options.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || info.Types[kv.Value].Value == nil {
			return false
		}
	}
	return true
}

// taken reports whether an earlier fix declares the name in this scope, in an enclosing
// scope or in a scope inside it.
func (x *Fixer) taken(name string, scope ast.Node) bool {
	for _, g := range x.added {
		if g.name == name && g.scope.Pos() < scope.End() && scope.Pos() < g.scope.End() {
			return true
		}
	}
	return false
}

// SkipForClient returns the fix of a write that is a dry run for the server only. The fix
// adds to the condition around the write that the dry run is not one by the client. It
// returns nil if that condition also guards other code.
func (x *Fixer) SkipForClient(f *Finding) []analysis.SuggestedFix {
	if len(f.Path) > 0 && f.Source.Kind != Global || f.Write.Call == nil {
		return nil
	}
	w := x.place(f, f.Write.Call.Expr)
	if w == nil || w.dryRun.shape != Strategy {
		return nil
	}
	guard := w.guard()
	if guard == nil {
		return nil
	}
	message := "Skip the write if " + w.dryRun.text + " == " + w.dryRun.client
	return []analysis.SuggestedFix{{Message: message, TextEdits: append(w.dryRun.imports, *guard)}}
}

// guard returns the edit that adds a condition such as "&& o.DryRun != DryRunClient" to
// the condition around the write. It returns nil if that condition also guards other
// code.
func (w *fixable) guard() *analysis.TextEdit {
	if len(w.ancestors) < 2 || w.dryRun.client == "" {
		return nil
	}
	block, ok := w.ancestors[0].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	around, ok := w.ancestors[1].(*ast.IfStmt)
	if !ok || around.Body != block || around.Else != nil || around.Init != nil || !w.isOnlyWrite(block.List) {
		return nil
	}
	if !w.dryRun.knownAt(w.fixer.pass, around.Pos()) {
		return nil
	}
	text := " && " + w.dryRun.text + " != " + w.dryRun.client
	if b, ok := around.Cond.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		cond := "(" + w.file.Text(around.Cond) + ")" + text
		return &analysis.TextEdit{Pos: around.Cond.Pos(), End: around.Cond.End(), NewText: []byte(cond)}
	}
	return &analysis.TextEdit{Pos: around.Cond.End(), End: around.Cond.End(), NewText: []byte(text)}
}

// isOnlyWrite reports whether a list of statements contains only the write and the
// check of its error.
func (w *fixable) isOnlyWrite(list []ast.Stmt) bool {
	if len(list) == 0 || len(list) > 2 || list[0] != w.stmt {
		return false
	}
	if len(list) == 1 {
		return true
	}
	check, ok := list[1].(*ast.IfStmt)
	if !ok || check.Else != nil || check.Init != nil {
		return false
	}
	cond, ok := check.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ {
		return false
	}
	nothing, ok := cond.Y.(*ast.Ident)
	return ok && nothing.Name == "nil"
}
