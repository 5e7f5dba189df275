package apicall

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Names of patch types in apimachinery.
const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

// patchOf returns the type of a client.Patch. It is "" if the type varies or is not known.
func (p *program) patchOf(v ssa.Value, at ssa.Instruction) string {
	f := p.flow(managerKind)
	found := ""
	for n, s := range f.sources(v, nil, at, nil) {
		t := p.patchFrom(s)
		if t == "" || n > 0 && t != found {
			return ""
		}
		found = t
	}
	return found
}

func (p *program) patchFrom(s source) string {
	if s.value == nil {
		return ""
	}
	if path, name, ok := named(s.value.Type()); ok && path == clientPath {
		switch name {
		case "applyPatch":
			return applyPatch
		case "mergePatch":
			return mergePatch
		}
	}
	switch v := s.value.(type) {
	case *ssa.UnOp:
		g, ok := v.X.(*ssa.Global)
		if !ok || ImportPath(g.Pkg.Pkg) != clientPath {
			return ""
		}
		switch g.Name() {
		case "Apply":
			return applyPatch
		case "Merge":
			return mergePatch
		}
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		if fn == nil {
			return ""
		}
		object, _ := origin(fn).Object().(*types.Func)
		if object == nil || ImportPath(object.Pkg()) != clientPath {
			return ""
		}
		switch object.Name() {
		case "MergeFrom", "MergeFromWithOptions":
			return mergePatch
		case "StrategicMergeFrom", "StrategicMergeFromWithOptions":
			return strategicPatch
		case "RawPatch", "ConstantPatch":
			out := p.flow(managerKind).value(v.Call.Args[0], nil, v, s.frame)
			if out.State == Set && !out.Sometimes {
				return constantString(out.Constant)
			}
		}
	}
	return ""
}
