package dryrun

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IgnoredSpec is a method Reconcile with two kinds of writes: some respect the dry run
// in the spec of the reconciled object, and at least one ignores it.
type IgnoredSpec struct {
	// Write is the first write that ignores the dry run, and Others are the rest.
	Write  *Write
	Others []*Write
	// Object is the type of the object. Field is the field for a dry run in its spec.
	Object string
	Field  *types.Var
}

// IgnoredSpecs returns the methods Reconcile that respect their object's dry run for
// some of their writes only. The author may have meant the dry run only for these
// writes.
func (r *Result) IgnoredSpecs() []*IgnoredSpec {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.ignoredSpecs()
}

func (s *state) ignoredSpecs() []*IgnoredSpec {
	if s.analyzed == nil || !s.hasSources || len(s.calls.Calls) == 0 {
		return nil
	}
	var got []*IgnoredSpec
	for _, fn := range s.funcs {
		if s.inTest(fn) || fn.Name() != "Reconcile" || fn.Signature.Recv() == nil {
			continue
		}
		n, field := s.specOf(fn)
		if field == nil || !s.reads[field] || !s.respected[field] {
			continue
		}
		var writes []*Write
		for _, w := range s.writes(fn, Client) {
			if s.mustBePrevented(w, n) && !cleansUp(w) && s.unreadBetween(fn, field, w) && !s.isRefused(fn, w.Via, w.instr, Client) && !slices.ContainsFunc(writes, func(other *Write) bool { return other.Pos == w.Pos }) {
				writes = append(writes, w)
			}
		}
		if len(writes) > 0 {
			got = append(got, &IgnoredSpec{Write: writes[0], Others: writes[1:], Object: n.Obj().Name(), Field: field})
		}
	}
	return got
}

// specOf returns the type of the object that a method Reconcile reads, and the field
// for a dry run in the object's spec. Both are nil if the spec has no such field.
func (s *state) specOf(fn *ssa.Function) (*types.Named, *types.Var) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.Alloc)
			if !ok {
				continue
			}
			n := namedOf(a.Type())
			if n == nil || !isAPI(n) || !s.vars.isLocal(n.Obj().Pkg()) {
				continue
			}
			if spec := fieldNamed(n, "Spec"); spec != nil {
				if field := s.dryRunFieldOfSpec(spec.Type()); field != nil {
					return n, field
				}
			}
		}
	}
	return nil, nil
}

func fieldNamed(t types.Type, name string) *types.Var {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// dryRunFieldOfSpec returns the field for a dry run in a spec. It ignores the fields of
// structs in the spec, because they concern only a part of the object.
func (s *state) dryRunFieldOfSpec(spec types.Type) *types.Var {
	st, ok := spec.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range st.Fields() {
		if squeeze(f.Name()) == "dryrun" && shapeOf(f.Type()) == Bool {
			return f.Origin()
		}
	}
	return nil
}

// mustBePrevented reports whether a dry run must prevent a write. It returns false for
// writes that only report: to a status, to the reconciled object, or to a ConfigMap
// with results.
func (s *state) mustBePrevented(w *Write, object *types.Named) bool {
	if w.Call == nil {
		return strings.HasPrefix(w.Text, "deletes ")
	}
	if w.Call.Subresource == "status" {
		return false
	}
	n := namedOf(w.Call.ObjectType)
	if n == nil || !isAPI(n) {
		// an object of any kind, perhaps this object
		return !slices.ContainsFunc(w.instr.(ssa.CallInstruction).Common().Args, func(a ssa.Value) bool { return s.mayHaveType(a, object, 0) })
	}
	return n.Obj() != object.Obj() && (n.Obj().Name() != "ConfigMap" || strings.HasPrefix(w.Text, "deletes "))
}

// cleansUp guesses from the names of functions whether a write cleans up after the user
// has deleted an object.
func cleansUp(w *Write) bool {
	return slices.ContainsFunc(append(slices.Clone(w.Via), w.instr), func(at ssa.Instruction) bool {
		name := strings.ToLower(at.Parent().Name())
		return strings.Contains(name, "finaliz") || strings.Contains(name, "delet")
	})
}

// unreadBetween reports whether no function between fn and a write reads the field. A
// function that reads it may respect the dry run.
func (s *state) unreadBetween(fn *ssa.Function, field *types.Var, w *Write) bool {
	for _, at := range append(slices.Clone(w.Via), w.instr) {
		if at.Parent() != fn && slices.Contains(s.readers[field], at.Parent()) {
			return false
		}
	}
	return true
}

// mayHaveType reports whether a value can be an object of a type, as far as the package
// shows.
func (s *state) mayHaveType(v ssa.Value, object *types.Named, depth int) bool {
	if depth > maxOrigin {
		return true
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		n := namedOf(v.X.Type())
		return n != nil && n.Obj() == object.Obj()
	case *ssa.ChangeInterface:
		return s.mayHaveType(v.X, object, depth+1)
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return s.mayHaveType(e, object, depth+1) })
	case *ssa.Parameter:
		return slices.ContainsFunc(s.argumentsFor(v), func(given ssa.Value) bool { return s.mayHaveType(given, object, depth+1) })
	}
	return false
}
