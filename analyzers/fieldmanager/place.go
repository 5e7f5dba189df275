package fieldmanager

import (
	"cmp"
	"go/types"
	"hash/fnv"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// place is what becomes of a client that another package puts somewhere: into
// a parameter, a field or a variable.
type place struct {
	ID uint64 // see fieldPlace, paramPlace
	// Writes are made through it, as identified by write.id; sorted.
	Writes []uint64
	// Passed is set for a parameter that comes back as a result.
	Passed bool
}

// export lists the places of the package that lead to the given writes, or back.
func (f *flow) export(left []write) []place {
	open := map[uint64]bool{}
	for _, w := range left {
		open[w.id()] = true
	}
	found := map[uint64]*place{}
	add := func(id uint64, t *trail, passed bool) {
		var writes []uint64
		for w := range t.writes {
			if open[w] {
				writes = append(writes, w)
			}
		}
		if len(writes) == 0 && !passed {
			return
		}
		p := found[id]
		if p == nil {
			p = &place{ID: id}
			found[id] = p
		}
		p.Writes = append(p.Writes, writes...)
		p.Passed = p.Passed || passed
	}
	for _, fn := range f.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() {
			continue
		}
		first := len(fn.Params) - obj.Signature().Params().Len() // behind the receiver
		for i, v := range fn.Params {
			if i < first || !carrier(v.Type()) {
				continue
			}
			t := f.follow(v)
			add(paramPlace(obj, i-first), t, t.back[fn])
			if first == 0 {
				continue
			}
			for _, m := range f.implemented(obj) {
				add(paramPlace(m, i-first), t, false)
			}
		}
	}
	for id, loads := range f.loads {
		if len(loads) > 0 && carrier(loads[0].Type()) {
			add(id, f.through(id), false)
		}
	}
	list := make([]place, 0, len(found))
	for _, p := range found {
		slices.Sort(p.Writes)
		p.Writes = slices.Compact(p.Writes)
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// implemented are the methods of the package's interfaces that a method may be
// called for.
func (f *flow) implemented(fn *types.Func) []*types.Func {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	var list []*types.Func
	for _, i := range interfaces(f.pass.Pkg) {
		if !types.Implements(recv.Type(), i) {
			continue
		}
		if m, _, _ := types.LookupFieldOrMethod(i, false, f.pass.Pkg, fn.Name()); m != nil {
			if m, ok := m.(*types.Func); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// interfaces are those that a package declares, without type parameters, in
// order of their names.
func interfaces(pkg *types.Package) []*types.Interface {
	var list []*types.Interface
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		if i, ok := named.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && i.IsMethodSet() {
			list = append(list, i)
		}
	}
	return list
}

// placeOf identifies the field or the variable of a package that an address
// denotes; 0 for any other.
func placeOf(addr ssa.Value) uint64 {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		return fieldPlace(addr.X.Type(), addr.Field)
	case *ssa.Global:
		if addr.Object() != nil && addr.Object().Pkg() != nil {
			return hash(addr.Object().Pkg().Path(), addr.Name())
		}
	}
	return 0
}

// fieldPlace identifies a field of a named struct. Fields of structs without a
// name are not followed.
func fieldPlace(t types.Type, i int) uint64 {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return 0
	}
	return hash(named.Obj().Pkg().Path(), named.Obj().Name(), s.Field(i).Name())
}

// paramPlace identifies a parameter of a declared function, its receiver left
// out.
func paramPlace(fn *types.Func, i int) uint64 {
	return hash(fn.Origin().FullName(), strconv.Itoa(i))
}

func pathOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
