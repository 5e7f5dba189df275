package sideeffect

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Implementation returns the method that a call through an interface runs. It returns nil
// unless this package declares the interface and exactly one type that implements it. Test
// doubles do not count as types.
func (r *Result) Implementation(of types.Type, m *types.Func) *ssa.Function {
	r.mu.Lock()
	defer r.mu.Unlock()
	methods := r.methods(r.implementing(of), m)
	if len(methods) != 1 {
		return nil
	}
	return r.body(methods[0])
}

// InUse returns the methods that a call through an interface of the module may run. A type
// counts if it belongs to the package, and the package converts one of its values to the
// interface.
func (r *Result) InUse(of types.Type, m *types.Func) (bodies []*ssa.Function) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interfaceName(of) == "" {
		return nil
	}
	if r.converted == nil {
		r.converted = r.conversions()
	}
	for _, method := range r.methods(r.converted[types.Unalias(of).(*types.Named)], m) {
		if fn := r.body(method); fn != nil {
			bodies = append(bodies, fn)
		}
	}
	return bodies
}

// conversions returns pointers to the types of the package that the package converts to an
// interface, in order of their names.
func (r *Result) conversions() map[*types.Named][]types.Type {
	found := map[*types.Named][]types.Type{}
	seen := map[[2]*types.Named]bool{}
	for _, fn := range r.withInit() {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				made, ok := i.(*ssa.MakeInterface)
				if !ok || r.inTest(made.Pos()) || r.inTest(fn.Pos()) {
					continue
				}
				from := namedType(made.X.Type())
				to, named := types.Unalias(made.Type()).(*types.Named)
				if from == nil || !named || from.Obj().Pkg() != r.pass.Pkg || isTestDouble(from.Obj().Name()) || seen[[2]*types.Named{from, to}] {
					continue
				}
				seen[[2]*types.Named{from, to}] = true
				found[to] = append(found[to], types.NewPointer(from))
			}
		}
	}
	for _, list := range found {
		slices.SortFunc(list, func(a, b types.Type) int { return cmp.Compare(a.String(), b.String()) })
	}
	return found
}

// withInit returns the functions of the package, and the function that initializes its
// variables.
func (r *Result) withInit() []*ssa.Function {
	funcs := r.calls.SSA()
	for _, fn := range funcs {
		if fn.Pkg != nil {
			if start := fn.Pkg.Func("init"); start != nil && !slices.Contains(funcs, start) {
				return append(slices.Clip(funcs), start)
			}
			break
		}
	}
	return funcs
}

// implementing returns pointers to the types of the package that implement an interface of
// the package. It returns nil for other interfaces.
func (r *Result) implementing(of types.Type) []types.Type {
	n, ok := types.Unalias(of).(*types.Named)
	if !ok || n.Obj().Pkg() != r.pass.Pkg || n.TypeParams().Len() > 0 {
		return nil
	}
	list, known := r.behind[n]
	if !known {
		list = r.implementations(n)
		r.behind[n] = list
	}
	return list
}

// methods returns the different methods of types for a method of an interface.
func (r *Result) methods(list []types.Type, m *types.Func) (found []*types.Func) {
	for _, t := range list {
		obj, _, _ := types.LookupFieldOrMethod(t, true, r.pass.Pkg, m.Name())
		if method, ok := obj.(*types.Func); ok && !slices.Contains(found, method) {
			found = append(found, method)
		}
	}
	return found
}

// body returns the function in SSA form of a method, or nil.
func (r *Result) body(method *types.Func) *ssa.Function {
	if r.declared == nil {
		r.declared = map[types.Object]*ssa.Function{}
		for _, fn := range r.calls.SSA() {
			if obj := fn.Object(); obj != nil && fn.Parent() == nil {
				r.declared[obj] = fn
			}
		}
	}
	return r.declared[method]
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
