package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func depthOf(fr *frame) int {
	if fr == nil {
		return 0
	}
	return fr.depth
}

func tooDeep(fr *frame) bool { return depthOf(fr) >= maxDepth }

// returnsOf returns the instructions that return from a function to its caller.
func returnsOf(fn *ssa.Function) []*ssa.Return {
	var out []*ssa.Return
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.Recover {
			out = append(out, r)
		}
	}
	return out
}

// result returns the setting at a path in result number index of a call.
func (f *flow) result(c *ssa.Call, index int, path []step, fr *frame) outcome {
	common := c.Common()
	if out, ok := f.knownResult(c, path, fr); ok {
		return out
	}
	if common.IsInvoke() {
		return unknown
	}
	callee, inside := f.callee(c, fr)
	if callee == nil {
		return f.program.factResult(f, c, index, path, false, fr)
	}
	if tooDeep(fr) {
		return unknown
	}
	leave, ok := f.enter(c, path, nil, fr)
	if !ok {
		return none
	}
	defer leave()
	out := none
	for _, ret := range returnsOf(callee) {
		if index >= len(ret.Results) {
			return unknown
		}
		out = join(out, f.value(ret.Results[index], path, ret, inside))
	}
	return out
}

// knownResult returns the setting at a path in the result of a library function. It
// returns false for other functions.
func (f *flow) knownResult(c *ssa.Call, path []step, fr *frame) (outcome, bool) {
	common := c.Common()
	if len(path) == 2 && path[0] == deref && path[1] == requestStep {
		// A new request has no settings.
		if fn, _ := calleeOf(common); fn != nil {
			path := ImportPath(fn.Pkg())
			return unset, path == restPath || path == applyPath
		}
	}
	if f.kind == agentKind {
		if fn, _ := calleeOf(common); fn != nil {
			if out, ok := f.configResult(c, fn, path, fr); ok {
				return out, true
			}
		}
		if fn := f.program.calledAlias(common); fn != nil {
			return f.configResult(c, fn, path, fr)
		}
	}
	fn := common.StaticCallee()
	if fn == nil {
		return unknown, false
	}
	if target, _, list, ok := applying(common); ok && list {
		// The function returns its receiver.
		if len(path) == 0 || path[0] != deref {
			return unknown, true
		}
		d := definition{origin: changed, at: c, location: locate(target).to(path[1:])}
		d.before = f.definitions(d.location, c)
		return f.settingAfterCall(d, fr), true
	}
	object, _ := origin(fn).Object().(*types.Func)
	if object == nil || len(common.Args) == 0 {
		return unknown, false
	}
	switch ImportPath(object.Pkg()) {
	case clientPath:
		if strings.HasPrefix(object.Name(), "As") && fn.Signature.Recv() != nil {
			return f.structOptions(common.Args[0], unset, c, fr), true
		}
	case resourcePath:
		// A new Helper has no settings.
		return unset, object.Name() == "NewHelper"
	case metaPath:
		if object.Name() == "DeepCopy" && fn.Signature.Recv() != nil {
			return f.value(common.Args[0], path, c, fr), true
		}
		if object.Name() == "NewDeleteOptions" || object.Name() == "NewPreconditionDeleteOptions" {
			return unset, true
		}
	}
	return unknown, false
}
