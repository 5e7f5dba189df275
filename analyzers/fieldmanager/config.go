package fieldmanager

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/owner"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// userAgent returns the edits that set the user agent of a configuration before a call
// builds a client from it. If the configuration is the result of a call, the edits
// first store it in a variable. userAgent returns nil unless the function that contains
// the call also makes the configuration. It also returns the part of the code that runs
// after the edits.
//
// The user agent is the name, a slash, and client-go's default with the version and the
// platform. The edits do not use rest.AddUserAgent, because it appends the name, and
// the server reads only the text before the first slash.
func userAgent(pass *analysis.Pass, call *ast.CallExpr, config ast.Expr, name owner.Name) ([]analysis.TextEdit, span) {
	if config == nil || strings.Contains(name.Value, "/") {
		return nil, span{}
	}
	f := edit.Open(pass, call.Pos())
	block, stmt, fn := around(pass, call)
	if f == nil || stmt == nil || fn == nil || !hasField(pass.TypesInfo.TypeOf(config), "UserAgent") || !(&maker{pass: pass, fn: fn}).makes(config) {
		return nil, span{}
	}
	var variable, text string
	var replaced []analysis.TextEdit
	switch config := ast.Unparen(config).(type) {
	case *ast.Ident:
		variable = config.Name
		if pass.TypesInfo.Uses[config].Pos() >= stmt.Pos() {
			return nil, span{} // the statement itself declares the variable
		}
	case *ast.CallExpr:
		if !isEvaluatedOnce(stmt, call) {
			return nil, span{}
		}
		if variable = unusedName(f.Syntax()); variable == "" {
			return nil, span{}
		}
		text = variable + " := " + f.Text(config) + "\n"
		replaced = []analysis.TextEdit{{Pos: config.Pos(), End: config.End(), NewText: []byte(variable)}}
	default:
		return nil, span{} // a literal
	}
	pkg, edits, ok := f.Import(stmt.Pos(), "k8s.io/client-go/rest", "rest")
	if !ok {
		return nil, span{}
	}
	// The file is formatted after the edit, so the text needs no indentation.
	start := name.Expr + ` + "/"`
	if name.Expr == strconv.Quote(name.Value) {
		start = strconv.Quote(name.Value + "/")
	}
	text += variable + ".UserAgent = " + start + " + " + pkg + ".DefaultKubernetesUserAgent()\n"
	edits = append(edits, analysis.TextEdit{Pos: stmt.Pos(), End: stmt.Pos(), NewText: []byte(text)})
	return append(edits, replaced...), span{stmt.Pos(), block.End()}
}

// maker finds the configurations that a function makes for itself. A fix changes only
// these: other code may use any other configuration at the same time, and the fix of the
// code that makes it suffices.
type maker struct {
	pass *analysis.Pass
	fn   ast.Node            // *ast.FuncDecl or *ast.FuncLit
	seen map[*types.Var]bool // the variables whose values are being checked
}

// makes reports whether the function makes the configuration that an expression holds.
func (m *maker) makes(config ast.Expr) bool {
	switch config := ast.Unparen(config).(type) {
	case *ast.Ident:
		v, ok := m.pass.TypesInfo.Uses[config].(*types.Var)
		return ok && m.variable(v)
	case *ast.UnaryExpr:
		return structLiteral(config) != nil
	case *ast.CallExpr:
		return m.call(config)
	}
	return false
}

// variable reports whether the function declares a variable, and makes each of the
// configurations that it assigns to it. It returns false for parameters, and for
// variables of an outer function.
func (m *maker) variable(v *types.Var) bool {
	typ, body := parts(m.fn)
	inside := body.Pos() <= v.Pos() && v.Pos() < body.End()
	if typ.Results != nil && typ.Results.Pos() <= v.Pos() && v.Pos() < typ.Results.End() {
		inside = true
	}
	if !inside {
		return false
	}
	if m.seen[v] {
		return true // an assignment such as cfg = rest.CopyConfig(cfg)
	}
	if m.seen == nil {
		m.seen = map[*types.Var]bool{}
	}
	m.seen[v] = true
	made, assigned := true, false
	assign := func(names []ast.Expr, values []ast.Expr) {
		for i, name := range names {
			id, ok := ast.Unparen(name).(*ast.Ident)
			if !ok || len(values) == 0 || m.pass.TypesInfo.ObjectOf(id) != v {
				continue
			}
			value := values[0] // a call with several results
			if len(values) == len(names) {
				value = values[i]
			}
			assigned, made = true, made && m.makes(value)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, name := range n.Names {
				names = append(names, name)
			}
			assign(names, n.Values)
		}
		return true
	})
	return assigned && made
}

// parts returns the type and the body of a function.
func parts(fn ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	if lit, ok := fn.(*ast.FuncLit); ok {
		return lit.Type, lit.Body
	}
	decl := fn.(*ast.FuncDecl)
	return decl.Type, decl.Body
}

// call reports whether a call returns a new configuration. Methods return the
// configuration of their receiver, except those that load a kubeconfig. Other packages
// than main may share the configuration that a function of the module returns.
func (m *maker) call(call *ast.CallExpr) bool {
	name := apicall.CalledName(call)
	if name == nil {
		return false
	}
	obj := m.pass.TypesInfo.Uses[name]
	if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
		return name.Name == "ClientConfig" || name.Name == "ToRESTConfig"
	}
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	if m.pass.Pkg.Name() != "main" && m.ours(obj.Pkg()) {
		return false
	}
	return all(call.Args, func(arg ast.Expr) bool {
		t := m.pass.TypesInfo.TypeOf(arg)
		switch {
		case t == nil:
			return false
		case hasField(t, "UserAgent"):
			return m.makes(arg) // rest.CopyConfig
		}
		return !holdsConfig(t)
	})
}

// ours reports whether a package belongs to the module.
func (m *maker) ours(pkg *types.Package) bool {
	if module := moduleOf(m.pass); module != "" {
		return strings.HasPrefix(pkg.Path()+"/", module+"/")
	}
	return sameProject(pkg.Path(), m.pass.Pkg.Path())
}

// holdsConfig reports whether a value can hold a configuration that other code uses, too:
// a manager, or a context.
func holdsConfig(t types.Type) bool {
	if name := typeName(t); name != nil && name.Pkg() != nil && name.Pkg().Path() == "context" {
		return true
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetConfig")
	return obj != nil
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

// around returns the innermost block that contains e, the statement in this block that
// contains e, and the function that contains the block. They are nil if e is not in a
// function.
func around(pass *analysis.Pass, e ast.Expr) (block ast.Node, stmt ast.Stmt, fn ast.Node) {
	for _, f := range pass.Files {
		if f.FileStart > e.Pos() || e.Pos() > f.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(f, e.Pos(), e.End())
		for i, n := range path {
			switch n.(type) {
			case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
				if block == nil && i > 0 {
					block = n
					stmt, _ = path[i-1].(ast.Stmt)
				}
			case *ast.FuncDecl, *ast.FuncLit:
				return block, stmt, n
			}
		}
	}
	return nil, nil, nil
}
