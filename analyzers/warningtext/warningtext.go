// Package warningtext reports warnings of admission webhooks and API servers that the
// kube-apiserver drops or cuts before a client sees them. With the flag advise, it also
// reports warnings that are longer than Kubernetes advises.
//
// It checks the constant parts of the texts. A text that is built at run time is at least
// as long as its constant parts.
package warningtext

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "warningtext"

const (
	webhook  = "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	recorder = "k8s.io/apiserver/pkg/warning"
)

// reviews has the packages that declare AdmissionResponse.
var reviews = []string{"k8s.io/api/admission/v1", "k8s.io/api/admission/v1beta1", "k8s.io/kubernetes/pkg/apis/admission"}

// Analyzer implements the rule warningtext.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
		RunDespiteErrors: true,
	}
	advise := a.Flags.Bool("advise", false, "report warnings that are longer than the documentation advises, too")
	a.Run = intact.Run(func(pass *analysis.Pass) (any, error) { return run(pass, *advise) })
	return a
}

// checker checks one package.
type checker struct {
	pass *analysis.Pass
	// lists has the variables that become the warnings of a response.
	lists    map[types.Object]bool
	reported map[token.Pos]bool
	// advise is set if the checker also reports texts that reach clients but are longer
	// than Kubernetes advises.
	advise bool
}

func run(pass *analysis.Pass, advise bool) (any, error) {
	if !slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
		path := edit.Unvendored(p.Path())
		return path == webhook || path == recorder || slices.Contains(reviews, path)
	}) {
		return nil, nil
	}
	c := &checker{pass: pass, lists: map[types.Object]bool{}, reported: map[token.Pos]bool{}, advise: advise}
	c.each(func(n ast.Node, results *types.Tuple) { c.sink(n, results) })
	if len(c.lists) > 0 {
		c.each(func(n ast.Node, _ *types.Tuple) { c.filled(n) })
	}
	return nil, nil
}

// each calls visit for the nodes of all checked files. results are the results of the
// innermost function around the node, or nil.
func (c *checker) each(visit func(n ast.Node, results *types.Tuple)) {
	for _, f := range c.pass.Files {
		if scope.Of(c.pass).Skipped(f.FileStart) {
			continue
		}
		var open []*types.Tuple
		var nodes []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				switch nodes[len(nodes)-1].(type) {
				case *ast.FuncDecl, *ast.FuncLit:
					open = open[:len(open)-1]
				}
				nodes = nodes[:len(nodes)-1]
				return true
			}
			nodes = append(nodes, n)
			switch n := n.(type) {
			case *ast.FuncDecl:
				var results *types.Tuple
				if fn, ok := c.pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
					results = fn.Signature().Results()
				}
				open = append(open, results)
			case *ast.FuncLit:
				var results *types.Tuple
				if sig, ok := c.pass.TypesInfo.TypeOf(n).(*types.Signature); ok {
					results = sig.Results()
				}
				open = append(open, results)
			}
			var results *types.Tuple
			if len(open) > 0 {
				results = open[len(open)-1]
			}
			visit(n, results)
			return true
		})
	}
}

// sink checks a node in which texts become warnings.
func (c *checker) sink(n ast.Node, results *types.Tuple) {
	info := c.pass.TypesInfo
	switch n := n.(type) {
	case *ast.CompositeLit:
		if isWarnings(info.TypeOf(n)) {
			c.list(n)
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && responseField(info.Uses[key]) {
			c.list(n.Value)
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, lhs := range n.Lhs {
			if sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr); ok && responseField(info.Uses[sel.Sel]) {
				c.list(n.Rhs[i])
			}
		}
	case *ast.ReturnStmt:
		if results != nil && results.Len() == len(n.Results) {
			for i, e := range n.Results {
				if isWarnings(results.At(i).Type()) {
					c.list(e)
				}
			}
		}
	case *ast.CallExpr:
		c.call(n)
	}
}

// call checks a call of a function that takes warnings.
func (c *checker) call(n *ast.CallExpr) {
	if fun, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := c.pass.TypesInfo.Uses[fun].(*types.Builtin); ok && b.Name() == "append" && isWarnings(c.pass.TypesInfo.TypeOf(n)) {
			c.list(n)
		}
		return
	}
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	switch path := edit.Unvendored(fn.Pkg().Path()); {
	case path == webhook && fn.Name() == "WithWarnings":
		if n.Ellipsis.IsValid() && len(n.Args) == 1 {
			c.list(n.Args[0])
		} else if !n.Ellipsis.IsValid() {
			c.texts(n.Args)
		}
	case path == recorder && fn.Name() == "AddWarning" && len(n.Args) == 3:
		c.agent(n.Args[1])
		c.checkText(n.Args[2], c.text(n.Args[2]), false)
	}
}

// list checks a list of warnings. If the list is a variable, list records it in
// c.lists.
func (c *checker) list(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		if _, ok := underlying(c.pass.TypesInfo.TypeOf(e)).(*types.Slice); ok {
			c.texts(e.Elts)
		}
	case *ast.CallExpr:
		if tv := c.pass.TypesInfo.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			c.list(e.Args[0])
			return
		}
		fun, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if b, builtin := c.pass.TypesInfo.Uses[fun].(*types.Builtin); !ok || !builtin || b.Name() != "append" || len(e.Args) == 0 {
			return
		}
		c.list(e.Args[0])
		if e.Ellipsis.IsValid() {
			c.list(e.Args[len(e.Args)-1])
		} else {
			c.texts(e.Args[1:])
		}
	case *ast.Ident:
		if v, ok := c.pass.TypesInfo.Uses[e].(*types.Var); ok && (v.Kind() == types.LocalVar || v.Kind() == types.ResultVar) {
			c.lists[v] = true
		}
	}
}

// filled checks the values that code assigns to variables that are lists of warnings.
func (c *checker) filled(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, lhs := range n.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && c.lists[c.pass.TypesInfo.ObjectOf(id)] {
				c.list(n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Names) == len(n.Values) && c.lists[c.pass.TypesInfo.Defs[name]] {
				c.list(n.Values[i])
			}
		}
	}
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// isWarnings reports whether a type is admission.Warnings of controller-runtime.
func isWarnings(t types.Type) bool {
	if t == nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Warnings" && named.Obj().Pkg() != nil && edit.Unvendored(named.Obj().Pkg().Path()) == webhook
}

// responseField reports whether a field contains the warnings of an AdmissionResponse.
func responseField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField() && v.Name() == "Warnings" && v.Pkg() != nil && slices.Contains(reviews, edit.Unvendored(v.Pkg().Path()))
}
