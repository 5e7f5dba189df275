package objectflow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"golang.org/x/tools/go/ssa"
)

// place identifies memory that can contain an object. It is an SSA value, and the path
// of fields and dereferences from the value to the object.
//
// ObjectMeta, the map of an Unstructured and an embedded object contain the metadata of
// the object. They add no step to the path: &obj, &obj.ObjectMeta and obj.Object are
// the same place.
type place struct {
	root ssa.Value
	path string
}

// withoutStep returns the place without a last step, such as ".Items". It returns
// false if the path does not end with this step.
func (p place) withoutStep(step string) (place, bool) {
	path, ok := strings.CutSuffix(p.path, step)
	return place{p.root, path}, ok
}

// placeOf returns the place of the object that a value is or contains, or to which it
// points.
func (t *tracer) placeOf(v ssa.Value) place {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return t.placeOf(v.X)
	case *ssa.ChangeInterface:
		return t.placeOf(v.X)
	case *ssa.ChangeType:
		return t.placeOf(v.X)
	case *ssa.Convert:
		return t.placeOf(v.X)
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return t.placeOf(v.X)
		}
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.TypeAssert:
			if v.Index == 0 {
				return t.placeOf(tuple.X)
			}
		case *ssa.Call:
			return result(tuple, v.Index)
		}
	case *ssa.Call:
		return result(v, 0)
	case *ssa.FieldAddr:
		return step(t.placeOf(v.X), v.X.Type(), v.Field)
	case *ssa.Field:
		return step(t.placeOf(v.X), v.X.Type(), v.Field)
	case *ssa.UnOp:
		if v.Op == token.MUL && isReference(v.Type()) {
			return t.content(v.X)
		}
	}
	return place{root: v}
}

// result returns the place of a call's result.
func result(call ssa.Value, index int) place {
	return place{call, "#" + string(rune('0'+index))}
}

// content returns the place of the object to which the reference at an address refers.
// References are pointers, interfaces, maps and slices.
func (t *tracer) content(addr ssa.Value) place {
	switch addr := addr.(type) {
	case *ssa.Alloc:
		// A variable may depend on itself, as in p = p.next.
		if v := t.singleValue(addr); v != nil && !t.naming[addr] {
			t.naming[addr] = true
			defer delete(t.naming, addr)
			return t.placeOf(v)
		}
		return place{addr, "*"}
	case *ssa.FieldAddr:
		p := t.placeOf(addr)
		if holdsMetadata(addr.X.Type(), addr.Field) || strings.HasSuffix(p.path, ".Items") {
			return p
		}
		return place{p.root, p.path + "*"}
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return place{addr, "*"}
	case *ssa.Phi, *ssa.Call, *ssa.Extract, *ssa.UnOp:
		p := t.placeOf(addr)
		return place{p.root, p.path + "*"}
	}
	return place{addr, "*"}
}

// singleValue returns the only value that a local variable can have. It returns nil if
// the variable may be assigned twice, or if code outside the function and its literals
// may use the variable.
func (t *tracer) singleValue(cell *ssa.Alloc) ssa.Value {
	if v, known := t.singles[cell]; known {
		return v
	}
	t.singles[cell] = nil
	var one ssa.Value
	n := 0
	var count func(v ssa.Value) bool
	count = func(v ssa.Value) bool {
		for _, use := range *v.Referrers() {
			switch use := use.(type) {
			case *ssa.Store:
				if use.Addr != v {
					return false
				}
				n, one = n+1, use.Val
			case *ssa.MakeClosure:
				fn := use.Fn.(*ssa.Function)
				for i, b := range use.Bindings {
					if b == v && !count(fn.FreeVars[i]) {
						return false
					}
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return false
			}
		}
		return true
	}
	if !count(cell) || n != 1 || one.Parent() != cell.Parent() {
		return nil
	}
	t.singles[cell] = one
	return one
}

// step returns the place of a field in the struct at p.
func step(p place, structure types.Type, field int) place {
	if holdsMetadata(structure, field) {
		return p
	}
	if f := fieldOf(structure, field); f != nil {
		return place{p.root, p.path + "." + f.Name()}
	}
	return place{p.root, p.path + ".?"}
}

// holdsMetadata reports whether a field contains the metadata of the object:
// ObjectMeta, the map of an Unstructured, or an embedded object.
func holdsMetadata(structure types.Type, field int) bool {
	f := fieldOf(structure, field)
	if f == nil {
		return false
	}
	switch f.Name() {
	case "ObjectMeta":
		return isNamed(f.Type(), metaPath, "ObjectMeta")
	case "Object":
		n := namedOf(structure)
		return n != nil && n.Obj().Name() == "Unstructured" && apicall.ImportPath(n.Obj().Pkg()) == unstructPkg
	}
	return f.Embedded() && IsObject(f.Type())
}

// fieldOf returns a field of a struct, or of the struct to which a pointer points. It
// returns nil for other types, such as type parameters.
func fieldOf(t types.Type, index int) *types.Var {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || index < 0 || index >= s.NumFields() {
		return nil
	}
	return s.Field(index)
}

// isReference reports whether copies of a value share memory.
func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
		return true
	}
	return false
}

// live is the set of places that hold a followed object at one point of the function.
type live map[place]bool

// has reports whether a place holds a followed object. If a list holds such an object,
// the place of its items does too.
func (l live) has(p place) bool {
	if l[p] {
		return true
	}
	list, ok := p.withoutStep(".Items")
	return ok && l[list]
}

func (l live) clone() live {
	c := make(live, len(l))
	for p := range l {
		c[p] = true
	}
	return c
}

// join adds the places of m to l. It reports whether l has changed.
func (l live) join(m live) bool {
	changed := false
	for p := range m {
		if !l[p] {
			l[p], changed = true, true
		}
	}
	return changed
}

// links connects places that may hold the same object. A change of the object in one of
// these places is a change in all of them.
type links map[place][]place

func (l links) add(a, b place) {
	if a != b && !slices.Contains(l[a], b) {
		l[a] = append(l[a], b)
		l[b] = append(l[b], a)
	}
}

// forget removes from the set a place, and all places that may hold the same object. If
// a place is the items of a list, forget also removes the list.
func (l links) forget(from live, p place) {
	seen := map[place]bool{p: true}
	for todo := []place{p}; len(todo) > 0; {
		p, todo = todo[0], todo[1:]
		delete(from, p)
		same := l[p]
		if list, ok := p.withoutStep(".Items"); ok {
			same = append(slices.Clone(same), list)
		}
		for _, q := range same {
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
}
