//go:build !js

package admitted

import (
	"reflect"
	"strings"
	"sync"
)

// step is a change to all values of one type in an object. C is the type of the
// first argument of every change, such as apiserver.Server.
type step[C any] struct {
	typ    reflect.Type
	change func(c C, v any) // v is a pointer to typ
}

// stepFor returns a step that calls change for every T.
func stepFor[T, C any](change func(c C, v *T)) step[C] {
	return step[C]{reflect.TypeFor[T](), func(c C, v any) { change(c, v.(*T)) }}
}

// walker applies steps to an object and to all its parts, the object first. For
// each type, it computes only once which parts have values to change. It is
// safe for concurrent use.
type walker[C any] struct {
	steps  map[reflect.Type][]func(C, any)
	fields map[typeField]func(C, reflect.Value)

	mu    sync.Mutex
	plans map[reflect.Type]*plan[C]
}

// typeField names a field of a type in all versions of its group, such as
// {"core.ContainerPort", "Protocol"}.
type typeField struct{ typ, field string }

// plan has all changes to a value of one type and to its parts.
type plan[C any] struct {
	changes []func(C, any)
	fields  []fieldChange[C]
	parts   []part[C]
	elem    *plan[C] // the plan for the elements of a pointer or a slice
}

// part is a struct field that has values to change.
type part[C any] struct {
	index int
	*plan[C]
}

// fieldChange is a change to one struct field. It runs after all changes to the
// whole struct.
type fieldChange[C any] struct {
	index  int
	change func(C, reflect.Value)
}

func newWalker[C any](steps []step[C], fields map[typeField]func(C, reflect.Value)) *walker[C] {
	w := &walker[C]{steps: map[reflect.Type][]func(C, any){}, fields: fields, plans: map[reflect.Type]*plan[C]{}}
	for _, s := range steps {
		w.steps[s.typ] = append(w.steps[s.typ], s.change)
	}
	return w
}

func (w *walker[C]) walk(c C, obj any) {
	v := reflect.ValueOf(obj).Elem()
	w.mu.Lock()
	p := w.plan(v.Type())
	w.mu.Unlock()
	if p != nil {
		p.apply(c, v)
	}
}

// plan returns the changes for a type, or nil if there are none. The only type
// that contains itself, the type of JSON schemas, has no changes.
func (w *walker[C]) plan(t reflect.Type) *plan[C] {
	if p, ok := w.plans[t]; ok {
		return p
	}
	w.plans[t] = nil // ends the recursion for types that contain themselves
	p := &plan[C]{changes: w.steps[t]}
	switch t.Kind() {
	case reflect.Struct:
		name := typeName(t)
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				continue
			}
			if change := w.fields[typeField{name, f.Name}]; change != nil {
				p.fields = append(p.fields, fieldChange[C]{i, change})
			}
			if inner := w.plan(f.Type); inner != nil {
				p.parts = append(p.parts, part[C]{i, inner})
			}
		}
	case reflect.Pointer, reflect.Slice:
		p.elem = w.plan(t.Elem())
	}
	if len(p.changes) == 0 && len(p.fields) == 0 && len(p.parts) == 0 && p.elem == nil {
		p = nil
	}
	w.plans[t] = p
	return p
}

// typeName returns the group and the name of a type of k8s.io/api, such as
// "core.Pod". All versions of a group have the same defaults for types of the
// same name.
func typeName(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	if len(parts) < 2 {
		return t.Name()
	}
	return parts[len(parts)-2] + "." + t.Name()
}

func (p *plan[C]) apply(c C, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.elem.apply(c, v.Elem())
		}
		return
	case reflect.Slice:
		if p.elem != nil {
			for i := range v.Len() {
				p.elem.apply(c, v.Index(i))
			}
		}
		return
	}
	if len(p.changes) > 0 {
		at := v.Addr().Interface()
		for _, change := range p.changes {
			change(c, at)
		}
	}
	for i := range p.fields {
		p.fields[i].change(c, v.Field(p.fields[i].index))
	}
	for i := range p.parts {
		p.parts[i].apply(c, v.Field(p.parts[i].index))
	}
}
