package apicall

import (
	"go/types"
	"strings"
)

// shape describes the parameters of a function that writes. Indexes are those of its
// parameters without the receiver; absent ones are -1.
type shape struct {
	family      Family
	verb        Verb
	subresource string

	object       int // what is written
	patchType    int // types.PatchType
	patch        int // client.Patch
	options      int
	subresources int // first of a variadic list of subresources
	client       int // the client, for plain functions
	manager      int // a field manager given as a string

	option optionType
	fake   bool
}

// shapes recognises functions that write, by signature. It caches its answers and is
// not safe for concurrent use.
type shapes map[*types.Func]*shape

// of returns the shape of fn if it is a write, and nil otherwise.
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
		// Only the end of a chain is a write. Walking back finds what it writes, see
		// request.go.
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

// method recognises the methods of clients.
func (sh *shape) method(fn *types.Func, sig *types.Signature, path string) bool {
	params := sig.Params()
	if params.Len() == 0 {
		return false
	}
	if !isContext(params.At(0).Type()) && sh.early(fn, sig, path) {
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

// runtime recognises the methods of controller-runtime's client.Writer and
// client.SubResourceWriter, also on other types that declare them.
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
		// The object is only a name, but the call has no other.
	}
	if params.Len() != want {
		return false
	}
	if sub {
		sh.family = RuntimeSubresource
	} else if _, name, _ := named(sig.Recv().Type()); name == "StatusWriter" {
		// Up to controller-runtime 0.13 the status writer took the options of
		// the object.
		sh.family, sh.subresource = RuntimeSubresource, "status"
	}
	return true
}

// helper recognises the methods of cli-runtime's resource.Helper.
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

// fluxManager recognises the writes of fluxcd/pkg/ssa. All of them apply with
// force and with the owner of the manager they are called on.
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

// function recognises plain functions.
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
		// cluster-api's helper applies with force; the manager is its third
		// parameter.
		sh.family, sh.verb, sh.client, sh.manager, sh.object = Wrapper, VerbApply, 1, 2, 3
		return params.Len() >= 4 && isString(params.At(2).Type())
	}
	return false
}
