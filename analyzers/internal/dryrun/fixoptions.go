package dryrun

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// structOptions returns the edits that set DryRun in options of metav1.
func (w *fixable) structOptions(cond string) []analysis.TextEdit {
	options := ast.Unparen(w.call.Options)
	if options == nil {
		return nil
	}
	info := w.fixer.pass.TypesInfo
	t := info.TypeOf(options)
	n := namedOf(t)
	if n == nil || !isOptions(n) {
		return nil
	}
	meta, edits, ok := w.file.Import(options.Pos(), "k8s.io/apimachinery/pkg/apis/meta/v1", "metav1")
	if !ok {
		return nil
	}
	set := func(name string) string { return name + ".DryRun = []string{" + meta + ".DryRunAll}" }
	if id, ok := options.(*ast.Ident); ok {
		return append(edits, w.afterDeclaration(id, cond, set(id.Name))...)
	}
	switch options.(type) {
	case *ast.CompositeLit, *ast.UnaryExpr:
		if _, ok := w.literal(); !ok {
			return nil
		}
	case *ast.CallExpr, *ast.StarExpr:
	default:
		return nil // a pointer to a variable that other code may use
	}
	if !w.movable(options) {
		return nil
	}
	name, declaration := w.declare(n, constantOptions(info, options), cond, func(name string) (string, string) {
		return name + " := " + w.file.Text(options), set(name)
	})
	if name == "" {
		return nil
	}
	return append(append(edits, declaration...), analysis.TextEdit{Pos: options.Pos(), End: options.End(), NewText: []byte(name)})
}

// functionalOptions returns the edits that add client.DryRunAll of controller-runtime.
func (w *fixable) functionalOptions(cond string) []analysis.TextEdit {
	const path = "sigs.k8s.io/controller-runtime/pkg/client"
	args, sig := w.call.Expr.Args, w.call.Method.Signature()
	fixed := sig.Params().Len() - 1
	if !sig.Variadic() || len(args) < fixed || fixed < 1 {
		return nil
	}
	slice, ok := sig.Params().At(fixed).Type().(*types.Slice)
	if !ok {
		return nil
	}
	n := namedOf(slice.Elem())
	if n == nil || !isOptions(n) {
		return nil
	}
	pkg, edits, ok := w.file.Import(w.call.Expr.Pos(), path, "client")
	if !ok {
		return nil
	}
	add := func(name string) string { return name + " = append(" + name + ", " + pkg + ".DryRunAll)" }
	if w.call.Expr.Ellipsis.IsValid() {
		id, ok := ast.Unparen(args[len(args)-1]).(*ast.Ident)
		if !ok {
			return nil
		}
		return append(edits, w.afterDeclaration(id, cond, add(id.Name))...)
	}
	listed := args[fixed:]
	if len(listed) == 0 {
		last := args[fixed-1]
		name, declaration := w.declare(n, true, cond, func(name string) (string, string) {
			return "var " + name + " []" + pkg + "." + n.Obj().Name(), add(name)
		})
		if name == "" {
			return nil
		}
		return append(append(edits, declaration...), analysis.TextEdit{Pos: last.End(), End: last.End(), NewText: []byte(", " + name + "...")})
	}
	if fix := w.optionsStruct(listed, cond); fix != nil {
		return fix
	}
	var texts []string
	for _, a := range listed {
		if !w.movable(a) {
			return nil
		}
		texts = append(texts, w.file.Text(a))
	}
	name, declaration := w.declare(n, false, cond, func(name string) (string, string) {
		return name + " := []" + pkg + "." + n.Obj().Name() + "{" + strings.Join(texts, ", ") + "}", add(name)
	})
	if name == "" {
		return nil
	}
	return append(append(edits, declaration...), analysis.TextEdit{Pos: listed[0].Pos(), End: listed[len(listed)-1].End(), NewText: []byte(name + "...")})
}

// optionsStruct returns the edits that set DryRun in options that are a struct, such as
// &client.CreateOptions{}. It returns nil if there are none.
func (w *fixable) optionsStruct(listed []ast.Expr, cond string) []analysis.TextEdit {
	for _, a := range listed {
		n := namedOf(w.fixer.pass.TypesInfo.TypeOf(a))
		if n == nil || !isOptions(n) {
			continue
		}
		field, _, _ := types.LookupFieldOrMethod(n, true, nil, "DryRun")
		if v, ok := field.(*types.Var); !ok || !types.Identical(v.Type(), types.NewSlice(types.Typ[types.String])) {
			continue
		}
		meta, edits, ok := w.file.Import(a.Pos(), "k8s.io/apimachinery/pkg/apis/meta/v1", "metav1")
		if !ok {
			continue
		}
		set := func(name string) string { return name + ".DryRun = []string{" + meta + ".DryRunAll}" }
		inner := ast.Unparen(a)
		if u, ok := inner.(*ast.UnaryExpr); ok && u.Op == token.AND {
			inner = ast.Unparen(u.X)
		}
		switch e := inner.(type) {
		case *ast.Ident:
			if more := w.afterDeclaration(e, cond, set(e.Name)); more != nil {
				return append(edits, more...)
			}
		case *ast.CompositeLit:
			if !lacksDryRun(e) || !w.movable(a) {
				continue
			}
			name, declaration := w.declare(n, false, cond, func(name string) (string, string) {
				return name + " := " + w.file.Text(a), set(name)
			})
			if name != "" {
				return append(append(edits, declaration...), analysis.TextEdit{Pos: a.Pos(), End: a.End(), NewText: []byte(name)})
			}
		}
	}
	return nil
}

// helper returns the edits that call DryRun on cli-runtime's resource.Helper.
func (w *fixable) helper(cond string) []analysis.TextEdit {
	sel, ok := ast.Unparen(w.call.Expr.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(w.fixer.pass.TypesInfo.TypeOf(sel.X), true, nil, "DryRun")
	method, ok := obj.(*types.Func)
	if !ok || method.Signature().Params().Len() != 1 || method.Signature().Results().Len() != 1 {
		return nil // this version of cli-runtime has no such method
	}
	fset := w.fixer.pass.Fset
	if fset.Position(sel.X.End()).Line == fset.Position(sel.Sel.Pos()).Line {
		return []analysis.TextEdit{{Pos: sel.X.End(), End: sel.X.End(), NewText: []byte(".DryRun(" + cond + ")")}}
	}
	return []analysis.TextEdit{{Pos: sel.Sel.Pos(), End: sel.Sel.Pos(), NewText: []byte("DryRun(" + cond + ").\n" + w.file.Indent(sel.Sel.Pos()))}}
}

// receiver returns the edit that sets the field for a dry run of the call's receiver. The
// receiver must be a local variable, because other code may use a parameter or field.
func (w *fixable) receiver(cond string) []analysis.TextEdit {
	field := dryRunOfReceiver(w.call)
	if field == nil {
		return nil
	}
	id := w.call.Receiver.(*ast.Ident)
	obj, ok := w.fixer.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || obj.Kind() != types.LocalVar || obj.Pos() < w.function.Pos() || obj.Pos() > w.stmt.Pos() {
		return nil
	}
	return []analysis.TextEdit{w.before(id.Name + "." + field.Name() + " = " + cond + "\n")}
}

// afterDeclaration adds a statement that changes the options in a local variable. If
// the dry run is known at the variable's declaration and no code assigns the variable
// again, the statement follows the declaration. It then applies to all writes that use
// the variable. Otherwise the statement is directly before the write. Code for dry runs
// at that place gets the statement.
func (w *fixable) afterDeclaration(id *ast.Ident, cond, statement string) []analysis.TextEdit {
	obj, ok := w.fixer.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || obj.Kind() != types.LocalVar || obj.Pos() < w.function.Pos() || obj.Pos() > w.stmt.Pos() {
		return nil // a parameter, or a variable of another function
	}
	if _, pointer := obj.Type().Underlying().(*types.Pointer); pointer {
		if _, ok := w.literalOf(id, nil).(*ast.CompositeLit); !ok {
			return nil // it may be nil
		}
	}
	path, _ := astutil.PathEnclosingInterval(w.file.Syntax(), obj.Pos(), obj.Pos())
	for i := range path[:max(len(path)-1, 0)] {
		s, ok := path[i].(ast.Stmt)
		if !ok || !listed(path[i+1], s) {
			continue
		}
		switch s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
		default:
			return w.inDryRun(cond, "", statement)
		}
		if !w.dryRun.knownAt(w.fixer.pass, s.End()) || w.assignedAgain(obj, s) {
			break
		}
		if list := statements(path[i+1]); list[len(list)-1] != s {
			if check := w.simpleCheck(list[slices.Index(list, s)+1], cond); check != nil {
				return []analysis.TextEdit{w.atEnd(check, statement)}
			}
		}
		text := indented(strings.TrimSuffix(conditional(cond, statement), "\n"), w.file.Indent(s.Pos()))
		return []analysis.TextEdit{{Pos: s.End(), End: s.End(), NewText: []byte("\n" + text)}}
	}
	return w.inDryRun(cond, "", statement)
}

// assignedAgain reports whether code assigns a variable after its declaration. Such an
// assignment would discard the dry run that a fix sets after the declaration.
func (w *fixable) assignedAgain(obj *types.Var, decl ast.Stmt) bool {
	again := false
	ast.Inspect(w.declaration, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a != decl {
			for _, l := range a.Lhs {
				id, ok := ast.Unparen(l).(*ast.Ident)
				again = again || ok && w.fixer.pass.TypesInfo.Uses[id] == obj
			}
		}
		return true
	})
	return again
}
