package objectflow

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// call updates the state for the effect of a call. If record is true, it also records
// the call as a sink if the object reaches it.
func (f *frame) call(call ssa.CallInstruction, state live, record bool) {
	if object, ok := f.question.Sinks[call]; ok && record && !f.hit[call] && state.has(f.placeOf(object)) {
		f.hit[call] = true
		f.outcome.sinks = append(f.outcome.sinks, f.answer(Answer{Sink: call}))
	}
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		f.builtin(b.Name(), call, state)
		return
	}
	results := map[int]bool{}
	for _, c := range closures(call) {
		fn := c.Fn.(*ssa.Function)
		for j, b := range c.Bindings {
			if p := f.captured(b); state.has(p) {
				if !f.intoFunction(call, fn, len(fn.Params)+j, results, record) {
					f.links.forget(state, p)
				}
			}
		}
	}
	switch targets := f.result.targets(call); {
	case f.library(call, state, results):
	case len(targets) > 0:
		f.localCall(call, targets, state, results, record)
	default:
		f.unknownCall(call, state, results)
	}
	if c := f.result.calls.CallAt(call); c != nil {
		// The write stores the server's answer in this object, which replaces the object that
		// was read.
		if w, ok := Response(c); ok && w.Into != nil {
			f.links.forget(state, f.placeOf(w.Into))
		}
	}
	if v, ok := call.(*ssa.Call); ok {
		for i := range max(1, call.Common().Signature().Results().Len()) {
			set(state, result(v, i), results[i])
		}
	}
}

// answer completes an answer: it sets the read of the object, and adds the calls
// between the read and this function.
func (f *frame) answer(a Answer) Answer {
	if f.source.call != nil {
		a.Read = f.source.provenance.read
		a.Via = append(append([]ssa.CallInstruction{}, f.source.provenance.via...), a.Via...)
	}
	return a
}

// localCall updates the state for a call of functions of this package.
func (f *frame) localCall(call ssa.CallInstruction, targets []*ssa.Function, state live, results map[int]bool, record bool) {
	for _, fn := range targets {
		for i, arg := range entryArgs(call, fn) {
			if p := f.placeOf(arg); state.has(p) && !f.intoFunction(call, fn, i, results, record) {
				f.links.forget(state, p)
			}
		}
	}
}

// intoFunction follows an object into a called function, as its argument number index.
// It reports whether the object is unchanged after the call.
func (f *frame) intoFunction(call ssa.CallInstruction, fn *ssa.Function, index int, results map[int]bool, record bool) bool {
	p := f.passageOf(fn, index)
	if record {
		for _, a := range p.sinks {
			if !f.hit[a.Sink] {
				f.hit[a.Sink] = true
				a.Via = append([]ssa.CallInstruction{call}, a.Via...)
				f.outcome.sinks = append(f.outcome.sinks, f.answer(a))
			}
		}
	}
	for i := range p.results {
		results[i] = true
	}
	return p.unchanged
}

// builtin updates the state for a call of a built-in function.
func (f *frame) builtin(name string, call ssa.CallInstruction, state live) {
	args := call.Common().Args
	switch name {
	case "append":
		v := call.Value()
		if v == nil {
			return
		}
		holds := false
		for _, arg := range args {
			holds = holds || state.has(f.placeOf(arg))
			f.links.add(f.placeOf(v), f.placeOf(arg))
		}
		set(state, f.placeOf(v), holds)
	case "copy":
		if state.has(f.placeOf(args[1])) {
			state[f.placeOf(args[0])] = true
		}
	case "delete":
		switch name, _ := text(args[1]); name {
		case "managedFields":
			f.clearAll(state)
		case "metadata":
			f.links.forget(state, f.placeOf(args[0]))
		}
	}
}

// library updates the state for a call of a known library function. It returns false
// for other functions.
func (f *frame) library(call ssa.CallInstruction, state live, results map[int]bool) (ok bool) {
	fn := Callee(call)
	if fn == nil {
		return false
	}
	args, recv := Args(call), Receiver(call)
	holds := func(v ssa.Value) bool { return v != nil && state.has(f.placeOf(v)) }
	into := func(v ssa.Value, holds bool) {
		// Apply configurations have no managedFields, so a conversion removes the
		// managedFields.
		holds = holds && (!f.question.Cleared || keepsManagers(v))
		if !holds {
			f.links.forget(state, f.placeOf(v))
		}
		set(state, f.placeOf(v), holds)
	}
	path := apicall.ImportPath(fn.Pkg())
	name := fn.Name()
	switch {
	case strings.Contains(name, "ManagedFields") && !strings.HasPrefix(name, "Get"):
		for _, v := range append(args, recv) {
			if v != nil {
				f.clear(state, f.placeOf(v))
			}
		}
	case recv != nil && len(args) == 0 && (name == "DeepCopy" || name == "DeepCopyObject"):
		results[0] = holds(recv)
	case recv != nil && len(args) == 1 && name == "DeepCopyInto":
		into(args[0], holds(recv))
	case isMarshal(path, name) && len(args) > 0:
		for _, arg := range args {
			results[0] = results[0] || holds(arg)
		}
	case recv != nil && name == "MarshalJSON" && len(args) == 0:
		results[0] = holds(recv)
	case isUnmarshal(path, name) && len(args) >= 2:
		into(args[1], holds(args[0]))
	case recv != nil && name == "UnmarshalJSON" && len(args) == 1:
		into(recv, holds(args[0]))
	case path == runtimePath && name == "ToUnstructured" && len(args) == 1:
		results[0] = holds(args[0])
	case path == runtimePath && strings.HasPrefix(name, "FromUnstructured") && len(args) >= 2:
		into(args[1], holds(args[0]))
	case path == runtimePath && name == "Convert" && len(args) >= 2:
		into(args[1], holds(args[0]))
	case recv != nil && name == "SetUnstructuredContent" && len(args) == 1:
		into(recv, holds(args[0]))
	case recv != nil && name == "UnstructuredContent" && len(args) == 0,
		path == "k8s.io/apimachinery/pkg/api/meta" && name == "Accessor" && len(args) == 1,
		path == clientPath && name == "ApplyConfigurationFromUnstructured" && len(args) == 1,
		path == "k8s.io/utils/ptr" && name == "To" && len(args) == 1:
		from := recv
		if from == nil {
			from = args[0]
		}
		results[0] = holds(from)
		if v, ok := call.(*ssa.Call); ok && name != "To" {
			f.links.add(result(v, 0), f.placeOf(from))
		}
	case path == unstructPkg && len(args) >= 2 && (strings.HasPrefix(name, "SetNested") || name == "RemoveNestedField"):
		f.setNested(args[0], args[len(args)-1], state)
	default:
		return f.read(call, state)
	}
	return true
}

// keepsManagers reports whether an object keeps its managedFields if it is decoded into
// v. It keeps them in objects, maps and interfaces, and loses them in other structs.
func keepsManagers(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	p, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	_, isStruct := p.Elem().Underlying().(*types.Struct)
	return !isStruct || IsObject(v.Type()) || isList(v.Type())
}

// setNested updates the state for a call of unstructured.SetNestedField or a similar
// function.
func (f *frame) setNested(m, fields ssa.Value, state live) {
	names := elements(fields)
	switch {
	case len(names) == 1 && names[0] == "metadata":
		f.links.forget(state, f.placeOf(m))
	case len(names) > 1 && names[len(names)-1] == "managedFields":
		f.clear(state, f.placeOf(m))
	}
}

// read updates the state for a call that reads another object into its argument. It reports
// whether the call is such a read.
func (f *frame) read(call ssa.CallInstruction, state live) bool {
	r, ok := ReadOf(call)
	if ok && r.Into != nil {
		f.links.forget(state, f.placeOf(r.Into))
	}
	return ok
}

// unknownCall updates the state for a call of a function whose body is not known. The
// function may change its arguments.
func (f *frame) unknownCall(call ssa.CallInstruction, state live, results map[int]bool) {
	fn := Callee(call)
	if fn != nil {
		if i, ok := f.result.converts(fn); ok {
			if args := Args(call); i < len(args) {
				results[0] = state.has(f.placeOf(args[i]))
			}
			return
		}
	}
	if !f.question.Cleared || fn != nil && (f.result.leavesManagers(fn) || f.result.calls.CallAt(call) != nil) {
		return
	}
	recv := Receiver(call)
	for _, arg := range Args(call) {
		f.lose(arg, state)
	}
	if recv != nil && (fn == nil || fn.Signature().Recv() == nil || !IsObject(fn.Signature().Recv().Type())) {
		f.lose(recv, state)
	}
}

// lose removes from the state the object that a value holds, or to which it refers.
func (f *frame) lose(v ssa.Value, state live) {
	if !isReference(v.Type()) {
		return
	}
	if b, ok := v.Type().Underlying().(*types.Slice); ok {
		if e, ok := b.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Uint8 {
			return // functions do not change bytes in place
		}
	}
	if p := f.placeOf(v); state.has(p) {
		f.links.forget(state, p)
	}
}

func isMarshal(path, name string) bool {
	switch {
	case path == runtimePath:
		return name == "Encode" || name == "EncodeOrDie"
	case isSerializer(path):
		return name == "Marshal" || name == "MarshalIndent"
	}
	return false
}

func isUnmarshal(path, name string) bool {
	return isSerializer(path) && strings.HasPrefix(name, "Unmarshal")
}

// isSerializer reports whether a package encodes objects to JSON or YAML, or decodes
// them.
func isSerializer(path string) bool {
	switch path {
	case "encoding/json", "sigs.k8s.io/json", "k8s.io/apimachinery/pkg/util/json", "k8s.io/apimachinery/pkg/util/yaml",
		"sigs.k8s.io/yaml", "github.com/ghodss/yaml", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3", "go.yaml.in/yaml/v3",
		"github.com/json-iterator/go", "github.com/goccy/go-json", "sigs.k8s.io/yaml/goyaml.v2":
		return true
	}
	return false
}

// text returns the string of a constant. It returns false for other values.
func text(v ssa.Value) (string, bool) {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// elements returns the constant strings of a variadic argument. It returns nil if one
// of them is not constant.
func elements(v ssa.Value) []string {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var names []string
	for _, use := range *array.Referrers() {
		ia, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, store := range *ia.Referrers() {
			if store, ok := store.(*ssa.Store); ok {
				name, ok := text(store.Val)
				if !ok {
					return nil
				}
				names = append(names, name)
			}
		}
	}
	return names
}
