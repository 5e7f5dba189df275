package analyzers

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/apiplace"
	"github.com/kubevet/kubevet/analyzers/internal/apiuse"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Traces finds what an audit log can show of a package: the names in its requests, the
// deprecated or removed APIs that it uses, and its writes. It reports no findings. Its
// result is a *Trace.
var Traces = &analysis.Analyzer{
	Name:             "kubevettraces",
	Doc:              "find what an audit log can show of code",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer, apiplace.Analyzer, apiuse.Analyzer, scope.Analyzer},
	ResultType:       reflect.TypeFor[*Trace](),
	Run:              intact.Run(trace),
	RunDespiteErrors: true,
}

// Trace is what an audit log can show of a package. It does not refer to the package's
// syntax, which the garbage collector can free.
type Trace struct {
	// Module is the path of the package's module, or "" if there is no module. Package is
	// the package's import path.
	Module, Package string
	// Main is set for package main. MainPos is the position of its function main.
	Main    bool
	MainPos token.Position
	// Imports are the import paths of the packages that this package imports directly,
	// sorted.
	Imports []string
	// Names are the constants that the package uses as field managers or user agents.
	// Uses are the places that name API versions which a Kubernetes release deprecates
	// or removes. Writes are the calls that write. Places are the calls that read, the
	// writes of dynamic clients, and the expressions that name an API. All lists are in
	// order of position.
	Names  []TracedName
	Uses   []TracedUse
	Writes []TracedWrite
	Places []TracedPlace

	known *knownTexts // nil after the analysis
}

// TracedName is a constant that code uses as a field manager, a user agent or a program
// name.
type TracedName struct {
	// Value is the constant. If only the beginning of a text is constant, Value is the
	// beginning before its first slash.
	Value string
	// Agent is set for a user agent or a part of a user agent. It is not set for a field
	// manager.
	Agent bool
	// Program is set for a name that the program compares with its own name: a case of a
	// switch in a function that reads os.Args[0].
	Program bool
	Pos     token.Position
}

// TracedPlace is code that sends a request to an API, or that names an API.
type TracedPlace struct {
	// Group, Version, Kind and Resource name the API. AnyGroup is set if the group is not
	// known. Kind or Resource may be empty.
	Group                   string
	AnyGroup                bool
	Version, Kind, Resource string
	// Verb is the verb of the request, as in audit logs. It is "informer" for code that
	// lists and watches, and empty for code that only names the API.
	Verb string
	// Cached is set for a read that may be answered from the client's cache.
	Cached bool
	Pos    token.Position
}

// TracedUse is a place that names a deprecated or removed API version.
type TracedUse struct {
	// GroupVersion is the apiVersion, such as apps/v1beta1. Kind and Resource are empty if
	// the code names the version without a kind.
	GroupVersion, Kind, Resource string
	// Decides is set if the code at this place chooses the version. Calls is set if the
	// place is a client or an informer.
	Decides, Calls bool
	Pos            token.Position
}

// TracedWrite is a call that writes.
type TracedWrite struct {
	// Group, Version and Kind name the kind of the written object. Kind is empty if it is
	// not known. Verb and Subresource are as in audit logs. Verb is "createorupdate" or
	// "createorpatch" for the functions of controller-runtime with these names.
	Group, Version, Kind, Verb, Subresource string
	// AnyGroup is set if the group is not known. Group is then empty.
	AnyGroup bool
	// Manager is the field manager if it is constant, and otherwise empty.
	Manager string
	Pos     token.Position
}

func trace(pass *analysis.Pass) (any, error) {
	at := func(p token.Pos) token.Position { return pass.Fset.PositionFor(p, false) }
	t := &Trace{Package: apicall.ImportPath(pass.Pkg), Main: pass.Pkg.Name() == "main"}
	t.known = newKnownTexts(pass)
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
	asked := pass.ResultOf[apiplace.Analyzer].(*apiplace.Result)
	for _, p := range asked.Places {
		t.Places = append(t.Places, TracedPlace{
			Group: p.API.Group, AnyGroup: p.API.AnyGroup, Version: p.API.Version, Kind: p.API.Kind, Resource: p.API.Resource,
			Verb: p.Verb, Cached: p.Cached, Pos: at(p.Pos),
		})
	}
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	for _, c := range calls.Calls {
		if c.Fake || scope.Of(pass).Skipped(c.Pos()) {
			continue
		}
		w := TracedWrite{Group: c.GVK.Group, Version: c.GVK.Version, Kind: c.GVK.Kind, Verb: c.Verb.String(), Subresource: c.Subresource, Pos: at(c.Pos())}
		if _, known := apicall.KindOf(c.ObjectType); !known && w.Group == "" && c.ObjectType != nil {
			w.AnyGroup = true
			if n, ok := types.Unalias(c.ObjectType).(*types.Named); ok && w.Kind != "" {
				if group, version, known := asked.Group(n.Obj().Pkg()); known {
					w.Group, w.AnyGroup = group, false
					w.Version = cmp.Or(w.Version, version)
				}
			}
		}
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
				if strings.HasSuffix(strings.ToLower(n.Name.Name), "useragent") && n.Body != nil {
					t.returned(pass, n)
				}
				if t.Main && n.Body != nil {
					t.dispatched(pass, n.Body)
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
				t.argument(pass, n)
			}
			return true
		})
	}
	slices.SortStableFunc(t.Names, func(a, b TracedName) int { return comparePositions(a.Pos, b.Pos) })
	t.Names = slices.Compact(t.Names)
	t.known = nil
	return t, nil
}

func comparePositions(a, b token.Position) int {
	if c := strings.Compare(a.Filename, b.Filename); c != 0 {
		return c
	}
	return a.Offset - b.Offset
}
