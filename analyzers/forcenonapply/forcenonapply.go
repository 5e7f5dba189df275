// Package forcenonapply reports patches that set force although they are not apply patches.
// Servers refuse such patches.
package forcenonapply

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

const id = "forcenonapply"

// Analyzer implements the rule forcenonapply.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// kinds maps the content types of patches that have no force to the names of these patches.
var kinds = map[string]string{
	"application/json-patch+json":            "JSON patch",
	"application/merge-patch+json":           "merge patch",
	"application/strategic-merge-patch+json": "strategic merge patch",
}

func run(pass *analysis.Pass) (any, error) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls
	reported := map[ast.Expr]bool{}
	for _, c := range calls {
		kind, ok := kinds[c.Patch]
		if !ok || c.Verb != apicall.VerbPatch || c.Fake || !certainlySet(pass, c.Own.Force) {
			continue
		}
		d := analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: "force on a " + kind + " is refused by the server, which allows it on apply patches only",
		}
		if v := source(pass, c); v != nil {
			if reported[v] {
				continue
			}
			reported[v] = true
			if inSameDeclaration(pass, c, v) {
				d.Pos, d.End = v.Pos(), v.End()
				d.Related = []analysis.RelatedInformation{{Pos: c.Pos(), End: c.End(), Message: "this patch is a " + kind}}
				if !shared(pass, calls, v) {
					d.SuggestedFixes = removal(pass, v)
				}
			} else {
				d.Related = []analysis.RelatedInformation{{Pos: v.Pos(), End: v.End(), Message: "force is set here"}}
			}
		}
		scope.Report(pass, d)
	}
	return nil, nil
}

// certainlySet reports whether force is certainly set, to a value that is not nil.
func certainlySet(pass *analysis.Pass, s apicall.Setting) bool {
	if s.State != apicall.Set {
		return false
	}
	if s.Constant != nil && s.Constant.Kind() == constant.Bool {
		return true
	}
	if s.Value == nil {
		return false
	}
	switch e := ast.Unparen(s.Value).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.AND
	case *ast.CallExpr:
		// ptr.To(force), pointer.Bool(force), or a function of the project that
		// also returns a pointer, which is never nil.
		if len(e.Args) != 1 {
			return false
		}
		t := pass.TypesInfo.TypeOf(e.Args[0])
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsBoolean != 0
	}
	return false
}

// source returns the expression that sets force, or nil if it is not known. The
// expression may be an option among the arguments.
func source(pass *analysis.Pass, c *apicall.Call) ast.Expr {
	for _, arg := range c.Expr.Args {
		if named, ok := types.Unalias(pass.TypesInfo.TypeOf(arg)).(*types.Named); ok && named.Obj().Name() == "forceOwnership" {
			return arg
		}
	}
	v := c.Own.Force.Value
	if v == nil {
		return nil
	}
	t := pass.TypesInfo.TypeOf(v)
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return nil
	}
	return v
}

// inSameDeclaration reports whether v and the call c are in the same declaration. Only
// then is the finding at v.
func inSameDeclaration(pass *analysis.Pass, c *apicall.Call, v ast.Expr) bool {
	for _, f := range pass.Files {
		if f.FileStart > c.Pos() || c.Pos() > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if d.Pos() <= c.Pos() && c.Pos() < d.End() {
				return d.Pos() <= v.Pos() && v.Pos() < d.End()
			}
		}
	}
	return false
}

// shared reports whether an apply also uses the value. A fix must not remove such a
// value.
func shared(pass *analysis.Pass, calls []*apicall.Call, v ast.Expr) bool {
	for _, c := range calls {
		if source(pass, c) == v && (c.Verb != apicall.VerbPatch || kinds[c.Patch] == "") {
			return true
		}
	}
	return false
}

// removal returns the fix that removes the value. The value is a field of a literal, an
// assignment or an argument. removal returns nil if the value cannot be removed.
func removal(pass *analysis.Pass, v ast.Expr) []analysis.SuggestedFix {
	f := edit.Open(pass, v.Pos())
	if f == nil {
		return nil
	}
	remove, ok := without(pass, f, v)
	if !ok {
		return nil
	}
	orphans, ok := f.Orphans(remove)
	if !ok {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("Remove %s", f.Text(v)),
		TextEdits: append(orphans, remove),
	}}
}

func without(pass *analysis.Pass, f *edit.File, v ast.Expr) (analysis.TextEdit, bool) {
	path := enclosing(pass, v)
	for i, n := range path {
		if i == 0 {
			continue
		}
		switch n := n.(type) {
		case *ast.ParenExpr, *ast.KeyValueExpr:
		case *ast.CompositeLit:
			for j, e := range n.Elts {
				if e == path[i-1] {
					return edit.Element(f, n.Elts, j, n.Rbrace), true
				}
			}
			return analysis.TextEdit{}, false
		case *ast.CallExpr:
			// The first argument is no option: in ptr.To(true), true is the value.
			for j, e := range n.Args {
				if e == path[i-1] && j > 0 {
					return edit.Element(f, n.Args, j, n.Rparen), true
				}
			}
			return analysis.TextEdit{}, false
		case *ast.AssignStmt:
			_, block := path[min(i+1, len(path)-1)].(*ast.BlockStmt)
			if block && len(n.Lhs) == 1 && n.Tok == token.ASSIGN {
				return f.Statement(n), true
			}
			return analysis.TextEdit{}, false
		default:
			return analysis.TextEdit{}, false
		}
	}
	return analysis.TextEdit{}, false
}

// enclosing returns the syntax nodes around an expression, from the expression outwards.
func enclosing(pass *analysis.Pass, e ast.Expr) []ast.Node {
	for _, f := range pass.Files {
		if f.FileStart <= e.Pos() && e.Pos() <= f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, e.Pos(), e.End())
			for i, n := range path {
				if n == e {
					return path[i:]
				}
			}
		}
	}
	return nil
}
