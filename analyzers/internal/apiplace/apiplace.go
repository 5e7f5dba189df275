// Package apiplace finds where Go code sends requests to an API, or names an API. It finds
// reads and watches of typed, dynamic and controller-runtime clients, writes of dynamic
// clients, informers, and literal groups, versions and resources. Package apicall finds the
// other writes.
//
// The places connect the requests in an audit log with code. They include custom resources.
// Package apiplace does not depend on tables of Kubernetes API versions, unlike package
// apiuse.
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

// Analyzer finds the places of one package. Its result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetplaces",
	Doc:              "find where code asks for Kubernetes APIs",
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	ResultType:       reflect.TypeFor[*Result](),
	FactTypes:        []analysis.Fact{new(apiFact), new(groupFact)},
	Run:              intact.Run(func(pass *analysis.Pass) (any, error) { return find(pass), nil }),
	RunDespiteErrors: true,
}

// API is the API at a place. Kind, Resource or both are known.
type API struct {
	// Group is the API group. AnyGroup is set if the group is not known, and Group is then
	// empty.
	Group    string
	AnyGroup bool
	// Examples: Version "v1beta1", Kind "Widget", Resource "widgets".
	Version, Kind, Resource string
}

// Place is code that sends a request to an API, or that names an API.
type Place struct {
	API API
	// Verb is the verb of the request, as in audit logs. It is Informer for code that lists
	// and watches, and empty for a place that only names the API.
	Verb string
	// Cached is set if the client can answer a read from its cache, as clients of
	// controller-runtime's managers do.
	Cached bool
	Pos    token.Pos
}

// Informer is the verb of code that lists and watches.
const Informer = "informer"

// Result contains the places of a package.
type Result struct {
	// Places is in order of position.
	Places []Place

	search *search
}

// Group returns the API group and version of the Go types in an imported package. It
// finds them in the package's path, in a constant, or in the types that the package
// registers. known is false if the group is not found. version is "" if it is not
// known.
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
		return r // the package sends requests only in tests
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

// search searches one package for places.
type search struct {
	pass   *analysis.Pass
	result *Result
	// values maps each variable that is set exactly once to its value. It maps other
	// variables to nil.
	values map[types.Object]ast.Expr
	// registeredGroup is the group and version that the package registers for its API
	// types.
	registeredGroup groupFact
	// named has the expressions of the current file that already belong to a place.
	named map[ast.Node]bool
	// untyped has the objects of the current file whose kind is set by method calls.
	untyped map[types.Object]*untyped
}

func (s *search) add(api API, verb string, pos token.Pos) {
	if api.Version == "" || api.Kind == "" && api.Resource == "" {
		return
	}
	s.result.Places = append(s.result.Places, Place{API: api, Verb: verb, Pos: pos})
}
