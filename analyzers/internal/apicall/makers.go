package apicall

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// ofMethod returns the fact about the writes of an interface method. It examines the
// types of the package that implement the interface. It returns nil unless most of
// these types write.
func (w *writers) ofMethod(m *types.Func) *writerFact {
	m = m.Origin()
	if m.Pkg() != w.pass.Pkg {
		return nil
	}
	if fact, ok := w.methods[m]; ok {
		return fact
	}
	w.methods[m] = nil
	n := w.interfaceOf(m)
	if n == nil {
		return nil
	}
	var all []*writerFact
	silent := 0
	for _, t := range slices.Concat(w.named, w.foreign) {
		if types.IsInterface(t) || !implements(t, n) {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(t, true, w.pass.Pkg, m.Name())
		method, ok := object.(*types.Func)
		if !ok {
			continue
		}
		var fact *writerFact
		if method.Pkg() != w.pass.Pkg {
			fact = w.writerOf(method)
		} else if fn := w.pkg.Prog.FuncValue(method.Origin()); fn != nil {
			fact = w.of(fn)
		}
		if fact == nil {
			silent++
			continue
		}
		all = append(all, fact)
	}
	if len(all) == 0 && silent == 0 {
		fact := unknownImplementation(m, n)
		w.methods[m] = fact
		return fact
	}
	if len(all) == 0 || silent > len(all) {
		return nil
	}
	fact := mergeWrites(all)
	// Each type stores its own values in the receiver, so the fact must not refer to
	// the receiver's fields.
	if fact.Client.Param == 1 {
		fact.Client = place{}
	}
	fact.DryRunPlaces = slices.DeleteFunc(slices.Clone(fact.DryRunPlaces), func(p place) bool { return p.Param == 1 })
	w.methods[m] = fact
	return fact
}

// interfaceOf returns the interface of the package that declares a method, or nil.
func (w *writers) interfaceOf(m *types.Func) *types.Named {
	for _, n := range w.named {
		if i, ok := n.Underlying().(*types.Interface); ok {
			for e := range i.ExplicitMethods() {
				if e == m {
					return n
				}
			}
		}
	}
	return nil
}

// implements reports whether a type, or a pointer to it, implements an interface. If
// they are generic, both must have the same type parameters in the same order.
func implements(t, i *types.Named) bool {
	var concrete, wanted types.Type = t, i
	if params := t.TypeParams(); params.Len() > 0 {
		var args []types.Type
		for p := range params.TypeParams() {
			args = append(args, p)
		}
		var err error
		if concrete, err = types.Instantiate(nil, t, args, false); err != nil {
			return false
		}
		if i.TypeParams().Len() > 0 {
			if i.TypeParams().Len() != params.Len() {
				return false
			}
			if wanted, err = types.Instantiate(nil, i, args, false); err != nil {
				return false
			}
		}
	} else if i.TypeParams().Len() > 0 {
		return false
	}
	iface, ok := wanted.Underlying().(*types.Interface)
	return ok && types.Implements(types.NewPointer(concrete), iface)
}

// exportMakers exports facts about the functions that return values with methods that
// write. The fact says which parameter contains the client, and whether the value asks
// for a dry run.
func (w *writers) exportMakers() {
	clients := map[*types.TypeName][]place{}
	for fn, fact := range w.done {
		if fact == nil || fn.Signature.Recv() == nil || fact.Client.Param != 1 {
			continue
		}
		if n := namedType(fn.Signature.Recv().Type()); n != nil {
			clients[n.Obj()] = appendPlace(clients[n.Obj()], fact.Client)
		}
	}
	for _, fn := range w.funcs {
		object, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !object.Exported() {
			continue
		}
		fact := w.summary(fn, object)
		if fact == nil {
			fact = new(resultFact)
		}
		results := object.Signature().Results()
		for i := range results.Len() {
			t := results.At(i).Type()
			n := namedType(t)
			if n == nil || n.Obj().Pkg() != w.pass.Pkg {
				continue
			}
			for _, c := range clients[n.Obj()] {
				if path, ok := stepsTo(t, c.Fields); ok {
					if from := w.returnedParam(fn, i, path); from.Param > 0 {
						fact.Carried = append(fact.Carried, carriedFact{Result: i, Path: pathKey(path), From: from})
					}
				}
			}
			w.addDryRuns(fact, fn, i, t)
		}
		if len(fact.Settings)+len(fact.Clients)+len(fact.Carried) > 0 {
			w.pass.ExportObjectFact(object, fact)
		}
	}
}

// returnedParam returns the parameter of fn, or a field of it, that is the value at a
// path in a result of fn. Param is 0 if there is none.
func (w *writers) returnedParam(fn *ssa.Function, result int, path []step) place {
	var found place
	for _, ret := range returnsOf(fn) {
		v := ret.Results[result]
		if isNil(v) {
			continue
		}
		from := w.placeOfValue(fn, v, path, ret, 0)
		if from.Param == 0 || found.Param > 0 && !from.equal(found) {
			return place{}
		}
		found = from
	}
	return found
}

// addDryRuns adds to a fact the fields of a result that ask for a dry run, with their
// values.
func (w *writers) addDryRuns(fact *resultFact, fn *ssa.Function, result int, t types.Type) {
	n := namedType(t)
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range s.Fields() {
		if !isDryRun(field.Name(), field.Type()) {
			continue
		}
		path, ok := stepsTo(t, []string{field.Name()})
		if !ok {
			continue
		}
		out := none
		for _, ret := range returnsOf(fn) {
			if v := ret.Results[result]; !isNil(v) {
				out = join(out, w.flow(dryRunKind).value(v, path, ret, nil))
			}
		}
		if v := encode(out, parametersOf(fn)); v.State != Unknown {
			fact.Settings = append(fact.Settings, settingFact{Result: result, Path: pathKey(path), Kind: string(dryRunKind), Value: v})
		}
	}
}

// namedType returns the declared type that a type is or points to. It is nil for other
// types.
func namedType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return n.Origin()
}
