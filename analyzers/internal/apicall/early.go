package apicall

import "go/types"

// beforeContext recognizes the methods of generated and dynamic clients before
// client-go 0.18. They have no context parameter. Only deletes and the methods of
// dynamic clients have options.
func (sh *shape) beforeContext(fn *types.Func, sig *types.Signature, path string) bool {
	sh.family = Typed
	if path == dynamicPath {
		sh.family = Dynamic
	} else if !isGenerated(path) {
		return false
	}
	name, params := fn.Name(), sig.Params()
	at := func(i int) types.Type { return params.At(i).Type() }
	n := params.Len()
	if sig.Variadic() {
		n-- // without the subresources
		if !isString(types.Unalias(at(n)).(*types.Slice).Elem()) {
			return false
		}
		sh.subresources = n
	}
	option := func(i int) bool {
		o, ok := optionOf(at(i))
		if ok && o.vocabulary == metaOptions {
			sh.option, sh.options = o, i
		}
		return ok
	}
	switch name {
	case "Create", "Update", "UpdateStatus":
		sh.verb, sh.object = VerbUpdate, 0
		switch name {
		case "Create":
			sh.verb = VerbCreate
		case "UpdateStatus":
			sh.subresource = "status"
		}
		return (n == 1 || n == 2 && option(1)) && isObjectLike(at(0)) && sig.Results().Len() == 2
	case "Patch":
		sh.verb, sh.patchType, sh.object = VerbPatch, 1, 2
		return (n == 3 || n == 4 && option(3)) && isString(at(0)) && isNamed(at(1), typesPath, "PatchType") && isBytes(at(2))
	case "Delete":
		sh.verb = VerbDelete
		return n == 2 && isString(at(0)) && option(1)
	case "DeleteCollection":
		sh.verb = VerbDeleteCollection
		return n == 2 && option(0) && isNamed(at(1), metaPath, "ListOptions")
	case "UpdateScale":
		sh.verb, sh.subresource, sh.object = VerbScale, "scale", 1
		return n == 2 && isString(at(0)) && isObjectLike(at(1))
	case "UpdateApproval":
		sh.verb, sh.subresource, sh.object = VerbApproval, "approval", 0
		return n == 1 && isObjectLike(at(0))
	case "CreateToken":
		sh.verb, sh.subresource, sh.object = VerbToken, "token", 1
		return n == 2 && isString(at(0)) && isObjectLike(at(1))
	case "Bind":
		sh.verb, sh.subresource, sh.object = VerbBind, "binding", 0
		return n == 1 && isObjectLike(at(0))
	case "Finalize":
		sh.verb, sh.subresource, sh.object = VerbUpdate, "finalize", 0
		return n == 1 && isObjectLike(at(0))
	}
	return false
}
