package apicall

import (
	"go/types"
	"strings"
)

// Import paths of the known libraries, without a vendor directory.
const (
	metaPath       = "k8s.io/apimachinery/pkg/apis/meta/v1"
	typesPath      = "k8s.io/apimachinery/pkg/types"
	restPath       = "k8s.io/client-go/rest"
	dynamicPath    = "k8s.io/client-go/dynamic"
	metadataPath   = "k8s.io/client-go/metadata"
	scalePath      = "k8s.io/client-go/scale"
	gentypePath    = "k8s.io/client-go/gentype"
	applyPath      = "k8s.io/client-go/util/apply"
	runtimePath    = "sigs.k8s.io/controller-runtime"
	clientPath     = "sigs.k8s.io/controller-runtime/pkg/client"
	managerPath    = "sigs.k8s.io/controller-runtime/pkg/manager"
	clusterPath    = "sigs.k8s.io/controller-runtime/pkg/cluster"
	createOrPath   = "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	resourcePath   = "k8s.io/cli-runtime/pkg/resource"
	fluxSSAPath    = "github.com/fluxcd/pkg/ssa"
	capiSSAPath    = "sigs.k8s.io/cluster-api/internal/util/ssa"
	unstructPath   = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiPath        = "k8s.io/api/"
	apiExtPath     = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"
	applyConfPath  = "/applyconfigurations/"
	applyConfPath2 = "/applyconfiguration/"
)

// ImportPath returns the import path of a package, without the path up to a vendor
// directory. It returns "" for nil, which is the package of predeclared types.
func ImportPath(pkg *types.Package) string {
	if pkg == nil {
		return ""
	}
	path := pkg.Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}

// named returns the import path and the name of a declared type, or of the declared
// type to which a pointer points. ok is false for other types.
func named(t types.Type) (path, name string, ok bool) {
	if t == nil {
		return "", "", false
	}
	t = types.Unalias(t)
	if p, isPointer := t.(*types.Pointer); isPointer {
		t = types.Unalias(p.Elem())
	}
	n, isNamed := t.(*types.Named)
	if !isNamed {
		return "", "", false
	}
	return ImportPath(n.Obj().Pkg()), n.Obj().Name(), true
}

// isNamed reports whether a type, or the type to which a pointer points, has this
// import path and name.
func isNamed(t types.Type, path, name string) bool {
	p, n, ok := named(t)
	return ok && n == name && p == path
}

// vocabulary is the library that declares a type of options.
type vocabulary uint8

const (
	metaOptions    vocabulary = iota + 1 // structs of apimachinery
	runtimeOptions                       // structs and functional options of controller-runtime
)

// optionKinds maps the names of the options for writes, without the suffix Option or
// Options, to the verbs.
var optionKinds = map[string]Verb{
	"Create": VerbCreate, "Update": VerbUpdate, "Patch": VerbPatch,
	"Apply": VerbApply, "Delete": VerbDelete, "DeleteAllOf": VerbDeleteCollection,
	"SubResourceCreate": VerbCreate, "SubResourceUpdate": VerbUpdate,
	"SubResourcePatch": VerbPatch, "SubResourceApply": VerbApply,
}

// optionType describes a parameter with the options of a write.
type optionType struct {
	vocabulary vocabulary
	kind       string // a key of optionKinds
	pointer    bool   // *metav1.CreateOptions
	functional bool   // client.CreateOption, one of a variadic list
}

// optionOf describes a type of options. It returns false for other types.
func optionOf(t types.Type) (optionType, bool) {
	path, name, ok := named(t)
	if !ok || path != metaPath && path != clientPath {
		return optionType{}, false
	}
	_, pointer := types.Unalias(t).(*types.Pointer)
	o := optionType{vocabulary: metaOptions, pointer: pointer}
	if path == clientPath {
		o.vocabulary = runtimeOptions
	}
	if kind, isStruct := strings.CutSuffix(name, "Options"); isStruct {
		o.kind = kind
	} else if kind, isFunc := strings.CutSuffix(name, "Option"); isFunc && path == clientPath {
		o.kind, o.functional = kind, true
	}
	_, ok = optionKinds[o.kind]
	return o, ok
}

// IsOptions reports whether a type holds the options of a write. It is a struct such as
// metav1.CreateOptions, a pointer to such a struct, an option of controller-runtime, or a
// slice of these.
func IsOptions(t types.Type) bool {
	if s, ok := types.Unalias(t).(*types.Slice); ok {
		t = s.Elem()
	}
	_, ok := optionOf(t)
	return ok
}

// isContext reports whether a type is context.Context.
func isContext(t types.Type) bool { return isNamed(t, "context", "Context") }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// isFake reports whether the package with this path contains test doubles.
func isFake(path string) bool {
	return strings.HasSuffix(path, "/fake") || strings.Contains(path, "/fake/")
}
