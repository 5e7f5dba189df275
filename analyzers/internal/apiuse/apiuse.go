// Package apiuse finds where Go code chooses a version of a Kubernetes API: types of
// k8s.io/api, typed clients, informers, listers, apply configurations, scheme
// registrations, RBAC markers, and literal group versions.
//
// It knows no target. The rules about deprecated and removed versions look up the uses
// in the lifecycle tables.
package apiuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Analyzer is the helper analyzer that both rules require. Its result is a
// *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetapiuse",
	Doc:              "find the versions of Kubernetes APIs that code uses",
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	ResultType:       reflect.TypeFor[*Result](),
	Run:              func(pass *analysis.Pass) (any, error) { return findAll(pass), nil },
	RunDespiteErrors: true,
}

// Form says how code uses a version.
type Form int

// The forms. For those before Literal, the import determines the version.
const (
	// Type is a mention of a Go type of the version, or of a part of it.
	Type Form = iota
	// Registration makes the whole version known to a scheme.
	Registration
	// Client is a typed client of the kind.
	Client
	// Informer is an informer of the kind.
	Informer
	// Lister is a lister of the kind.
	Lister
	// Apply is an apply configuration of the kind.
	Apply
	// Constructor makes a typed client of the version alone.
	Constructor
	// Marker is a +kubebuilder:rbac marker, which names a group and a resource
	// and no version.
	Marker
	// Literal is a literal group version, with kind or resource.
	Literal
	// Lock is a lock of client-go for leader election, on Endpoints.
	Lock
)

// Use is one place that uses a version of a kind, or a version as a whole.
type Use struct {
	// API is the kind; none for the version as a whole.
	API lifecycle.API
	// GroupVersion is its apiVersion.
	GroupVersion string
	Form         Form
	// Pos and End are the piece of code that names it.
	Pos, End token.Pos
	// Decides is set if this place chooses the version. Other places follow from
	// another choice, like the types of parameters.
	Decides bool
	// Part is set for a type that is only part of the kind.
	Part bool

	// all are the kinds in a version as a whole that the client-go of the code has.
	// For a marker, they are the versions of the kind.
	all []lifecycle.API
	// within are the names of the code around it.
	within string
	// made is set if the code makes an object with fields of the type.
	made bool
	// acknowledged is set if a comment tells another linter to accept it, reasoned if
	// that comment also says why.
	acknowledged, reasoned bool
	// lock is set if it is part of a lock for leader election.
	lock bool
	// declared is the declaration below a marker.
	declared token.Pos
}

// Result contains the uses of a package.
type Result struct {
	// Uses are in order of position; those of versions that no release
	// deprecates or removes are left out.
	Uses []Use

	pass *analysis.Pass
	// kinds are all kinds that the package uses. versions are all group versions that
	// it names, as a whole or in a question about them.
	kinds    map[lifecycle.API]bool
	versions map[string]bool
	// sent are the kinds whose objects are converted to an interface: a client may send
	// them.
	sent map[lifecycle.API]bool
	// asked are the versions that the code compares with, or asks the server
	// about.
	asked map[string]bool
	// permitted are the groups and resources in the package's RBAC markers.
	permitted map[permission]bool
}

// findAll also examines functions that do not compile, because the names in them decide
// about other findings. Unknown types may make the search panic; it is then repeated
// without these functions.
func findAll(pass *analysis.Pass) (r *Result) {
	code := intact.Of(pass)
	if code.Unparsed() {
		// The lost code may choose a version, ask about it or accept it.
		defer func() { r.Uses = nil }()
	}
	if code.Complete() {
		return find(pass)
	}
	defer func() {
		r.Uses = slices.DeleteFunc(r.Uses, func(u Use) bool {
			// Code that is not understood may compare with the version.
			group, version, ok := strings.Cut(u.GroupVersion, "/")
			return code.Says(strconv.Quote(u.GroupVersion)) || ok && code.Says(strconv.Quote(group)) && code.Says(strconv.Quote(version))
		})
	}()
	defer func() {
		if recover() != nil {
			reduced := *pass
			reduced.Files, reduced.TypesInfo = code.Files, code.Info
			r = find(&reduced)
		}
	}()
	return find(pass)
}

func find(pass *analysis.Pass) *Result {
	r := &Result{pass: pass, kinds: map[lifecycle.API]bool{}, versions: map[string]bool{}, asked: map[string]bool{}, sent: map[lifecycle.API]bool{}, permitted: map[permission]bool{}}
	if pass.Module != nil && pass.Module.Version != "" || !aboutKubernetes(pass.Pkg) || servesAPIs(pass) {
		return r
	}
	s := &search{Result: r, packages: map[*types.Package]*apiPackage{}, variables: map[types.Object]ast.Expr{}}
	s.accepted.lines, s.accepted.types = map[*token.File]map[int]bool{}, map[types.Object]bool{}
	for _, f := range pass.Files {
		s.collectVariables(f)
		s.collectAccepted(f)
	}
	for _, f := range pass.Files {
		// Test files do not count. A test that knows the newer version does not make
		// the program use it.
		if !scope.Of(pass).Skipped(f.FileStart) {
			s.file(f)
		}
	}
	return r
}

// aboutKubernetes reports whether a package can name versions of APIs at all.
func aboutKubernetes(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if path := unvendored(p.Path()); strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") {
			return true
		}
	}
	return false
}

// staging are the modules of Kubernetes itself: they have every version that some
// release serves.
var staging = map[string]bool{
	"api": true, "apiextensions-apiserver": true, "apimachinery": true, "apiserver": true, "cli-runtime": true,
	"client-go": true, "cloud-provider": true, "code-generator": true, "component-base": true, "component-helpers": true,
	"controller-manager": true, "kube-aggregator": true, "kube-controller-manager": true, "kube-scheduler": true,
	"kubectl": true, "kubelet": true, "kubernetes": true, "metrics": true, "pod-security-admission": true, "sample-apiserver": true,
}

// servesAPIs reports whether a package is part of Kubernetes itself or of a similar
// server, converts or prints the objects of such a server, or tests it. These packages
// use versions on purpose that others should not use.
func servesAPIs(pass *analysis.Pass) bool {
	path := unvendored(pass.Pkg.Path())
	if rest, ok := strings.CutPrefix(path, "k8s.io/"); ok {
		module, _, _ := strings.Cut(rest, "/")
		if staging[module] {
			return true
		}
	}
	if scope.ForTests(pass) {
		return true
	}
	// The name of the module says nothing about its packages.
	if pass.Module != nil {
		path = strings.TrimPrefix(path, pass.Module.Path)
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch {
		case segment == "conversion", segment == "conversions", segment == "printers":
			return true
		}
	}
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool {
		path := unvendored(p.Path())
		return strings.HasPrefix(path, "k8s.io/apiserver/pkg/registry/") || strings.HasPrefix(path, "k8s.io/kubernetes/pkg/printers")
	})
}

// unvendored is an import path without the prefix up to a vendor directory.
func unvendored(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// ever reports whether some release deprecates or has removed an API.
func ever(api lifecycle.API) bool {
	return api.Deprecated() != 0 || api.Servable().Newest() < lifecycle.Newest
}

// Removed is the release that removed an API: the one in its own history, unless it
// disappeared before, as alpha versions do.
func Removed(api lifecycle.API) lifecycle.Minor {
	first := api.Servable().Newest() + 1
	if planned := api.LifecycleAt(lifecycle.Newest).Removed; planned != 0 {
		first = min(first, planned)
	}
	return first
}

// everWhole reports the same of any kind of a version.
func everWhole(groupVersion string) bool {
	for api := range resources(groupVersion) {
		if ever(api) {
			return true
		}
	}
	return false
}

// resources yields the kinds of a version that have a path of their own.
func resources(groupVersion string) func(yield func(lifecycle.API) bool) {
	return func(yield func(lifecycle.API) bool) {
		for api := range lifecycle.All() {
			if api.GroupVersion() == groupVersion && api.Class() == lifecycle.Resource && !yield(api) {
				return
			}
		}
	}
}

// lookup finds a kind of a version with a path of its own; for a list, its items'.
// Kinds that only a subresource accepts are left out: servers continue to accept bodies
// of old versions there, as they do for evictions.
func lookup(groupVersion, kind string) (lifecycle.API, bool) {
	api, ok := lifecycle.LookupGV(groupVersion, kind)
	if ok && api.Class() == lifecycle.List {
		api = api.Item()
	}
	return api, ok && api.Class() == lifecycle.Resource
}

// lookupResource finds a kind of a version by its plural.
func lookupResource(groupVersion, resource string) (lifecycle.API, bool) {
	for api := range resources(groupVersion) {
		if api.Resource() == resource {
			return api, true
		}
	}
	return lifecycle.API{}, false
}
