package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// unknown is the text for an object whose kind is not known.
const unknown = "an object"

// namesUnknown reports whether a text describes a write to an object of unknown kind.
func namesUnknown(text string) bool { return strings.HasSuffix(text, " "+unknown) }

// passedObject returns the parameter of fn, or the value in fn or in a function that fn
// calls, that a write of unknown kind sends. It returns nil if the value is not known.
func (s *state) passedObject(fn *ssa.Function, w *Write) ssa.Value {
	v := withoutInterface(w.object)
	for i := len(w.Via) - 1; i >= 0; i-- {
		p, ok := v.(*ssa.Parameter)
		if !ok {
			break
		}
		call, ok := w.Via[i].(ssa.CallInstruction)
		if !ok {
			return nil
		}
		callee := call.Common().StaticCallee()
		if callee != p.Parent() && (callee == nil || callee.Origin() != p.Parent()) {
			return nil
		}
		v = withoutInterface(call.Common().Args[slices.Index(p.Parent().Params, p)])
	}
	if p, ok := v.(*ssa.Parameter); ok && p.Parent() != fn {
		return nil
	}
	return v
}

// withKinds returns the texts of writes of fn. It names the objects that fn passes to the
// functions that write, and leaves out reviews. If the objects of unknown kind are one
// parameter of fn, its number is returned too: the first parameter or the receiver has
// number 1.
func (s *state) withKinds(fn *ssa.Function, writes []*Write) (texts []string, param int) {
	for _, w := range writes {
		text := w.Text
		if namesUnknown(text) {
			v := s.passedObject(fn, w)
			p, _ := v.(*ssa.Parameter)
			if i := slices.Index(fn.Params, p); p != nil && kindOf(v) == "" && (param == 0 || param == i+1) {
				param = i + 1
			} else if text = withKind(text, v); text == "" {
				continue
			}
		}
		texts = append(texts, text)
	}
	return texts, param
}

// withKind returns a text with the kind of an object in it. It returns "" if the server
// does not store objects of this kind.
func withKind(text string, object ssa.Value) string {
	kind := kindOf(object)
	switch {
	case kind == "":
		return text
	case strings.HasSuffix(kind, "Review") || kind == "TokenRequest" || kind == "Event" || kind == "Lease":
		return ""
	}
	return strings.TrimSuffix(text, unknown) + article(kind) + " " + kind
}

// kindOf returns the name of the type of an API object, or "".
func kindOf(object ssa.Value) string {
	if object == nil {
		return ""
	}
	return KindOfObject(withoutInterface(object).Type())
}

// KindOfObject returns the name of the API type behind a pointer type. It is "" for other
// types, and for unstructured objects.
func KindOfObject(t types.Type) string {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return ""
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || strings.HasPrefix(n.Obj().Name(), "Unstructured") {
		return ""
	}
	if m, _, _ := types.LookupFieldOrMethod(p, true, nil, "DeepCopyObject"); m == nil {
		return ""
	}
	return n.Obj().Name()
}

// writeByCallee returns the write of a function of another package at a call. It returns
// nil if the server does not store the object.
func writeByCallee(fn *ssa.Function, callee *types.Func, call ssa.CallInstruction, fact writer) *Write {
	w := &Write{Func: fn, Text: fact.Text, Callee: callee, Pos: call.Pos(), instr: call}
	i := fact.Object - 1
	if call.Common().IsInvoke() {
		i--
	}
	if !namesUnknown(w.Text) || i < 0 || i >= len(call.Common().Args) {
		return w
	}
	w.object = call.Common().Args[i]
	if w.Text = withKind(w.Text, w.object); w.Text == "" {
		return nil
	}
	return w
}
