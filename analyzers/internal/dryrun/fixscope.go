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

// declare returns the name of a new variable with options, and the edit that declares
// the variable before the write. The name is "" if no name is free. n is a type such as
// CreateOptions, and text returns the code for a name. If an earlier fix declares the
// same constant options in an enclosing scope, declare returns the name and the edit of
// that fix.
func (w *fixable) declare(n *types.Named, constant bool, text func(name string) string) (string, analysis.TextEdit) {
	for _, g := range w.fixer.added {
		if constant && g.constant && g.text == text(g.name) && g.edit.Pos < w.stmt.Pos() && g.scope.Pos() <= w.stmt.Pos() && w.stmt.End() <= g.scope.End() {
			return g.name, g.edit
		}
	}
	verb := strings.TrimSuffix(strings.TrimSuffix(n.Obj().Name(), "s"), "Option")
	verb = strings.TrimPrefix(verb, "SubResource")
	if verb == "" {
		return "", analysis.TextEdit{}
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
		g := addedVar{name: name, scope: scope, text: text(name), constant: constant, edit: w.before(text(name))}
		w.fixer.added = append(w.fixer.added, g)
		return name, g.edit
	}
	return "", analysis.TextEdit{}
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

// readsAgain reports whether the function reads the object again after the write, with
// the same client. If the write is a dry run, such a read may fail, because the object
// does not exist, or may wait forever for a change.
func (w *fixable) readsAgain() bool {
	sel, ok := ast.Unparen(w.call.Expr.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	info := w.fixer.pass.TypesInfo
	client := info.TypeOf(sel.X)
	if client == nil || w.call.ObjectType == nil {
		return false
	}
	found := false
	var visit func(n ast.Node, again bool)
	visit = func(n ast.Node, again bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ForStmt:
				if !again {
					visit(n, true)
					return false
				}
			case *ast.CallExpr:
				read, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if !ok || n.Pos() < w.call.Expr.End() || !again && !strings.HasPrefix(w.call.Method.Name(), "Create") {
					return true
				}
				if (read.Sel.Name == "Get" || read.Sel.Name == "Watch") && sameClient(info, client, read.X) && w.sameObject(n) {
					found = true
				}
			}
			return !found
		})
	}
	visit(w.function, false)
	return found
}

func sameClient(info *types.Info, client types.Type, e ast.Expr) bool {
	t := info.TypeOf(e)
	return t != nil && types.Identical(t, client)
}

// sameObject reports whether a read may return an object of the kind that the write
// stores. The client of a typed clientset is for one kind. Other clients get the object
// as an argument.
func (w *fixable) sameObject(read *ast.CallExpr) bool {
	if w.call.Object == nil || w.call.Receiver == nil {
		return true
	}
	kind := namedOf(w.call.ObjectType)
	for _, a := range read.Args {
		if n := namedOf(w.fixer.pass.TypesInfo.TypeOf(a)); n != nil && kind != nil && n.Obj() == kind.Obj() {
			return true
		}
	}
	sig := w.fixer.pass.TypesInfo.TypeOf(read)
	if t, ok := sig.(*types.Tuple); ok && t.Len() > 0 && kind != nil {
		n := namedOf(t.At(0).Type())
		return n != nil && n.Obj() == kind.Obj()
	}
	return false
}

// returnEarly returns the edits that return from the function before the write in a dry
// run. It returns none if the function has results other than an error.
func (w *fixable) returnEarly() ([]analysis.TextEdit, string) {
	cond := w.condition()
	if cond == "" || w.dryRun.shape != Bool {
		return nil, ""
	}
	var results *ast.FieldList
	switch fn := w.function.(type) {
	case *ast.FuncDecl:
		results = fn.Type.Results
	case *ast.FuncLit:
		results = fn.Type.Results
	}
	text := "return"
	switch {
	case results.NumFields() == 0:
	case results.NumFields() == 1 && types.Identical(w.fixer.pass.TypesInfo.TypeOf(results.List[0].Type), types.Universe.Lookup("error").Type()):
		text = "return nil"
	default:
		return nil, ""
	}
	w.fixer.ended[w.function] = w.stmt.Pos()
	return []analysis.TextEdit{w.before("if " + cond + " {\n" + text + "\n}\n")}, "Return before the write if " + cond
}
