// Package rawoptions reports code that overwrites all options of its caller to make a write
// a dry run.
package rawoptions

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule rawoptions.
var Analyzer = &analysis.Analyzer{
	Name:             "rawoptions",
	Doc:              scope.Doc("rawoptions"),
	URL:              scope.URL("rawoptions"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if !pass.ResultOf[apicall.Analyzer].(*apicall.Result).Relevant {
		return nil, nil
	}
	for _, f := range pass.Files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				inspect(pass, fn)
			}
		}
	}
	return nil, nil
}

func inspect(pass *analysis.Pass, fn *ast.FuncDecl) {
	params := map[types.Object]bool{}
	for _, field := range fn.Type.Params.List {
		for _, name := range field.Names {
			if obj := pass.TypesInfo.Defs[name]; obj != nil && isOptions(obj.Type()) {
				params[obj] = true
			}
		}
	}
	if len(params) == 0 {
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && len(a.Lhs) == len(a.Rhs) {
			for i := range a.Lhs {
				check(pass, params, a.Lhs[i], a.Rhs[i])
			}
		}
		return true
	})
}

// check reports an assignment to an options parameter, or to the value to which it
// points, if the assigned literal contains a dry run.
func check(pass *analysis.Pass, params map[types.Object]bool, to, from ast.Expr) {
	target := ast.Unparen(to)
	if star, ok := target.(*ast.StarExpr); ok {
		target = ast.Unparen(star.X)
	}
	id, ok := target.(*ast.Ident)
	if !ok || !params[pass.TypesInfo.Uses[id]] {
		return
	}
	from = ast.Unparen(from)
	if u, ok := from.(*ast.UnaryExpr); ok && u.Op == token.AND {
		from = ast.Unparen(u.X)
	}
	lit, ok := from.(*ast.CompositeLit)
	if !ok {
		return
	}
	dryRun := element(lit, "DryRun")
	if dryRun == nil || mentions(pass, lit, pass.TypesInfo.Uses[id]) {
		return
	}
	d := analysis.Diagnostic{
		Pos: to.Pos(), End: lit.End(),
		Message: fmt.Sprintf("the dry run replaces %s, so the caller's other options are lost (%s); set only %s.DryRun", id.Name, unsetFields(pass.TypesInfo.TypeOf(lit), lit), id.Name),
	}
	if len(lit.Elts) == 1 {
		d.SuggestedFixes = []analysis.SuggestedFix{{
			Message: "Set only " + id.Name + ".DryRun",
			TextEdits: []analysis.TextEdit{
				{Pos: to.Pos(), End: to.End(), NewText: []byte(id.Name + ".DryRun")},
				{Pos: from.Pos(), End: dryRun.Pos()},
				{Pos: dryRun.End(), End: lit.End()},
			},
		}}
		if u := addressOf(pass, lit); u != nil {
			d.SuggestedFixes[0].TextEdits[1].Pos = u.Pos()
		}
	}
	scope.Report(pass, d)
}

// addressOf returns the & in front of a literal, or nil.
func addressOf(pass *analysis.Pass, lit *ast.CompositeLit) (found *ast.UnaryExpr) {
	for _, f := range pass.Files {
		if lit.Pos() < f.FileStart || lit.Pos() >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND && ast.Unparen(u.X) == lit {
				found = u
			}
			return n != nil && n.Pos() <= lit.Pos() && lit.End() <= n.End()
		})
	}
	return found
}

// element returns the value of a field in a literal, or nil if the literal does not set it.
func element(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

// mentions reports whether a literal uses the parameter. Such a literal may keep
// options of the caller.
func mentions(pass *analysis.Pass, lit *ast.CompositeLit, param types.Object) bool {
	found := false
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && pass.TypesInfo.Uses[id] == param {
			found = true
		}
		return !found
	})
	return found
}

// unsetFields returns the names of up to three fields that the literal does not set.
func unsetFields(t types.Type, lit *ast.CompositeLit) string {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var names []string
	for i := range st.NumFields() {
		f := st.Field(i)
		if f.Embedded() || f.Name() == "Raw" || element(lit, f.Name()) != nil {
			continue
		}
		if names = append(names, f.Name()); len(names) == 3 {
			break
		}
	}
	return strings.Join(names, ", ")
}

// isOptions reports whether a type is a struct of options, in metav1 or controller-runtime.
func isOptions(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !strings.HasSuffix(n.Obj().Name(), "Options") {
		return false
	}
	path := n.Obj().Pkg().Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	return path == "k8s.io/apimachinery/pkg/apis/meta/v1" || path == "sigs.k8s.io/controller-runtime/pkg/client"
}
