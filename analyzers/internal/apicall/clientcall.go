package apicall

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// clientOf describes the client that a call returns.
func (p *program) clientOf(call *ssa.Call, fr *frame, depth int) clientInfo {
	common := call.Common()
	fn, args := calleeOf(common)
	if fn == nil {
		fn = p.calledAlias(common)
	}
	if fn == nil {
		return unknownClient
	}
	if c := p.constructors.of(fn); c != nil {
		e := p.calls[common.Pos()]
		if e == nil {
			return unknownClient
		}
		b := p.construction(e, fn, c, call)
		return clientInfo{
			built: b, identity: fn,
			manager: outcome{Setting: b.FieldManager}, dryRun: outcome{Setting: b.DryRun},
			validation: outcome{Setting: b.FieldValidation}, agent: outcome{Setting: b.UserAgent},
		}
	}
	path := ImportPath(fn.Pkg())
	if isFake(path) {
		return clientInfo{fake: true, identity: fn, manager: unset, dryRun: unset, validation: unset, agent: unset}
	}
	if info, ok := p.wrapped(call, fn, path, args, fr, depth); ok {
		return info
	}
	if fn.Type().(*types.Signature).Recv() != nil && len(args) > 0 && isAccessor(fn, path) {
		info := p.client(args[0], call, fr, depth+1)
		switch fn.Name() {
		case "Status":
			info.subresource = "status"
		case "SubResource":
			info.subresource = ""
			if len(args) == 2 {
				info.subresource = p.constantText(args[1], call)
			}
		}
		return info
	}
	if info, ok := p.factClient(call, fn, args, fr, depth); ok {
		return info
	}
	return clientInfo{outside: true, identity: fn}
}

// wrapped describes the client that a wrapping function returns: a wrapper of
// controller-runtime, or the manager of fluxcd/pkg/ssa. It returns false for other
// functions.
func (p *program) wrapped(call *ssa.Call, fn *types.Func, path string, args []ssa.Value, fr *frame, depth int) (clientInfo, bool) {
	if fn.Type().(*types.Signature).Recv() != nil || len(args) == 0 {
		return clientInfo{}, false
	}
	if path == fluxSSAPath && fn.Name() == "NewResourceManager" && len(args) == 3 {
		// The ResourceManager uses Owner.Field as field manager.
		info := p.client(args[0], call, fr, depth+1)
		info.manager = unknown
		if i, ok := indexOf(args[2].Type(), "Field"); ok {
			info.manager = p.flow(managerKind).value(args[2], []step{step(i)}, call, fr)
		}
		return info, true
	}
	if path != clientPath {
		return clientInfo{}, false
	}
	switch fn.Name() {
	case "NewNamespacedClient":
	case "NewDryRunClient", "WithFieldOwner", "WithFieldValidation":
	default:
		return clientInfo{}, false
	}
	info := p.client(args[0], call, fr, depth+1)
	all := outcome{Setting: Setting{State: Set, Elements: []string{"All"}, Complete: true}}
	switch {
	case fn.Name() == "NewDryRunClient":
		info.dryRun = all
	case fn.Name() == "WithFieldOwner" && len(args) == 2:
		info.manager = override(info.manager, p.directValueIn(managerKind, args[1], call, fr))
	case fn.Name() == "WithFieldValidation" && len(args) == 2:
		info.validation = override(info.validation, p.directValueIn(validationKind, args[1], call, fr))
	}
	return info, true
}

// directValueIn returns the setting of an argument that is the value itself, such as
// the name of a field manager, and not options.
func (p *program) directValueIn(k kind, v ssa.Value, at ssa.Instruction, fr *frame) outcome {
	f := p.flow(k)
	out := f.explicit(f.value(v, nil, at, fr), v)
	if e := p.argumentExpr(at, v); e != nil {
		out.Value = e
	}
	return out
}

// isAccessor reports whether a method of a client returns a client for a part of the
// API: a group, a resource, a namespace or a subresource.
func isAccessor(fn *types.Func, path string) bool {
	switch path {
	case clientPath:
		return fn.Name() == "Status" || fn.Name() == "SubResource"
	case managerPath, clusterPath:
		return fn.Name() == "GetClient"
	case dynamicPath, metadataPath, scalePath:
		return true
	case restPath:
		return false
	}
	if fn.Name() == "RESTClient" || isGenerated(path) {
		return true
	}
	// Packages of clientsets, and packages with the clients of one group, also declare
	// constructors.
	return fn.Pkg() != nil && fn.Pkg().Scope().Lookup("NewForConfig") != nil
}
