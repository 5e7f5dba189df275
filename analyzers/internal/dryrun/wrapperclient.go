package dryrun

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// usesRealClient reports whether a call of an interface's method runs a method of the
// real client in a dry run. In a dry run, the interface contains a type of this package
// that embeds the real client. The type overrides some of the client's methods, but not
// the called method.
func (s *state) usesRealClient(call ssa.CallInstruction, m Mode) bool {
	common := call.Common()
	if s.reachesReal(common, m, s.inheritsMethod) {
		return true
	}
	part, ok := common.Value.(*ssa.Call)
	return ok && part.Call.IsInvoke() && s.reachesReal(part.Common(), m, func(v ssa.Value, method *types.Func, iface *types.Interface, m Mode) bool {
		return s.inheritsMethod(v, method, iface, m) || s.forwards(v, method)
	})
}

// chosenByConstructor returns a finding about a write through a client in a field. A
// function that gets the dry run stores its own client in the field, and that client
// passes the write to the real one. No caller of the write needs to know the dry run.
func (s *state) chosenByConstructor(fn *ssa.Function, w *Write, m Mode) *Finding {
	call, ok := w.instr.(ssa.CallInstruction)
	if !ok || w.Call == nil || !call.Common().IsInvoke() || !s.usesRealClient(call, m) || s.entry(fn, m) == Guarded {
		return nil
	}
	field := s.fieldRead(call.Common().Value)
	if field == nil {
		return nil
	}
	values, _ := s.valuesInDryRun(call.Common().Value, m, 0)
	for _, store := range s.stores[field] {
		src, _ := s.nearest(store.Parent(), store)
		if src == nil || s.inTest(store.Parent()) || len(values) == 0 || !s.chosen(store.Val, m, map[ssa.Value]bool{}, 0) {
			continue
		}
		name := ""
		if fact, ok := s.builtClient(values[0]); ok {
			name = fact.Type
		} else if made, ok := values[0].(*ssa.MakeInterface); ok {
			name = namedOf(made.X.Type()).Obj().Name()
		} else {
			return nil
		}
		w.RealClient = name + "." + call.Common().Method.Name()
		return &Finding{Write: w, Source: src, Informed: store.Parent(), AtWrite: true, Client: true, Server: true}
	}
	return nil
}

// reachesReal reports whether a condition is true for each value that an interface can have
// in a dry run.
func (s *state) reachesReal(common *ssa.CallCommon, m Mode, real func(ssa.Value, *types.Func, *types.Interface, Mode) bool) bool {
	iface, ok := common.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	values, known := s.valuesInDryRun(common.Value, m, 0)
	for _, v := range values {
		known = known && real(v, common.Method, iface, m)
	}
	return known && len(values) > 0
}

// forwards reports whether a method of v's type only returns the result of the same method
// of an interface in a field. The type is of this package, or another package builds v.
func (s *state) forwards(v ssa.Value, method *types.Func) bool {
	if fact, ok := s.builtClient(v); ok {
		return slices.Contains(fact.Real, method.Name())
	}
	made, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(made.X.Type(), true, s.pass.Pkg, method.Name())
	own, ok := obj.(*types.Func)
	if !ok || s.byObject[own.Origin()] == nil {
		return false
	}
	results := returned(s.byObject[own.Origin()])
	for _, result := range results {
		inner, ok := result.(*ssa.Call)
		if !ok || !inner.Call.IsInvoke() || inner.Call.Method.Name() != method.Name() {
			return false
		}
		field := s.fieldRead(inner.Call.Value)
		if field == nil || !types.IsInterface(field.Type()) {
			return false
		}
	}
	return len(results) > 0
}

// fieldRead returns the field from which a value is read, or nil.
func (s *state) fieldRead(v ssa.Value) *types.Var {
	switch v := v.(type) {
	case *ssa.UnOp:
		if _, ok := v.X.(*ssa.FieldAddr); ok {
			return loadedVar(v)
		}
	case *ssa.Field:
		return fieldOf(v.X.Type(), v.Field)
	}
	return nil
}

// valuesInDryRun returns the values that v can have during a dry run. known is false if
// v can also have other values.
func (s *state) valuesInDryRun(v ssa.Value, m Mode, depth int) (all []ssa.Value, known bool) {
	if depth > maxOrigin {
		return nil, false
	}
	known = true
	add := func(w ssa.Value) {
		more, ok := s.valuesInDryRun(w, m, depth+1)
		all, known = append(all, more...), known && ok
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return []ssa.Value{v}, true
	case *ssa.ChangeInterface:
		add(v.X)
	case *ssa.Phi:
		f := s.flow(v.Parent(), m)
		for i, pred := range v.Block().Preds {
			if f == nil || f.edges[[2]int{pred.Index, v.Block().Index}] {
				add(v.Edges[i])
			}
		}
	case *ssa.UnOp:
		return s.storedInDryRun(v.X, m, depth)
	case *ssa.Parameter:
		for _, w := range s.argumentsFor(v) {
			add(w)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 {
			return s.valuesInDryRun(call, m, depth)
		}
		return nil, false
	case *ssa.Call:
		body := s.body(v.Common())
		if body == nil {
			_, known := s.builtClient(v)
			return []ssa.Value{v}, known
		}
		f := s.flow(body, m)
		for _, b := range body.Blocks {
			if len(b.Instrs) == 0 {
				continue
			}
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || len(ret.Results) == 0 || f != nil && !f.blocks[b.Index] {
				continue
			}
			if c, ok := ret.Results[0].(*ssa.Const); !ok || !c.IsNil() {
				add(ret.Results[0])
			}
		}
	default:
		return nil, false
	}
	return all, known
}

// storedInDryRun returns the values that a variable or a field can have during a dry
// run. If the package stores some values only in a dry run, it returns only those.
func (s *state) storedInDryRun(addr ssa.Value, m Mode, depth int) (all []ssa.Value, known bool) {
	stores := s.storesAt(addr)
	only := false
	for _, st := range stores {
		f, normal := s.flow(st.Parent(), m), s.flow(st.Parent(), off)
		if f == nil || normal == nil {
			return nil, false
		}
		only = only || f.blocks[st.Block().Index] && !normal.blocks[st.Block().Index]
	}
	known = true
	for _, st := range stores {
		n := st.Block().Index
		if !s.flow(st.Parent(), m).blocks[n] || only && s.flow(st.Parent(), off).blocks[n] {
			continue
		}
		more, ok := s.valuesInDryRun(st.Val, m, depth+1)
		all, known = append(all, more...), known && ok
	}
	return all, known
}

// inheritsMethod reports whether the type of v gets a method from an interface that the
// type embeds. The type must belong to the package, and override other methods of the
// interface.
func (s *state) inheritsMethod(v ssa.Value, method *types.Func, iface *types.Interface, m Mode) bool {
	if fact, ok := s.builtClient(v); ok {
		return slices.Contains(fact.Real, method.Name())
	}
	made, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	n := namedOf(made.X.Type())
	if n == nil || n.Obj().Pkg() != s.pass.Pkg || s.code.Unparsed() {
		return false // a method that cannot be parsed may override it
	}
	_, path, _ := types.LookupFieldOrMethod(made.X.Type(), true, s.pass.Pkg, method.Name())
	if len(path) != 2 {
		return false
	}
	embedded := fieldOf(n, path[0])
	if embedded == nil || !types.IsInterface(embedded.Type()) {
		return false
	}
	own := false
	for other := range iface.Methods() {
		own = own || hasMethod(n, other.Name())
	}
	for _, st := range s.stores[embedded] {
		own = own && !s.chosen(st.Val, m, map[ssa.Value]bool{}, 6)
	}
	return own
}
