package fieldmanager

import (
	"go/types"
	"slices"

	"github.com/kubevet/kubevet/analyzers/internal/edit"
	"golang.org/x/tools/go/ssa"
)

// trail is one walk from a client to its writes.
type trail struct {
	*flow
	seen   map[ssa.Value]bool
	work   []ssa.Value
	places map[uint64]bool
	writes map[uint64]bool
	// back are the functions that return the client, and holders the types
	// that it is stored in.
	back    map[*ssa.Function]bool
	holders map[types.Object]bool
}

func (f *flow) trail() *trail {
	return &trail{
		flow: f, seen: map[ssa.Value]bool{}, places: map[uint64]bool{}, writes: map[uint64]bool{},
		back: map[*ssa.Function]bool{}, holders: map[types.Object]bool{},
	}
}

// follow finds the writes that are made through a value.
func (f *flow) follow(start ...ssa.Value) *trail {
	t := f.trail()
	t.add(start...)
	return t.walk()
}

// through finds the writes that are made through what is stored at a place.
func (f *flow) through(place uint64) *trail {
	t := f.trail()
	t.place(place)
	return t.walk()
}

func (t *trail) walk() *trail {
	for len(t.work) > 0 {
		v := t.work[len(t.work)-1]
		t.work = t.work[:len(t.work)-1]
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, i := range *refs {
			t.use(v, i)
		}
	}
	return t
}

func (t *trail) add(list ...ssa.Value) {
	for _, v := range list {
		if v != nil && !t.seen[v] {
			t.seen[v] = true
			t.work = append(t.work, v)
		}
	}
}

// use follows a client into an instruction.
func (t *trail) use(v ssa.Value, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Phi:
		if t.alone(i) {
			t.add(i)
		}
	case *ssa.ChangeInterface, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert:
		t.add(i.(ssa.Value))
	case *ssa.Extract:
		if carrier(i.Type()) {
			t.add(i)
		}
	case *ssa.Store:
		if i.Val == v {
			t.store(i.Addr)
		}
	case *ssa.Return:
		t.returned(i.Parent(), slices.Index(i.Results, v))
	case ssa.CallInstruction:
		t.call(v, i)
	}
}

// alone reports whether a value that is one of several can only be a client
// that is followed, or nil. Where another client may take its place, what is
// done there is not held against this one.
func (t *trail) alone(phi *ssa.Phi) bool {
	for _, e := range phi.Edges {
		if c, ok := e.(*ssa.Const); ok && c.IsNil() || t.seen[e] || e == phi {
			continue
		}
		return false
	}
	return true
}

// store follows a client into memory.
func (t *trail) store(addr ssa.Value) {
	if field, ok := addr.(*ssa.FieldAddr); ok {
		if name := typeName(field.X.Type()); name != nil {
			t.holders[name] = true
		}
	}
	if id := placeOf(addr); id != 0 {
		t.place(id)
		return
	}
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		fn := addr.Parent()
		if made := t.made[fn]; made != nil {
			if i := slices.Index(fn.FreeVars, addr); i >= 0 && i < len(made.Bindings) {
				t.store(made.Bindings[i])
			}
		}
		t.cell(addr)
	case *ssa.Alloc:
		t.cell(addr)
	}
}

// cell follows what a local variable holds to where it is read, also by
// literals. A variable that something else is stored in too is given up.
func (t *trail) cell(addr ssa.Value) {
	if t.seen[addr] || addr.Referrers() == nil {
		return
	}
	for _, i := range *addr.Referrers() {
		if s, ok := i.(*ssa.Store); ok && s.Addr == addr && !t.seen[s.Val] && !zero(s.Val) {
			return
		}
	}
	t.seen[addr] = true
	for _, i := range *addr.Referrers() {
		switch i := i.(type) {
		case *ssa.UnOp:
			t.add(i)
		case *ssa.MakeClosure:
			for n, b := range i.Bindings {
				if b == addr {
					t.cell(i.Fn.(*ssa.Function).FreeVars[n])
				}
			}
		}
	}
}

func zero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// place follows what a field or a variable of a package holds.
func (t *trail) place(id uint64) {
	if t.places[id] {
		return
	}
	t.places[id] = true
	t.add(t.loads[id]...)
	t.hit(t.elsewhere[id])
}

func (t *trail) hit(writes []uint64) {
	for _, w := range writes {
		if t.open[w] {
			t.writes[w] = true
		}
	}
}

// returned follows a result of a function to its callers.
func (t *trail) returned(fn *ssa.Function, i int) {
	t.back[fn] = true
	for _, call := range t.callers[fn] {
		v := call.Value()
		if v == nil {
			continue
		}
		if fn.Signature.Results().Len() == 1 {
			t.add(v)
			continue
		}
		for _, use := range *v.Referrers() {
			if e, ok := use.(*ssa.Extract); ok && e.Index == i {
				t.add(e)
			}
		}
	}
}

// call follows a client that is called, or passed.
func (t *trail) call(v ssa.Value, instr ssa.CallInstruction) {
	common := instr.Common()
	if c := t.result.CallAt(instr); c != nil {
		if common.IsInvoke() && common.Value != v || !common.IsInvoke() && common.Signature().Recv() != nil && len(common.Args) > 0 && common.Args[0] != v {
			return // what is written, or its options
		}
		t.hit([]uint64{newWrite(t.pass, c).id()})
		return
	}
	if common.IsInvoke() && common.Value == v {
		t.derived(instr, common.Method)
		return
	}
	for i, arg := range common.Args {
		if arg != v {
			continue
		}
		switch fn := callee(common); {
		case fn != nil && len(fn.Blocks) > 0:
			t.add(fn.Params[i])
		case fn != nil:
			obj, _ := fn.Object().(*types.Func)
			if obj == nil {
				continue
			}
			if i == 0 && obj.Signature().Recv() != nil {
				t.derived(instr, obj)
				continue
			}
			if obj.Signature().Recv() != nil {
				i--
			}
			t.into(instr, obj, i)
		case common.IsInvoke():
			for _, m := range t.methods[common.Method.Name()] {
				if i+1 < len(m.Params) && types.Identical(m.Params[i+1].Type(), common.Signature().Params().At(min(i, common.Signature().Params().Len()-1)).Type()) {
					t.add(m.Params[i+1])
				}
			}
			t.into(instr, common.Method, i)
		default:
			for _, m := range t.values {
				if !types.Identical(m.Signature, common.Signature()) {
					continue
				}
				if len(m.Blocks) > 0 && i < len(m.Params) {
					t.add(m.Params[i])
				} else if obj, ok := m.Object().(*types.Func); ok {
					t.into(instr, obj, i)
				}
			}
		}
	}
}

// into follows a client into a parameter of another package's function.
func (t *trail) into(instr ssa.CallInstruction, fn *types.Func, i int) {
	id := paramPlace(fn, i)
	t.hit(t.elsewhere[id])
	if t.passed[id] || edit.Unvendored(pathOf(fn)) == "sigs.k8s.io/controller-runtime/pkg/client" && fn.Name() == "NewNamespacedClient" {
		if v := instr.Value(); v != nil {
			t.add(v)
		}
	}
}

// derived follows a client to a part of it, such as a manager to its client or
// a clientset to the client of a resource.
func (t *trail) derived(instr ssa.CallInstruction, fn *types.Func) {
	v := instr.Value()
	if v == nil {
		return
	}
	if _, tuple := v.Type().(*types.Tuple); tuple || carrier(v.Type()) {
		t.add(v)
	}
}

// carrier reports whether something of a type can be a client: an interface
// with methods or a pointer, but no object of an API.
func carrier(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Interface:
		if u.NumMethods() == 0 {
			return false
		}
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); !ok {
			return false
		}
	default:
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		switch {
		case named.Obj().Pkg() == nil: // error
			return false
		case named.Obj().Pkg().Path() == "context":
			return false
		}
	}
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, "DeepCopyObject")
	return object == nil
}
