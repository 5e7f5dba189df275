package apicall

import (
	"go/types"
	"strings"
)

// shape describes a function that writes. Its numbers are indexes of parameters,
// without the receiver. They are -1 if there is no such parameter.
type shape struct {
	family      Family
	verb        Verb
	subresource string

	object       int // the written object
	patchType    int // the types.PatchType
	patch        int // the client.Patch
	options      int
	subresources int // first of a variadic list of subresources
	client       int // the client, if the function is not a method
	manager      int // the field manager as a string

	option optionType
	fake   bool
}

// shapes recognizes functions that write by signature, and caches the results. It is not
// safe for concurrent use.
type shapes map[*types.Func]*shape

// of returns the shape of a function that writes, and nil for other functions.
func (s shapes) of(fn *types.Func) *shape {
	if fn == nil {
		return nil
	}
	fn = fn.Origin()
	sh, known := s[fn]
	if !known {
		sh = shapeOf(fn)
		s[fn] = sh
	}
	return sh
}

func shapeOf(fn *types.Func) *shape {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || !fn.Exported() {
		return nil
	}
	path := ImportPath(fn.Pkg())
	sh := &shape{object: -1, patchType: -1, patch: -1, options: -1, subresources: -1, client: -1, manager: -1}
	sh.fake = isFake(path)
	known := false
	switch {
	case sig.Recv() == nil:
		known = sh.function(fn, sig, path)
	case isNamed(sig.Recv().Type(), resourcePath, "Helper"):
		known = sh.helper(fn.Name())
	case isNamed(sig.Recv().Type(), restPath, "Request"):
		// Only the end of a chain is a write. request finds the beginning of the chain.
		known = fn.Name() == "Do" || fn.Name() == "DoRaw" || fn.Name() == "Stream"
		sh.family = REST
	case isNamed(sig.Recv().Type(), fluxSSAPath, "ResourceManager"):
		known = sh.fluxManager(fn.Name())
	default:
		known = sh.method(fn, sig, path)
	}
	if !known {
		return nil
	}
	return sh
}

// method recognizes methods of clients.
func (sh *shape) method(fn *types.Func, sig *types.Signature, path string) bool {
	params := sig.Params()
	if params.Len() == 0 {
		return false
	}
	if !isContext(params.At(0).Type()) && sh.beforeContext(fn, sig, path) {
		return true
	}
	last := params.At(params.Len() - 1).Type()
	if sig.Variadic() {
		elem := types.Unalias(last).(*types.Slice).Elem()
		if o, ok := optionOf(elem); ok && o.functional {
			sh.option, sh.options = o, params.Len()-1
			return sh.runtime(fn, sig)
		}
	}
	for i := range params.Len() {
		if o, ok := optionOf(params.At(i).Type()); ok && o.vocabulary == metaOptions && !o.pointer {
			sh.option, sh.options = o, i
			return sh.typed(fn, sig, path)
		}
	}
	return sh.optionless(fn, sig, path)
}

// runtime recognizes the methods of client.Writer and client.SubResourceWriter of
// controller-runtime, and methods of other types with the same names and signatures.
func (sh *shape) runtime(fn *types.Func, sig *types.Signature) bool {
	params := sig.Params()
	if params.Len() < 3 || !isContext(params.At(0).Type()) {
		return false
	}
	kind, sub := strings.CutPrefix(sh.option.kind, "SubResource")
	if fn.Name() != kind {
		return false
	}
	sh.family, sh.verb, sh.object = Runtime, optionKinds[kind], 1
	want := 3
	switch kind {
	case "Patch":
		sh.patch, want = 2, 4
		if !isNamed(params.At(2).Type(), clientPath, "Patch") {
			return false
		}
	case "Create":
		if sub {
			want = 4
		}
	case "Delete", "DeleteAllOf":
		// The object contains only the name. It is still the argument with the object.
	}
	if params.Len() != want {
		return false
	}
	if sub {
		sh.family = RuntimeSubresource
	} else if _, name, _ := named(sig.Recv().Type()); name == "StatusWriter" {
		// Up to controller-runtime 0.13, the status writer takes the options for writes of the
		// object.
		sh.family, sh.subresource = RuntimeSubresource, "status"
	}
	return true
}

// helper recognizes the methods of resource.Helper of cli-runtime.
func (sh *shape) helper(name string) bool {
	sh.family = Helper
	switch name {
	case "Create":
		sh.verb, sh.object = VerbCreate, 2
	case "CreateWithOptions":
		sh.verb, sh.object, sh.options = VerbCreate, 2, 3
	case "Replace":
		sh.verb, sh.object = VerbUpdate, 3
	case "Patch":
		sh.verb, sh.patchType, sh.object, sh.options = VerbPatch, 2, 3, 4
	case "Delete":
		sh.verb = VerbDelete
	case "DeleteWithOptions":
		sh.verb, sh.options = VerbDelete, 2
	default:
		return false
	}
	return true
}

// fluxManager recognizes the methods of the ResourceManager in fluxcd/pkg/ssa that
// write. All of them apply with force. Their field manager is the Owner of the
// ResourceManager.
func (sh *shape) fluxManager(name string) bool {
	sh.family, sh.object = Wrapper, 1
	switch name {
	case "Apply", "ApplyAll", "ApplyAllStaged":
		sh.verb = VerbApply
	case "Delete", "DeleteAll":
		sh.verb = VerbDelete
	default:
		return false
	}
	return true
}

// function recognizes functions that are not methods.
func (sh *shape) function(fn *types.Func, sig *types.Signature, path string) bool {
	params := sig.Params()
	switch {
	case (path == createOrPath || path == runtimePath) && (fn.Name() == "CreateOrUpdate" || fn.Name() == "CreateOrPatch"):
		sh.family, sh.client, sh.object = CreateOr, 1, 2
		sh.verb = VerbCreateOrUpdate
		if fn.Name() == "CreateOrPatch" {
			sh.verb = VerbCreateOrPatch
		}
		return params.Len() >= 4
	case path == capiSSAPath && fn.Name() == "Patch":
		// This helper of cluster-api applies with force. Its third parameter is the field
		// manager.
		sh.family, sh.verb, sh.client, sh.manager, sh.object = Wrapper, VerbApply, 1, 2, 3
		return params.Len() >= 4 && isString(params.At(2).Type())
	}
	return false
}
