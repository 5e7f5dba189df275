// Package apiuse finds where Go code chooses a version of a Kubernetes API. It finds types
// of k8s.io/api, typed clients, informers, listers, apply configurations, scheme
// registrations, RBAC markers, and literal group versions.
//
// The result does not depend on a target. The rules deprecatedapi and removedapi compare
// the uses with their target.
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

// Analyzer finds the uses of API versions, for the rules deprecatedapi and removedapi. Its
// result is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "kubevetapiuse",
	Doc:              "find the versions of Kubernetes APIs that code uses",
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer},
	ResultType:       reflect.TypeFor[*Result](),
	Run:              func(pass *analysis.Pass) (any, error) { return findAll(pass), nil },
	RunDespiteErrors: true,
}

// Form says how code uses an API version.
type Form int

// Forms of uses. In the forms before Marker, an import shows the version.
const (
	// Type names a Go type of the version, which is a kind or a part of a kind.
	Type Form = iota
	// Registration adds a whole version to a scheme.
	Registration
	// Client is a typed client of the kind.
	Client
	// Informer is an informer of the kind.
	Informer
	// Lister is a lister of the kind.
	Lister
	// Apply is an apply configuration of the kind.
	Apply
	// Constructor creates a typed client for a single version.
	Constructor
	// Marker is a +kubebuilder:rbac marker. It names a group and a resource, but no
	// version.
	Marker
	// Literal is a literal group version, alone or with a kind or resource.
	Literal
	// Lock is a lock of client-go for leader election that uses Endpoints.
	Lock
)

// Use is a place in the code that uses a version of one kind, or a version with all its
// kinds.
type Use struct {
	// API is the kind. It is zero for a version with all its kinds.
	API lifecycle.API
	// GroupVersion is the apiVersion, such as "policy/v1beta1".
	GroupVersion string
	Form         Form
	// Pos and End are the start and end of the code that names the version.
	Pos, End token.Pos
	// Decides is set if this place chooses the version. The types of parameters, for
	// example, do not choose: code at another place determines their versions.
	Decides bool
	// Part is set for a type that is only a part of the kind, such as a spec.
	Part bool

	// all has the kinds of GroupVersion that exist in the code's client-go, if API is
	// zero. For a marker, it has the versions of the kind.
	all []lifecycle.API
	// within has the lower-case names of the enclosing file, function and type.
	within string
	// createdWithFields is set if the code creates an object of the type and sets
	// fields of it.
	createdWithFields bool
	// acknowledged is set if a comment tells another linter to accept the use. reasoned is
	// set if that comment also gives a reason.
	acknowledged, reasoned bool
	// lock is set if the use is part of a lock for leader election.
	lock bool
	// declaration is the position of the declaration below a marker.
	declaration token.Pos
}

// Result contains the uses of a package.
type Result struct {
	// Uses is in order of position. It has no uses of versions that no release deprecates
	// or removes.
	Uses []Use

	pass *analysis.Pass
	// kinds has all kinds that the package uses. versions has all group versions that
	// the package names. It includes those about which the code only asks the server.
	kinds    map[lifecycle.API]bool
	versions map[string]bool
	// sent has the kinds whose objects the code converts to an interface, so that a
	// client may send them.
	sent map[lifecycle.API]bool
	// asked has the versions in comparisons, and in functions that ask the server about
	// a version.
	asked map[string]bool
	// permissions has the groups and resources in the package's RBAC markers.
	permissions map[permission]bool
}

// findAll returns the uses in a package. It also searches functions that do not
// compile, because a newer version in such a function prevents findings. If unknown
// types make this search panic, findAll searches again without these functions.
func findAll(pass *analysis.Pass) (r *Result) {
	code := intact.Of(pass)
	if code.Unparsed() {
		// The code that was not parsed may choose a version, ask about one, or accept a
		// deprecated one, so nothing is reported.
		defer func() { r.Uses = nil }()
	}
	if code.Complete() {
		return find(pass)
	}
	defer func() {
		r.Uses = slices.DeleteFunc(r.Uses, func(u Use) bool {
			// The code that was skipped may compare with this version.
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
	r := &Result{pass: pass, kinds: map[lifecycle.API]bool{}, versions: map[string]bool{}, asked: map[string]bool{}, sent: map[lifecycle.API]bool{}, permissions: map[permission]bool{}}
	if pass.Module != nil && pass.Module.Version != "" || !importsKubernetes(pass.Pkg) || servesAPIs(pass) {
		return r
	}
	s := &search{Result: r, packages: map[*types.Package]*apiPackage{}, variables: map[types.Object]ast.Expr{}}
	s.accepted.lines, s.accepted.types = map[*token.File]map[int]bool{}, map[types.Object]bool{}
	for _, f := range pass.Files {
		s.collectVariables(f)
		s.collectAccepted(f)
	}
	for _, f := range pass.Files {
		// Test files are skipped. A newer version in a test does not mean that the program uses
		// that version.
		if !scope.Of(pass).Skipped(f.FileStart) {
			s.file(f)
		}
	}
	return r
}

// importsKubernetes reports whether a package imports any package of Kubernetes, and so
// can name API versions.
func importsKubernetes(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if path := unvendored(p.Path()); strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/") {
			return true
		}
	}
	return false
}

// staging lists the modules of Kubernetes itself. They contain every version that some
// release serves.
var staging = map[string]bool{
	"api": true, "apiextensions-apiserver": true, "apimachinery": true, "apiserver": true, "cli-runtime": true,
	"client-go": true, "cloud-provider": true, "code-generator": true, "component-base": true, "component-helpers": true,
	"controller-manager": true, "kube-aggregator": true, "kube-controller-manager": true, "kube-scheduler": true,
	"kubectl": true, "kubelet": true, "kubernetes": true, "metrics": true, "pod-security-admission": true, "sample-apiserver": true,
}

// servesAPIs reports whether a package uses old versions on purpose, because it
// does one of these:
//   - It is a part of Kubernetes or of a similar server.
//   - It converts or prints the objects of such a server.
//   - It tests such a server.
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
	// Examine only the path below the module.
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

// unvendored returns an import path without the prefix up to a vendor directory.
func unvendored(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// deprecatedOrRemoved reports whether some release deprecates or has removed an API.
func deprecatedOrRemoved(api lifecycle.API) bool {
	return api.Deprecated() != 0 || api.Servable().Newest() < lifecycle.Newest
}

// Removed returns the release that removed an API. For an alpha version, that may be an
// earlier release than its lifecycle announced.
func Removed(api lifecycle.API) lifecycle.Minor {
	first := api.Servable().Newest() + 1
	if planned := api.LifecycleAt(lifecycle.Newest).Removed; planned != 0 {
		first = min(first, planned)
	}
	return first
}

// anyDeprecatedOrRemoved reports whether some release deprecates or has removed at
// least one kind of a version.
func anyDeprecatedOrRemoved(groupVersion string) bool {
	for api := range resources(groupVersion) {
		if deprecatedOrRemoved(api) {
			return true
		}
	}
	return false
}

// resources yields the kinds of a version that have their own URL path.
func resources(groupVersion string) func(yield func(lifecycle.API) bool) {
	return func(yield func(lifecycle.API) bool) {
		for api := range lifecycle.All() {
			if api.GroupVersion() == groupVersion && api.Class() == lifecycle.Resource && !yield(api) {
				return
			}
		}
	}
}

// lookup returns a kind of a version. For a list, it returns the kind of the items. It
// does not return kinds that only a subresource accepts, such as Eviction, because
// servers accept all versions of these.
func lookup(groupVersion, kind string) (lifecycle.API, bool) {
	api, ok := lifecycle.LookupGV(groupVersion, kind)
	if ok && api.Class() == lifecycle.List {
		api = api.Item()
	}
	return api, ok && api.Class() == lifecycle.Resource
}

// lookupResource returns the kind of a version with this plural name.
func lookupResource(groupVersion, resource string) (lifecycle.API, bool) {
	for api := range resources(groupVersion) {
		if api.Resource() == resource {
			return api, true
		}
	}
	return lifecycle.API{}, false
}
