// Package swallowedwarnings reports Kubernetes clients that discard the warnings of API
// servers. Servers warn about deprecated APIs and about fields without effect, and pass on
// warnings from admission webhooks.
//
// It checks the values of client-go's warning handlers in assignments and literals, without
// data flow. It does not report a handler that comes from other code.
package swallowedwarnings

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

const id = "swallowedwarnings"

const (
	clientRest        = "k8s.io/client-go/rest"
	controllerRuntime = "sigs.k8s.io/controller-runtime/pkg/client"
)

// Analyzer implements the rule swallowedwarnings.
var Analyzer = &analysis.Analyzer{
	Name:             id,
	Doc:              scope.Doc(id),
	URL:              scope.URL(id),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	FactTypes:        []analysis.Fact{new(discards)},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

// discards is the fact about a type whose warning handlers do nothing. A variable that
// holds such a handler has the fact, too.
type discards struct{}

func (*discards) AFact()         {}
func (*discards) String() string { return "discards warnings" }

// checker checks one package.
type checker struct {
	pass *analysis.Pass
	// values has the values of each variable of the package. A value is nil if it is
	// not known, or assigned after the declaration.
	values map[types.Object][]ast.Expr
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{pass: pass, values: map[types.Object][]ast.Expr{}}
	c.emptyMethods()
	if !c.imports(func(path string) bool { return path == clientRest || path == controllerRuntime }) {
		return nil, nil
	}
	for _, f := range pass.Files {
		ast.Inspect(f, c.collect)
	}
	c.emptyVariables()
	if c.server() || c.generic() || testing(pass.Pkg.Path()) {
		return nil, nil
	}
	for _, f := range pass.Files {
		if scope.Of(pass).Skipped(f.FileStart) {
			continue
		}
		c.file(f)
	}
	return nil, nil
}

func (c *checker) imports(match func(path string) bool) bool {
	return slices.ContainsFunc(c.pass.Pkg.Imports(), func(p *types.Package) bool { return match(edit.Unvendored(p.Path())) })
}

// server reports whether the package is part of an API server or a proxy. The clients
// of an API server call that server, and those of a proxy pass on the warnings.
func (c *checker) server() bool {
	return c.imports(func(path string) bool {
		if rest, ok := strings.CutPrefix(path, "k8s.io/apiserver/pkg/"); ok {
			// Other programs use parts of the library that do not make a server, such as
			// server/healthz.
			return rest == "server" || rest == "server/options" || strings.HasPrefix(rest, "registry/") || strings.HasPrefix(rest, "endpoints/") || rest == "warning"
		}
		return strings.HasPrefix(path, "k8s.io/kube-aggregator/pkg/apiserver") ||
			path == "net/http/httputil" || path == "k8s.io/apimachinery/pkg/util/proxy"
	})
}

// generic reports whether the package only has clients for any kind of object. Such a
// package reads all versions that a server has, and so does not choose a deprecated
// version.
func (c *checker) generic() bool {
	return c.imports(func(path string) bool {
		return path == "k8s.io/client-go/dynamic" || path == "k8s.io/client-go/discovery" || path == "k8s.io/client-go/metadata"
	}) && !c.imports(func(path string) bool {
		return path == "k8s.io/client-go/kubernetes" || path == controllerRuntime || path == "sigs.k8s.io/controller-runtime"
	})
}

// testing reports whether a package is for tests.
func testing(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		switch element {
		case "test", "tests", "e2e", "testing", "testutil", "testutils":
			return true
		}
	}
	return false
}

// collect records the values that code assigns to variables.
func (c *checker) collect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				c.noteValue(lhs, n.Rhs[i])
			}
			if len(n.Lhs) != len(n.Rhs) || n.Tok != token.DEFINE {
				c.noteValue(lhs, nil) // the value is one of several
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) == len(n.Names) {
				c.noteValue(name, n.Values[i])
			} else if len(n.Values) > 0 {
				c.noteValue(name, nil)
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.noteValue(n.X, nil)
		}
	}
	return true
}

func (c *checker) noteValue(lhs, rhs ast.Expr) {
	if id, ok := lhs.(*ast.Ident); ok {
		if v, ok := c.pass.TypesInfo.ObjectOf(id).(*types.Var); ok {
			c.values[v] = append(c.values[v], rhs)
		}
	}
}

// file checks the places in a file that set handlers.
func (c *checker) file(f *ast.File) {
	var path []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			for i, lhs := range n.Lhs {
				sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr)
				if !ok {
					continue
				}
				if field := c.pass.TypesInfo.Uses[sel.Sel]; handlerField(field) && !c.copied(sel.X) && !c.isConditional(path) && !c.explained(f, n) {
					c.check(n.Rhs[i], thisClient, field.Name())
				}
			}
		case *ast.KeyValueExpr:
			c.field(f, path, n)
		case *ast.CallExpr:
			fn := callee(c.pass.TypesInfo, n)
			if fn == nil || fn.Pkg() == nil || edit.Unvendored(fn.Pkg().Path()) != clientRest || len(n.Args) != 1 {
				break
			}
			switch fn.Name() {
			case "SetDefaultWarningHandler", "SetDefaultWarningHandlerWithContext":
				// This setting silences all clients of the program. Only a
				// comment in the code that starts the program can justify
				// it. In a constructor or a library, a comment is about one
				// client.
				if !c.isConditional(path) && !(c.isStart(path) && c.explained(f, n)) {
					c.check(n.Args[0], "every client of the program", fn.Name())
				}
			}
		}
		return true
	})
}

const thisClient = "this client"

// field checks a field of a composite literal.
func (c *checker) field(f *ast.File, path []ast.Node, kv *ast.KeyValueExpr) {
	key, ok := kv.Key.(*ast.Ident)
	if !ok {
		return
	}
	obj := c.pass.TypesInfo.Uses[key]
	handler, suppress := handlerField(obj), fieldOf(obj, controllerRuntime, "SuppressWarnings")
	if !handler && !suppress || c.isConditional(path) || c.explained(f, kv) {
		return
	}
	if handler {
		c.check(kv.Value, thisClient, obj.Name())
	} else if tv := c.pass.TypesInfo.Types[kv.Value]; tv.Value != nil && tv.Value.String() == "true" {
		c.report(kv, thisClient+throwsAway+": leave the option out", c.unsuppress(path, kv))
	}
}

// handlerField reports whether a field holds the warning handler of a client.
func handlerField(obj types.Object) bool {
	return fieldOf(obj, clientRest, "WarningHandler") || fieldOf(obj, clientRest, "WarningHandlerWithContext")
}

func fieldOf(obj types.Object, path, name string) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField() && v.Name() == name && v.Pkg() != nil && edit.Unvendored(v.Pkg().Path()) == path
}

const throwsAway = " throws away the warnings of the API server"

// check reports a handler that does nothing. who is the text for the clients, and what
// is the field or function that sets the handler.
func (c *checker) check(handler ast.Expr, who, what string) {
	if !c.empty(handler, 0) {
		return
	}
	advice, fixes := c.replacement(handler, strings.HasSuffix(what, "WithContext"))
	c.report(handler, who+throwsAway+": "+advice, fixes)
}

func (c *checker) report(n ast.Node, message string, fixes []analysis.SuggestedFix) {
	scope.Report(c.pass, analysis.Diagnostic{Pos: n.Pos(), End: n.End(), Message: message, SuggestedFixes: fixes})
}
