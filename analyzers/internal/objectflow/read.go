package objectflow

import (
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// ReadKind is how an object was obtained.
type ReadKind uint8

const (
	// Get is a read of one object from a client: controller-runtime's Reader, a typed
	// or dynamic client, by signature, or a request built by hand.
	Get ReadKind = iota + 1
	// List is a read of many from a client.
	List
	// Cached is a read from a generated lister, or from a store or indexer of
	// client-go's tools/cache. The object is shared and must not be changed.
	Cached
)

// Read is a call that yields an object as the server holds it. The zero value is not a
// read.
type Read struct {
	Kind ReadKind
	Call ssa.CallInstruction
	// Into is the argument that is filled in; nil if the object is a result.
	Into ssa.Value
	// Result is the index of the result that is the object.
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

// ReadOf recognises reads by the signature of the called function. ok is false for
// every other call.
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
		// The end of a request that was built by hand.
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

// gets reports whether a result comes from a chain of calls that begins with
// rest.Interface.Get.
func gets(v ssa.Value) bool {
	for range 30 {
		call, ok := v.(*ssa.Call)
		if !ok {
			// Result is a struct, so that Into is called on a variable.
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
			return false // rest.NewRequest, whose verb is an argument of Verb
		}
		if types.IsInterface(recv.Type()) {
			return fn.Name() == "Get"
		}
		v = Receiver(call)
	}
	return false
}

// inCache reports whether a method is one of the stores of tools/cache.
func inCache(fn *types.Func) bool {
	return apicall.ImportPath(fn.Pkg()) == cachePath && fn.Signature().Recv() != nil
}

// isLister reports whether a method belongs to a generated lister, of any
// project: lister-gen names them so.
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

// Callee is the declared function or interface method of a call, the generic one for an
// instance; nil for the call of a value.
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

// Args are the arguments of a call without the receiver, a variadic list as
// the one slice it becomes.
func Args(call ssa.CallInstruction) []ssa.Value {
	common := call.Common()
	if !common.IsInvoke() && common.Signature().Recv() != nil && len(common.Args) > 0 {
		return common.Args[1:]
	}
	return common.Args
}

// Receiver is the receiver of a method call; nil for a function.
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

// IsObject reports whether a type, or the type it points to, has the accessors of an
// object's metadata: an API type of any project, unstructured.Unstructured,
// client.Object. runtime.Object has none, but counts too.
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

// namedOf is the declared type that t is or points to, or nil.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// isNamed reports whether a type, or the type it points to, is path.name.
func isNamed(t types.Type, path, name string) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Name() == name && apicall.ImportPath(n.Obj().Pkg()) == path
}

// isRuntime reports whether a type is one of controller-runtime's, in any package in
// which a release declares it: client.Object has moved.
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
