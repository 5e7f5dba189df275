package sideeffect

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Implementation returns the method that a call through an interface runs. It returns nil
// unless this package declares the interface and exactly one type that implements it. Test
// doubles do not count as types.
func (r *Result) Implementation(of types.Type, m *types.Func) *ssa.Function {
	n, ok := types.Unalias(of).(*types.Named)
	if !ok || n.Obj().Pkg() != r.pass.Pkg || n.TypeParams().Len() > 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	list, known := r.behind[n]
	if !known {
		list = r.implementations(n)
		r.behind[n] = list
	}
	var only *types.Func
	for _, t := range list {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pass.Pkg, m.Name())
		method, ok := obj.(*types.Func)
		if !ok || only != nil && only != method {
			return nil
		}
		only = method
	}
	if only == nil {
		return nil
	}
	if r.declared == nil {
		r.declared = map[types.Object]*ssa.Function{}
		for _, fn := range r.calls.SSA() {
			if obj := fn.Object(); obj != nil && fn.Parent() == nil {
				r.declared[obj] = fn
			}
		}
	}
	return r.declared[only]
}

// implementations returns pointers to the types of the package that implement the interface
// n.
func (r *Result) implementations(n *types.Named) (list []types.Type) {
	iface, ok := n.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	scope := r.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) || r.inTest(t.Pos()) || isTestDouble(name) {
			continue
		}
		if g, ok := t.Type().(*types.Named); ok && g.TypeParams().Len() > 0 {
			continue
		}
		if pointer := types.NewPointer(t.Type()); types.Implements(pointer, iface) {
			list = append(list, pointer)
		}
	}
	return list
}

// isTestDouble reports whether a type has the name of a test double.
func isTestDouble(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"fake", "mock", "stub", "noop", "dummy"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
