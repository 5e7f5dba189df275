package admitted

import (
	"reflect"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// step is a change to every value of one type in an object.
type step struct {
	typ    reflect.Type
	change func(s apiserver.Server, v any) // v is a pointer to typ
}

// on returns the step that changes every T.
func on[T any](change func(s apiserver.Server, v *T)) step {
	return step{reflect.TypeFor[T](), func(s apiserver.Server, v any) { change(s, v.(*T)) }}
}

// walker applies steps to whole objects, an object before its parts. It finds
// out once per type where the values to change are. It is safe for concurrent
// use.
type walker struct {
	steps  map[reflect.Type][]func(apiserver.Server, any)
	fields map[typeField]any // see fixedDefaults

	mu    sync.Mutex
	plans map[reflect.Type]*plan
}

// typeField names a field of a type without its version, such as
// {"core.ContainerPort", "Protocol"}.
type typeField struct{ typ, field string }

// plan says what to do with a value of one type.
type plan struct {
	changes []func(apiserver.Server, any)
	fixed   []fixedField
	parts   []part
	elem    *plan // of a pointer or a slice
}

// part is a field that has something to change.
type part struct {
	index int
	*plan
}

// fixedField is a field whose default does not depend on others.
type fixedField struct {
	index int
	value reflect.Value
}

func newWalker(steps []step, fields map[typeField]any) *walker {
	w := &walker{steps: map[reflect.Type][]func(apiserver.Server, any){}, fields: fields, plans: map[reflect.Type]*plan{}}
	for _, s := range steps {
		w.steps[s.typ] = append(w.steps[s.typ], s.change)
	}
	return w
}

// walk changes the struct that obj points to.
func (w *walker) walk(s apiserver.Server, obj any) {
	v := reflect.ValueOf(obj).Elem()
	w.mu.Lock()
	p := w.plan(v.Type())
	w.mu.Unlock()
	if p != nil {
		p.apply(s, v)
	}
}

// plan returns nil if a type has nothing to change. Only the type of schemas
// contains itself, and it has no defaults.
func (w *walker) plan(t reflect.Type) *plan {
	if p, ok := w.plans[t]; ok {
		return p
	}
	w.plans[t] = nil // ends the recursion of types that contain themselves
	p := &plan{changes: w.steps[t]}
	switch t.Kind() {
	case reflect.Struct:
		name := typeName(t)
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				continue
			}
			if value, ok := w.fields[typeField{name, f.Name}]; ok {
				p.fixed = append(p.fixed, fixedField{i, reflect.ValueOf(value)})
			}
			if inner := w.plan(f.Type); inner != nil {
				p.parts = append(p.parts, part{i, inner})
			}
		}
	case reflect.Pointer, reflect.Slice:
		p.elem = w.plan(t.Elem())
	}
	if len(p.changes) == 0 && len(p.fixed) == 0 && len(p.parts) == 0 && p.elem == nil {
		p = nil
	}
	w.plans[t] = p
	return p
}

// typeName returns the group and the name of a type of k8s.io/api, such as
// "core.Pod". Types with equal names in the versions of a group have equal
// defaults.
func typeName(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	if len(parts) < 2 {
		return t.Name()
	}
	return parts[len(parts)-2] + "." + t.Name()
}

func (p *plan) apply(s apiserver.Server, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.elem.apply(s, v.Elem())
		}
		return
	case reflect.Slice:
		if p.elem != nil {
			for i := range v.Len() {
				p.elem.apply(s, v.Index(i))
			}
		}
		return
	}
	if len(p.changes) > 0 {
		at := v.Addr().Interface()
		for _, change := range p.changes {
			change(s, at)
		}
	}
	for i := range p.fixed {
		setDefault(v.Field(p.fixed[i].index), p.fixed[i].value)
	}
	for i := range p.parts {
		p.parts[i].apply(s, v.Field(p.parts[i].index))
	}
}

// setDefault sets a field that is nil, "" or 0.
func setDefault(field, value reflect.Value) {
	if !field.IsZero() {
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	field.Set(value.Convert(field.Type()))
}
