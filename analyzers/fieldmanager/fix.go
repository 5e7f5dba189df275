package fieldmanager

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"github.com/kubevet/kubevet/analyzers/internal/writeoptions"
	"github.com/kubevet/kubevet/analyzers/programs"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// warning is part of the message of every fix, because the fix changes the name that the
// server records.
const warning = "; objects keep the entries of the old name in managedFields, which can cause conflicts with applies: see the rule's page before you rename"

// signClient returns the fix that makes a client name a field manager. The name is the
// program's constant for the manager, or else the last element of the module's path
// unless that is generic. signClient returns nil if there is no such name, or no place
// to set it.
func signClient(pass *analysis.Pass, calls []*apicall.Call, k *apicall.Construction) *analysis.SuggestedFix {
	name, ok := owner.Find(pass, k.Pos(), calls)
	if !ok {
		if name, ok = moduleName(pass); !ok {
			return nil
		}
	}
	if k.Family == apicall.Runtime {
		if edits := fieldOwner(pass, k, name); len(edits) > 0 {
			return &analysis.SuggestedFix{Message: "Set FieldOwner to " + name.Expr + warning, TextEdits: edits}
		}
	}
	if edits := userAgent(pass, k, name); len(edits) > 0 {
		return &analysis.SuggestedFix{Message: "Begin the user agent with " + name.Expr + warning, TextEdits: edits}
	}
	return nil
}

// moduleName returns the last element of the module's path as a field manager. It
// returns false for generic names.
func moduleName(pass *analysis.Pass) (owner.Name, bool) {
	name := programs.Base(moduleOf(pass))
	if name == "." || programs.Generic(name) || len(writeoptions.FieldManager(name)) > 0 {
		return owner.Name{}, false
	}
	return owner.Name{Expr: strconv.Quote(name), Value: name}, true
}

// signAll joins the fixes of all clients of a program into one fix. If clients share a
// configuration, it sets the user agent only once.
func signAll(clients []*client) *analysis.SuggestedFix {
	var all *analysis.SuggestedFix
	done := map[types.Object]bool{}
	for _, c := range clients {
		if c.fix == nil || c.config != nil && done[c.config] {
			continue
		}
		edits := slices.DeleteFunc(slices.Clone(c.fix.TextEdits), func(e analysis.TextEdit) bool {
			return all != nil && slices.ContainsFunc(all.TextEdits, func(o analysis.TextEdit) bool {
				return e.Pos == o.Pos && e.End == o.End && bytes.Equal(e.NewText, o.NewText) // both fixes add the same import
			})
		})
		if all == nil {
			all = &analysis.SuggestedFix{Message: c.fix.Message}
		} else if overlap(all.TextEdits, edits) {
			continue // the edits overlap, so the next run fixes this client
		}
		done[c.config] = true
		all.TextEdits = append(all.TextEdits, edits...)
	}
	return all
}

// overlap reports whether two fixes change the same text. Two insertions at one place,
// such as two imports, do not overlap.
func overlap(a, b []analysis.TextEdit) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Pos < y.End && y.Pos < x.End {
				return true
			}
		}
	}
	return false
}

// configVariable returns the variable that holds the configuration of a client. It
// returns nil if the configuration is another expression.
func configVariable(pass *analysis.Pass, k *apicall.Construction) types.Object {
	if config, ok := ast.Unparen(k.Config).(*ast.Ident); ok {
		return pass.TypesInfo.Uses[config]
	}
	return nil
}

// ownerField reports whether the options of a controller-runtime client have a field
// FieldOwner, which exists since 0.23.
func ownerField(k *apicall.Construction) bool {
	if k.Func == nil {
		return false
	}
	params := k.Func.Signature().Params()
	for i := range params.Len() {
		t := params.At(i).Type()
		if hasField(t, "FieldOwner") || hasField(fieldType(t, "Client"), "FieldOwner") {
			return true
		}
	}
	return false
}

// fieldOwner returns the edits that set FieldOwner in client.Options{…}, or in the
// field Client of a manager's options. It returns nil if there is no such literal.
func fieldOwner(pass *analysis.Pass, k *apicall.Construction, name owner.Name) []analysis.TextEdit {
	lit := structLiteral(k.Options)
	if lit == nil {
		return nil
	}
	t := pass.TypesInfo.TypeOf(lit)
	if hasField(t, "FieldOwner") {
		return owner.Field(pass, lit, "FieldOwner", name.Expr)
	}
	options := fieldType(t, "Client")
	if !hasField(options, "FieldOwner") {
		return nil
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Client" {
			if inner := structLiteral(kv.Value); inner != nil {
				return owner.Field(pass, inner, "FieldOwner", name.Expr)
			}
			return nil
		}
	}
	named, ok := types.Unalias(options).(*types.Named)
	f := edit.Open(pass, lit.Pos())
	if !ok || f == nil {
		return nil
	}
	pkg, edits, ok := f.Import(lit.Pos(), edit.Unvendored(named.Obj().Pkg().Path()), "client")
	if !ok {
		return nil
	}
	field := owner.Field(pass, lit, "Client", pkg+"."+named.Obj().Name()+"{FieldOwner: "+name.Expr+"}")
	if len(field) == 0 {
		return nil
	}
	return append(edits, field...)
}

// userAgent returns the edits that set the user agent of a configuration before a
// client is built from it. If the configuration is the result of a call, the edits
// first store it in a variable.
//
// The user agent is the name, a slash, and client-go's default with the version and the
// platform. The edits do not use rest.AddUserAgent, because it appends the name, and
// the server reads only the text before the first slash.
func userAgent(pass *analysis.Pass, k *apicall.Construction, name owner.Name) []analysis.TextEdit {
	if k.Config == nil || strings.Contains(name.Value, "/") {
		return nil
	}
	f := edit.Open(pass, k.Pos())
	stmt := statement(pass, k.Expr)
	if f == nil || stmt == nil || !hasField(pass.TypesInfo.TypeOf(k.Config), "UserAgent") {
		return nil
	}
	var variable, text string
	var replaced []analysis.TextEdit
	switch config := ast.Unparen(k.Config).(type) {
	case *ast.Ident:
		variable = config.Name
	case *ast.CallExpr:
		if !isEvaluatedOnce(stmt, k.Expr) || !returnsConfig(pass, config) {
			return nil
		}
		if variable = unusedName(f.Syntax()); variable == "" {
			return nil
		}
		text = variable + " := " + f.Text(config) + "\n"
		replaced = []analysis.TextEdit{{Pos: config.Pos(), End: config.End(), NewText: []byte(variable)}}
	default:
		return nil
	}
	pkg, edits, ok := f.Import(stmt.Pos(), "k8s.io/client-go/rest", "rest")
	if !ok {
		return nil
	}
	// The file is formatted after the edit, so the text needs no indentation.
	start := name.Expr + ` + "/"`
	if name.Expr == strconv.Quote(name.Value) {
		start = strconv.Quote(name.Value + "/")
	}
	text += variable + ".UserAgent = " + start + " + " + pkg + ".DefaultKubernetesUserAgent()\n"
	return append(append(edits, analysis.TextEdit{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte(text)}), replaced...)
}

// returnsConfig reports whether a call of a package's function without arguments
// returns a configuration. It returns false for the method GetConfig of a manager,
// because the manager has already built its clients.
func returnsConfig(pass *analysis.Pass, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = pass.TypesInfo.Uses[id].(*types.PkgName)
	return ok
}

// isEvaluatedOnce reports whether a statement evaluates e exactly once, and before the
// statement declares anything.
func isEvaluatedOnce(stmt ast.Stmt, e ast.Expr) bool {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.DeclStmt:
		return true
	case *ast.IfStmt:
		return stmt.Init != nil && stmt.Init.Pos() <= e.Pos() && e.End() <= stmt.Init.End()
	}
	return false
}

// unusedName returns a name for a configuration that the file does not use yet. It
// returns "" if all candidates are used.
func unusedName(file *ast.File) string {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, name := range []string{"restConfig", "clientConfig", "kubeConfig"} {
		if !used[name] {
			return name
		}
	}
	return ""
}

// statement returns the statement that contains e and is an element of a block. It
// returns nil if e is in a function literal inside that statement.
func statement(pass *analysis.Pass, e ast.Expr) ast.Stmt {
	for _, f := range pass.Files {
		if f.FileStart > e.Pos() || e.Pos() > f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, e.Pos(), e.End())
		i := slices.IndexFunc(path, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				return true
			}
			return false
		})
		if i > 0 {
			s, _ := path[i-1].(ast.Stmt)
			return s
		}
	}
	return nil
}

// structLiteral returns a struct literal, with or without & before it. It returns nil
// for other expressions.
func structLiteral(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// hasField reports whether a struct, or the struct to which a pointer points, has a
// field with this name.
func hasField(t types.Type, name string) bool { return fieldType(t, name) != nil }

// fieldType returns the type of a field of a struct, or of the struct to which a
// pointer points. It returns nil if there is no such field.
func fieldType(t types.Type, name string) types.Type {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() == name {
			return f.Type()
		}
	}
	return nil
}
