// Package apiplace finds where Go code sends requests to an API, or names one:
// reads and watches of typed, dynamic and controller-runtime clients, informers,
// and groups, versions and resources that are spelled out. Writes of all but
// dynamic clients are package apicall's.
//
// It is meant for telling where the requests of an audit log come from: unlike
// package apiuse it knows every API, those of custom resources above all, and
// does not ask what becomes of them.
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

// API is what a place is about. Either Kind or Resource is known, or both.
type API struct {
	// Group is its group; with AnyGroup it is not known, and empty.
	Group    string
	AnyGroup bool
	// Version is its version, such as "v1beta1", Kind such as "Widget" and
	// Resource such as "widgets".
	Version, Kind, Resource string
}

// Place is code that asks for an API.
type Place struct {
	API API
	// Verb is as in requests. It is "informer" for what lists and watches, and
	// empty for a place that only names the API.
	Verb string
	// Cached says that the client may answer a read from what it has listed and
	// watches, as those of controller-runtime's managers do.
	Cached bool
	Pos    token.Pos
}

// Informer is the verb of what lists and watches.
const Informer = "informer"

// Result is what a package asks for.
type Result struct {
	// Places are in order of position.
	Places []Place

	search *search
}

// Group is the group of the API types of a package that the code imports, by the
// package's path, a constant in it, or what it registers; known is false where
// none of these tells. version is what it registers, empty where that is not
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

// search looks through one package.
type search struct {
	pass   *analysis.Pass
	result *Result
	// values are what variables that are set once are set to; nil for others.
	values map[types.Object]ast.Expr
	// own is what the package registers API types of its own as.
	own groupFact
	// named are expressions of the file whose API stands in a place already.
	named map[ast.Node]bool
	// untyped are the objects of the file that calls set the kind of.
	untyped map[types.Object]*untyped
}

func (s *search) add(api API, verb string, pos token.Pos) {
	if api.Version == "" || api.Kind == "" && api.Resource == "" {
		return
	}
	s.result.Places = append(s.result.Places, Place{API: api, Verb: verb, Pos: pos})
}
