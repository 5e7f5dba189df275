package apicall

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// untypedKind returns the kind of an object that has no Go type of its own, such as
// *unstructured.Unstructured. The kind is empty if the function that contains the write
// does not show it.
func (p *program) untypedKind(v ssa.Value, at ssa.Instruction) GVK {
	object := withoutInterfaces(v)
	path, name, _ := named(object.Type())
	switch {
	case path == unstructPath && name == "Unstructured":
		if kind := p.kindFromCalls(object, at); kind.Kind != "" {
			return kind
		}
		return p.kindFromMap(object, at)
	case path == metaPath && name == "PartialObjectMetadata":
		if kind := p.kindFromCalls(object, at); kind.Kind != "" {
			return kind
		}
		meta, ok := indexOf(object.Type(), "TypeMeta")
		if !ok {
			return GVK{}
		}
		read := func(field string) string {
			i, ok := indexOf(fieldType(object.Type(), meta), field)
			if !ok {
				return ""
			}
			return p.textAt(object, []step{deref, step(meta), step(i)}, at)
		}
		return kindOf(read("APIVersion"), read("Kind"))
	}
	return GVK{}
}

// textAt returns the string that a value always has at a path, or "".
func (p *program) textAt(v ssa.Value, path []step, at ssa.Instruction) string {
	out := p.flow(managerKind).value(v, path, at, nil)
	if out.noValue || out.State != Set || out.Sometimes {
		return ""
	}
	return constantString(out.Constant)
}

// kindOf returns the kind of an object with this apiVersion and kind.
func kindOf(apiVersion, kind string) GVK {
	if kind == "" {
		return GVK{}
	}
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	return GVK{Group: group, Version: version, Kind: kind}
}

// kindFromCalls returns the kind that calls of SetGroupVersionKind, SetAPIVersion and
// SetKind give an object. It is empty if one of these methods is called twice on the
// object.
func (p *program) kindFromCalls(object ssa.Value, at ssa.Instruction) GVK {
	l := locate(object)
	calls := map[string]*ssa.CallCommon{}
	instrs := map[string]ssa.Instruction{}
	for _, b := range at.Parent().Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				continue
			}
			fn := call.Common().StaticCallee()
			if fn == nil || fn.Signature.Recv() == nil || len(call.Common().Args) != 2 || !follows(at, i) {
				continue
			}
			switch fn.Name() {
			case "SetGroupVersionKind", "SetAPIVersion", "SetKind":
			default:
				continue
			}
			on := locate(call.Common().Args[0])
			if on.root != l.root {
				continue
			}
			if calls[fn.Name()] != nil {
				return GVK{}
			}
			calls[fn.Name()], instrs[fn.Name()] = call.Common(), i
		}
	}
	if c := calls["SetGroupVersionKind"]; c != nil {
		read := func(field string) string {
			i, ok := indexOf(c.Args[1].Type(), field)
			if !ok {
				return ""
			}
			return p.textAt(c.Args[1], []step{step(i)}, instrs["SetGroupVersionKind"])
		}
		return GVK{Group: read("Group"), Version: read("Version"), Kind: read("Kind")}.orNone()
	}
	version, kind := calls["SetAPIVersion"], calls["SetKind"]
	if version == nil || kind == nil {
		return GVK{}
	}
	return kindOf(p.textAt(version.Args[1], nil, instrs["SetAPIVersion"]), p.textAt(kind.Args[1], nil, instrs["SetKind"]))
}

// orNone returns g if its Kind is known, and otherwise the zero value.
func (g GVK) orNone() GVK {
	if g.Kind == "" {
		return GVK{}
	}
	return g
}

// kindFromMap returns the kind in the map literal of an Unstructured's Object.
func (p *program) kindFromMap(object ssa.Value, at ssa.Instruction) GVK {
	i, ok := indexOf(object.Type(), "Object")
	if !ok {
		return GVK{}
	}
	if _, isPointer := object.Type().Underlying().(*types.Pointer); !isPointer {
		return GVK{}
	}
	sources := p.flow(managerKind).sources(object, []step{deref, step(i)}, at, nil)
	if len(sources) != 1 {
		return GVK{}
	}
	made, ok := sources[0].value.(*ssa.MakeMap)
	if !ok || len(sources[0].path) > 0 {
		return GVK{}
	}
	texts := map[string]string{}
	for _, r := range *made.Referrers() {
		update, ok := r.(*ssa.MapUpdate)
		if !ok {
			continue
		}
		key, ok := update.Key.(*ssa.Const)
		if !ok {
			continue
		}
		texts[constantString(key.Value)] = p.textAt(update.Value, nil, update)
	}
	return kindOf(texts["apiVersion"], texts["kind"])
}
