package objectflow

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// ReadKind says how an object is read.
type ReadKind uint8

const (
	// Get is a read of one object through a Reader of controller-runtime, a typed
	// client, a dynamic client, or a REST request.
	Get ReadKind = iota + 1
	// List is a read of several objects from a client.
	List
	// Cached is a read from a generated lister, or from a store or indexer of
	// client-go's tools/cache. The object is shared with other code, so it must not be
	// changed.
	Cached
)

// Read is a call that returns an object from the server. The zero value is not a read.
type Read struct {
	Kind ReadKind
	Call ssa.CallInstruction
	// Into is the argument that the call fills in. It is nil if the object is a result.
	Into ssa.Value
	// Result is the index of the result that is the object, if Into is nil.
	Result int
}

// Import paths of the known libraries.
const (
	metaPath    = "k8s.io/apimachinery/pkg/apis/meta/v1"
	typesPath   = "k8s.io/apimachinery/pkg/types"
	labelsPath  = "k8s.io/apimachinery/pkg/labels"
	runtimePath = "k8s.io/apimachinery/pkg/runtime"
	unstructPkg = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	restPath    = "k8s.io/client-go/rest"
	cachePath   = "k8s.io/client-go/tools/cache"
	clientPath  = "sigs.k8s.io/controller-runtime/pkg/client"
)

// ReadOf describes a call that reads an object. It recognizes the call by the signature
// of the called function. ok is false for other calls.
func ReadOf(call ssa.CallInstruction) (r Read, ok bool) {
	fn := Callee(call)
	if fn == nil {
		return Read{}, false
	}
	sig, args := fn.Signature(), Args(call)
	params, results := sig.Params(), sig.Results()
	r = Read{Call: call}
	switch fn.Name() {
	case "Get":
		switch {
		case params.Len() >= 3 && len(args) >= 3 && isNamed(params.At(1).Type(), typesPath, "NamespacedName") &&
			(isRuntime(params.At(2).Type(), "Object") || isNamed(params.At(2).Type(), runtimePath, "Object")):
			r.Kind, r.Into = Get, args[2]
			return r, true
		case hasParam(params, metaPath, "GetOptions") && results.Len() == 2 && IsObject(results.At(0).Type()):
			r.Kind = Get
			return r, true
		case isLister(sig) && params.Len() == 1 && isString(params.At(0).Type()) && results.Len() == 2 && IsObject(results.At(0).Type()):
			r.Kind = Cached
			return r, true
		}
	case "List":
		switch {
		case params.Len() >= 2 && len(args) >= 2 && isRuntime(params.At(1).Type(), "ObjectList"):
			r.Kind, r.Into = List, args[1]
			return r, true
		case hasParam(params, metaPath, "ListOptions") && results.Len() == 2 && isList(results.At(0).Type()):
			r.Kind = List
			return r, true
		case isLister(sig) && params.Len() == 1 && isNamed(params.At(0).Type(), labelsPath, "Selector") && results.Len() == 2:
			r.Kind = Cached
			return r, true
		case inCache(fn) && params.Len() == 0 && results.Len() == 1:
			r.Kind = Cached
			return r, true
		}
	case "Into":
		// This call ends a chain that begins with rest.Interface.Get.
		if recv := sig.Recv(); recv != nil && isNamed(recv.Type(), restPath, "Result") && len(args) == 1 && gets(Receiver(call)) {
			r.Kind, r.Into = Get, args[0]
			return r, true
		}
	case "GetByKey", "ByIndex":
		if inCache(fn) && results.Len() > 1 {
			r.Kind = Cached
			return r, true
		}
	}
	return Read{}, false
}

// gets reports whether v is the result of a chain of calls that begins with
// rest.Interface.Get.
func gets(v ssa.Value) bool {
	for range 30 {
		call, ok := v.(*ssa.Call)
		if !ok {
			// rest.Result is a struct, so the method Into is called on a variable.
			a, ok := v.(*ssa.UnOp)
			if !ok {
				return false
			}
			v = a.X
			continue
		}
		fn := Callee(call)
		if fn == nil || apicall.ImportPath(fn.Pkg()) != restPath {
			return false
		}
		recv := fn.Signature().Recv()
		if recv == nil {
			return false // rest.NewRequest, whose verb is set by the method Verb
		}
		if types.IsInterface(recv.Type()) {
			return fn.Name() == "Get"
		}
		v = Receiver(call)
	}
	return false
}

// inCache reports whether a function is a method of a type in tools/cache, such as a store.
func inCache(fn *types.Func) bool {
	return apicall.ImportPath(fn.Pkg()) == cachePath && fn.Signature().Recv() != nil
}

// isLister reports whether a method belongs to a generated lister. lister-gen uses these
// names in all projects.
func isLister(sig *types.Signature) bool {
	if sig.Recv() == nil {
		return false
	}
	n := namedOf(sig.Recv().Type())
	return n != nil && (strings.HasSuffix(n.Obj().Name(), "Lister") || n.Obj().Name() == "ResourceIndexer")
}

// isList reports whether a type is a pointer to a list of objects.
func isList(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		_, parameter := types.Unalias(p.Elem()).(*types.TypeParam)
		return parameter
	}
	for f := range s.Fields() {
		if f.Name() == "Items" {
			return true
		}
	}
	return false
}

func hasParam(params *types.Tuple, path, name string) bool {
	for v := range params.Variables() {
		if isNamed(v.Type(), path, name) {
			return true
		}
	}
	return false
}

// Callee returns the declared function or interface method that a call runs. For an
// instance, it returns the generic function. It returns nil if the call runs a function
// value.
func Callee(call ssa.CallInstruction) *types.Func {
	common := call.Common()
	if common.IsInvoke() {
		return common.Method.Origin()
	}
	f := common.StaticCallee()
	if f == nil {
		return nil
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	fn, _ := f.Object().(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// Args returns the arguments of a call without the receiver. A variadic list is one slice.
func Args(call ssa.CallInstruction) []ssa.Value {
	common := call.Common()
	if !common.IsInvoke() && common.Signature().Recv() != nil && len(common.Args) > 0 {
		return common.Args[1:]
	}
	return common.Args
}

// Receiver returns the receiver of a method call, and nil for the call of a function.
func Receiver(call ssa.CallInstruction) ssa.Value {
	common := call.Common()
	switch {
	case common.IsInvoke():
		return common.Value
	case common.Signature().Recv() != nil && len(common.Args) > 0:
		return common.Args[0]
	}
	return nil
}

// IsObject reports whether a type, or the type to which a pointer points, can be an API
// object. Such a type has the accessors of metav1.Object, or is runtime.Object or a
// type parameter.
func IsObject(t types.Type) bool {
	if isNamed(t, runtimePath, "Object") {
		return true
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if _, ok := types.Unalias(p.Elem()).(*types.TypeParam); ok {
			return true
		}
	}
	if namedOf(t) == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "SetManagedFields")
	_, ok := obj.(*types.Func)
	return ok
}

// namedOf returns the declared type that t is, or to which it points. It returns nil
// for other types.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// isNamed reports whether a type, or the type to which a pointer points, has this
// import path and name.
func isNamed(t types.Type, path, name string) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Name() == name && apicall.ImportPath(n.Obj().Pkg()) == path
}

// isRuntime reports whether a type, or the type to which a pointer points, is a type of
// controller-runtime with this name. It accepts any package of controller-runtime,
// because client.Object has moved between releases.
func isRuntime(t types.Type, name string) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Name() == name && strings.HasPrefix(apicall.ImportPath(n.Obj().Pkg()), "sigs.k8s.io/controller-runtime/")
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
