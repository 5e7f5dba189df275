package analyzers

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/apiuse"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Traces finds what an audit log can show of a package: the names it gives
// itself, the old APIs it uses, what it writes. It reports nothing; its result
// is a *Trace.
var Traces = &analysis.Analyzer{
	Name:       "kubevettraces",
	Doc:        "find what an audit log can show of code",
	Requires:   []*analysis.Analyzer{apicall.Analyzer, apiuse.Analyzer, scope.Analyzer},
	ResultType: reflect.TypeFor[*Trace](),
	Run:        trace,
}

// Trace is what an audit log can show of a package. It holds nothing of the
// package's syntax.
type Trace struct {
	// Module is the path of its module, "" where there is none; Package its
	// import path.
	Module, Package string
	// Main is set for a program, whose function main is at MainPos.
	Main    bool
	MainPos token.Position
	// Imports are the packages it imports itself, sorted.
	Imports []string
	// Names are the constants by which it signs requests, Uses the places that
	// name versions of APIs which some release deprecates or removes, Writes the
	// calls that write. Each is in the order of its positions.
	Names  []TracedName
	Uses   []TracedUse
	Writes []TracedWrite
}

// TracedName is a constant by which code signs its requests.
type TracedName struct {
	// Value is the constant; of a text that is put together, the constant part
	// up to its first slash.
	Value string
	// Agent is set for a user agent, or a part of one, and not for a field
	// manager.
	Agent bool
	Pos   token.Position
}

// TracedUse is a place that names the version of an API.
type TracedUse struct {
	// GroupVersion is its apiVersion; Kind and Resource are empty for a version
	// as a whole.
	GroupVersion, Kind, Resource string
	// Decides is set where this place is what chooses the version, Calls where
	// it is a client or an informer.
	Decides, Calls bool
	Pos            token.Position
}

// TracedWrite is a call that writes.
type TracedWrite struct {
	// Group, Version and Kind are what is written, Kind empty where that is not
	// known. Verb and Subresource are as in requests; Verb is "createorupdate"
	// or "createorpatch" for the helpers that do either.
	Group, Version, Kind, Verb, Subresource string
	// Manager is the field manager, where it is one constant.
	Manager string
	Pos     token.Position
}

func trace(pass *analysis.Pass) (any, error) {
	at := func(p token.Pos) token.Position { return pass.Fset.PositionFor(p, false) }
	t := &Trace{Package: apicall.ImportPath(pass.Pkg), Main: pass.Pkg.Name() == "main"}
	if pass.Module != nil {
		t.Module = pass.Module.Path
	}
	for _, p := range pass.Pkg.Imports() {
		t.Imports = append(t.Imports, apicall.ImportPath(p))
	}
	slices.Sort(t.Imports)
	for _, u := range pass.ResultOf[apiuse.Analyzer].(*apiuse.Result).Uses {
		t.Uses = append(t.Uses, TracedUse{
			GroupVersion: u.GroupVersion, Kind: u.API.Kind(), Resource: u.API.Resource(), Decides: u.Decides,
			Calls: u.Form == apiuse.Client || u.Form == apiuse.Informer, Pos: at(u.Pos),
		})
	}
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	for _, c := range calls.Calls {
		if c.Fake || scope.Of(pass).Skipped(c.Pos()) {
			continue
		}
		w := TracedWrite{Group: c.GVK.Group, Version: c.GVK.Version, Kind: c.GVK.Kind, Verb: c.Verb.String(), Subresource: c.Subresource, Pos: at(c.Pos())}
		if v := c.FieldManager.Constant; v != nil && v.Kind() == constant.String {
			w.Manager = constant.StringVal(v)
		}
		t.Writes = append(t.Writes, w)
	}
	for _, f := range pass.Files {
		if scope.Of(pass).Skipped(f.FileStart) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if t.Main && n.Recv == nil && n.Name.Name == "main" {
					t.MainPos = at(n.Name.Pos())
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					t.name(pass, id.Name, n.Value)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if len(n.Lhs) != len(n.Rhs) {
						break
					}
					switch left := left.(type) {
					case *ast.SelectorExpr:
						t.name(pass, left.Sel.Name, n.Rhs[i])
					case *ast.Ident:
						t.name(pass, left.Name, n.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if i < len(n.Values) {
						t.name(pass, id.Name, n.Values[i])
					}
				}
			case *ast.CallExpr:
				if len(n.Args) > 0 {
					t.name(pass, calleeName(n), n.Args[len(n.Args)-1])
				}
			}
			return true
		})
	}
	slices.SortStableFunc(t.Names, func(a, b TracedName) int { return comparePositions(a.Pos, b.Pos) })
	t.Names = slices.Compact(t.Names)
	return t, nil
}

func comparePositions(a, b token.Position) int {
	if c := strings.Compare(a.Filename, b.Filename); c != 0 {
		return c
	}
	return a.Offset - b.Offset
}

// calleeName is the name of the function, method or type that is called.
func calleeName(call *ast.CallExpr) string {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	}
	return ""
}

// name notes what a field, variable, function or option is given that is called
// as those are that hold a field manager or a user agent.
func (t *Trace) name(pass *analysis.Pass, called string, value ast.Expr) {
	called = strings.ToLower(called)
	agent := strings.HasSuffix(called, "useragent")
	if !agent && !strings.HasSuffix(called, "fieldmanager") && !strings.HasSuffix(called, "fieldowner") &&
		!strings.HasSuffix(called, "fieldmanagername") && !strings.HasSuffix(called, "fieldownername") {
		return
	}
	if v := constantText(pass.TypesInfo, value); v != "" {
		t.Names = append(t.Names, TracedName{Value: v, Agent: agent, Pos: pass.Fset.PositionFor(value.Pos(), false)})
	}
}

// constantText is a text that is constant, or up to its first slash is.
func constantText(info *types.Info, e ast.Expr) string {
	e = ast.Unparen(e)
	if v := info.Types[e].Value; v != nil {
		if v.Kind() == constant.String {
			return constant.StringVal(v)
		}
		return ""
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return beforeSlash(leftmost(info, e))
		}
	case *ast.CallExpr:
		if name := calleeName(e); (name == "Sprintf" || name == "Sprint") && len(e.Args) > 0 {
			text, _, _ := strings.Cut(constantText(info, e.Args[0]), "%")
			return beforeSlash(text)
		}
		if len(e.Args) == 1 && info.Types[e.Fun].IsType() { // client.FieldOwner(name)
			return constantText(info, e.Args[0])
		}
	}
	return ""
}

// leftmost is the constant that a sum begins with.
func leftmost(info *types.Info, e ast.Expr) string {
	for {
		e = ast.Unparen(e)
		if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
			return constant.StringVal(v)
		}
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			return ""
		}
		// In "a" + "/" + v, the first two are constant together.
		e = b.X
	}
}

// beforeSlash is what of a beginning is certain to be the first word of a user
// agent.
func beforeSlash(text string) string {
	name, _, ok := strings.Cut(text, "/")
	if !ok {
		return ""
	}
	return name
}
