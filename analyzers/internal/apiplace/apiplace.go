// Package apiplace finds where Go code sends requests to an API, or names one: reads
// and watches of typed, dynamic and controller-runtime clients, informers, and literal
// groups, versions and resources. Package apicall finds the writes of all but dynamic
// clients.
//
// It locates the code behind the requests of an audit log. So, unlike package apiuse,
// it knows every API, above all those of custom resources, and needs no lifecycle
// tables.
package apiplace

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Analyzer is the helper analyzer. Its result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetplaces",
	Doc:              "find where code asks for Kubernetes APIs",
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	ResultType:       reflect.TypeFor[*Result](),
	FactTypes:        []analysis.Fact{new(apiFact), new(groupFact)},
	Run:              intact.Run(func(pass *analysis.Pass) (any, error) { return find(pass), nil }),
	RunDespiteErrors: true,
}

// API is the API at a place. Kind or Resource is known, or both.
type API struct {
	// Group is its group. With AnyGroup, the group is not known and Group is empty.
	Group    string
	AnyGroup bool
	// Version is its version, such as "v1beta1", Kind such as "Widget" and
	// Resource such as "widgets".
	Version, Kind, Resource string
}

// Place is code that asks for an API.
type Place struct {
	API API
	// Verb is as in requests. It is "informer" for code that lists and watches, and
	// empty for a place that only names the API.
	Verb string
	// Cached says that the client may answer a read from its cache, like the clients of
	// controller-runtime's managers.
	Cached bool
	Pos    token.Pos
}

// Informer is the verb of code that lists and watches.
const Informer = "informer"

// Result contains the requests of a package.
type Result struct {
	// Places are in order of position.
	Places []Place

	search *search
}

// Group is the group of the API types of an imported package. It comes from the
// package's path, a constant in it, or the types that it registers; known is false if
// none of these shows it. version is the registered version; empty if it is not known.
func (r *Result) Group(pkg *types.Package) (group, version string, known bool) {
	if r.search == nil {
		return "", "", false
	}
	group, known = r.search.groupOf(pkg)
	return group, r.search.registered(pkg).Version, known
}

func find(pass *analysis.Pass) *Result {
	r := &Result{}
	if pass.Module != nil && pass.Module.Version != "" {
		return r
	}
	s := &search{pass: pass, result: r, values: map[types.Object]ast.Expr{}}
	r.search = s
	for _, f := range pass.Files {
		s.variables(f)
	}
	s.export()
	if scope.ForTests(pass) {
		return r // it sends requests in tests only
	}
	for _, f := range pass.Files {
		if scope.Of(pass).Skipped(f.FileStart) {
			continue
		}
		s.named = map[ast.Node]bool{}
		s.setters(f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				s.call(n)
			case *ast.CompositeLit:
				s.literal(n)
			}
			return true
		})
	}
	slices.SortStableFunc(r.Places, func(a, b Place) int { return int(a.Pos - b.Pos) })
	return r
}

// search searches one package.
type search struct {
	pass   *analysis.Pass
	result *Result
	// values are the values of variables that are set once; nil for others.
	values map[types.Object]ast.Expr
	// own is the group and version under which the package registers its API types.
	own groupFact
	// named are expressions of the file whose API a place already contains.
	named map[ast.Node]bool
	// untyped are the objects of the file whose kind is set by calls.
	untyped map[types.Object]*untyped
}

func (s *search) add(api API, verb string, pos token.Pos) {
	if api.Version == "" || api.Kind == "" && api.Resource == "" {
		return
	}
	s.result.Places = append(s.result.Places, Place{API: api, Verb: verb, Pos: pos})
}
