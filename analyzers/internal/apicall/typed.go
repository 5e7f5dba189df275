package apicall

import (
	"go/types"
	"strings"
)

// typed recognizes the methods of clients that take options of apimachinery: generated
// clients of any project, and clients of the packages dynamic, metadata and scale.
func (sh *shape) typed(fn *types.Func, sig *types.Signature, path string) bool {
	params := sig.Params()
	if !isContext(params.At(0).Type()) {
		return false
	}
	sh.family = Typed
	switch path {
	case dynamicPath:
		sh.family = Dynamic
	case metadataPath:
		sh.family = Metadata
	case scalePath:
		sh.family = Scale
	}
	n, opts := params.Len(), sh.options
	at := func(i int) types.Type { return params.At(i).Type() }
	trailing := n == opts+1
	if sig.Variadic() && n == opts+2 && isString(types.Unalias(at(n-1)).(*types.Slice).Elem()) {
		sh.subresources, trailing = n-1, true
	}
	name := fn.Name()
	generated := isGenerated(path)
	sh.verb = optionKinds[sh.option.kind]
	switch sh.option.kind {
	case "Patch":
		if opts < 4 || !isNamed(at(opts-2), typesPath, "PatchType") || !isBytes(at(opts-1)) || !isString(at(opts-3)) {
			return false
		}
		sh.patchType, sh.object = opts-2, opts-1
		if sh.family == Scale {
			sh.subresource = "scale"
		}
		return trailing && (name == "Patch" || generated && strings.HasPrefix(name, "Patch"))
	case "Delete":
		if name == "DeleteCollection" {
			sh.verb = VerbDeleteCollection
			return opts == 1 && n == 3 && isNamed(at(2), metaPath, "ListOptions")
		}
		return trailing && opts == 2 && isString(at(1)) && (name == "Delete" || generated)
	case "Apply", "Create", "Update":
		sh.object = opts - 1
		if !trailing || opts < 2 {
			return false
		}
	default:
		return false
	}
	if sh.family == Typed && sh.option.kind != "Apply" && isNamed(at(sh.object), unstructPath, "Unstructured") {
		sh.family = Dynamic
	}
	if isString(at(sh.object)) || isBytes(at(sh.object)) {
		return false
	}
	if sh.family == Scale {
		sh.verb, sh.subresource = VerbScale, "scale"
		return true
	}
	if opts == 2 && !isObjectLike(at(sh.object)) {
		return false
	}
	rest := strings.TrimPrefix(name, sh.option.kind)
	switch {
	case rest == "" || rest == "Status":
		sh.subresource = strings.ToLower(rest)
		if opts == 2 {
			return true
		}
		// In dynamic.ResourceInterface, Apply and ApplyStatus take the name of the object
		// first.
		if sh.option.kind == "Apply" && opts == 3 && isString(at(1)) {
			if isNamed(at(2), unstructPath, "Unstructured") {
				sh.family = Dynamic
			}
			return true
		}
		return generated
	case rest == "Scale":
		sh.subresource = "scale"
		if sh.option.kind == "Update" {
			sh.verb = VerbScale
		}
	case rest == "Approval":
		sh.verb, sh.subresource = VerbApproval, "approval"
	case rest == "Token":
		sh.verb, sh.subresource = VerbToken, "token"
	case rest == "EphemeralContainers" || rest == "Resize":
		sh.subresource = strings.ToLower(rest)
	case name == "Bind":
		sh.verb, sh.subresource = VerbBind, "binding"
	case name == "Finalize":
		sh.subresource = "finalize"
	case !generated:
		return false
	}
	return generated || sig.Results().Len() > 0 && opts <= 3
}

// optionless recognizes the hand-written methods of generated clients that take no options.
func (sh *shape) optionless(fn *types.Func, sig *types.Signature, path string) bool {
	if !isGenerated(path) {
		return false
	}
	sh.family = Typed
	params := sig.Params()
	last := params.At(params.Len() - 1).Type()
	switch fn.Name() {
	case "Evict", "EvictV1", "EvictV1beta1":
		_, name, _ := named(last)
		sh.verb, sh.subresource, sh.object = VerbEvict, "eviction", params.Len()-1
		return name == "Eviction"
	case "PatchStatus":
		sh.verb, sh.subresource, sh.object = VerbPatch, "status", params.Len()-1
		return isBytes(last)
	case "CreateWithEventNamespace", "CreateWithEventNamespaceWithContext":
		sh.verb, sh.object = VerbCreate, params.Len()-1
	case "UpdateWithEventNamespace", "UpdateWithEventNamespaceWithContext":
		sh.verb, sh.object = VerbUpdate, params.Len()-1
	case "PatchWithEventNamespace", "PatchWithEventNamespaceWithContext":
		sh.verb, sh.object = VerbPatch, params.Len()-1
		return isBytes(last)
	default:
		return false
	}
	_, name, _ := named(last)
	return name == "Event"
}

// isGenerated reports whether an import path is that of a generated typed client.
// client-gen puts these clients below a directory typed, and the bodies of their
// methods into package gentype.
func isGenerated(path string) bool {
	return strings.Contains(path, "/typed/") || path == gentypePath
}

// isObjectLike reports whether a type may be an API object: a pointer to a struct, an
// interface, or a type parameter.
func isObjectLike(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		switch t.Elem().Underlying().(type) {
		case *types.Struct, *types.Interface:
			return true
		}
		_, parameter := types.Unalias(t.Elem()).(*types.TypeParam)
		return parameter
	}
	return types.IsInterface(t)
}
