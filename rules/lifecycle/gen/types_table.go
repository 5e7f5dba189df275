package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// typeTable is the combined data of all releases about Go types.
type typeTable struct {
	roots []rootLine
	types []*mergedType
}

// rootLine is a kind and its Go type, in the minors that serve the kind.
type rootLine struct {
	gvk
	typ    *mergedType
	minors minors
}

// mergedType is a Go type with the fields of all releases. It also means a
// pointer to the type, because both decode in the same way except for null.
type mergedType struct {
	index int    // index of the type in the table
	shape string // package gotype's constant for the way in which the type decodes
	name  string // name of the type as package reflect prints it
	elem  *mergedType
	// fields are the fields of a struct, sorted by JSON name and then by minors.
	fields []*mergedField
}

// mergedField is a field of a struct that is the same in all of its minors.
type mergedField struct {
	json, embedded string
	typ            *mergedType
	minors         minors
}

// ownTypes maps the types with their own decoding methods to their shapes.
var ownTypes = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "timestamp",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microTimestamp",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "anything",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "anything",

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                              "anything",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":            "schemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":             "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray":      "schemaOrStrings",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON":                         "anything",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSONSchemaPropsOrArray":       "schemaOrArray",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSONSchemaPropsOrBool":        "schemaOrBool",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
}

// basicShapes maps the predeclared types to their shapes.
var basicShapes = map[string]string{
	"bool": "boolean", "string": "text",
	"int": "integer", "int64": "integer", "int32": "integer32", "int16": "integer16", "int8": "integer8",
	"uint8": "unsigned8", "uint16": "unsigned16", "uint32": "unsigned32", "uint64": "unsigned", "uint": "unsigned",
	"float64": "float", "float32": "float32",
}

type typeMerger struct {
	byKey map[string]*mergedType
	// minor is the current release, and facts has its types by ID.
	minor int
	facts map[string]*typeFact
	done  map[string]bool // whether a struct of this release has been read, by ID
}

// buildTypes merges the types of all releases. t says which minors serve each
// kind.
func buildTypes(all []*typeFacts, t *table) (*typeTable, error) {
	m := &typeMerger{byKey: map[string]*mergedType{}}
	roots := map[string]*rootLine{}
	for i, f := range all {
		m.minor = covered()[i].minor
		m.facts, m.done = map[string]*typeFact{}, map[string]bool{}
		for j := range f.Types {
			m.facts[f.Types[j].ID] = &f.Types[j]
		}
		ids := map[gvk]string{}
		for _, r := range f.Roots {
			ids[r.gvk] = r.ID
		}
		for _, a := range t.apis {
			if a.class == "List" || !a.servable.has(m.minor) {
				continue
			}
			id, ok := ids[a.gvk]
			if !ok {
				return nil, fmt.Errorf("no Go type for %s in Kubernetes %s", a.gvk, f.Release)
			}
			typ, err := m.read(id)
			if err != nil {
				return nil, fmt.Errorf("types of Kubernetes %s: %w", f.Release, err)
			}
			key := a.gvk.String() + " " + id
			if roots[key] == nil {
				roots[key] = &rootLine{gvk: a.gvk, typ: typ}
			}
			roots[key].minors.add(m.minor)
		}
	}
	table := &typeTable{}
	for _, r := range roots {
		table.roots = append(table.roots, *r)
	}
	slices.SortFunc(table.roots, func(a, b rootLine) int {
		return cmp.Or(cmp.Compare(groupVersion(a.Group, a.Version), groupVersion(b.Group, b.Version)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.minors, b.minors))
	})
	for i, key := range slices.Sorted(maps.Keys(m.byKey)) {
		typ := m.byKey[key]
		typ.index = i
		table.types = append(table.types, typ)
		slices.SortFunc(typ.fields, func(a, b *mergedField) int {
			return cmp.Or(cmp.Compare(a.json, b.json), cmp.Compare(a.minors, b.minors))
		})
	}
	return table, nil
}

// read returns the merged type for the notation expr. It adds the type if it is
// new.
func (m *typeMerger) read(expr string) (*mergedType, error) {
	switch {
	case strings.HasPrefix(expr, "*"):
		return m.read(expr[1:])
	case expr == "[]uint8":
		return m.namedShape("octets", "[]uint8"), nil
	case strings.HasPrefix(expr, "[]"):
		return m.container("list", expr, expr[2:])
	case strings.HasPrefix(expr, "map["):
		key, elem, _ := strings.Cut(expr[4:], "]")
		if k, err := m.read(key); err != nil {
			return nil, err
		} else if k.shape != "text" {
			return nil, fmt.Errorf("a map whose keys are no strings: %s", expr)
		}
		return m.container("dictionary", expr, elem)
	case basicShapes[expr] != "":
		return m.namedShape(basicShapes[expr], expr), nil
	}
	f := m.facts[expr]
	if f == nil {
		return nil, fmt.Errorf("no type %s", expr)
	}
	switch {
	case f.Own:
		shape, ok := ownTypes[expr]
		if !ok {
			return nil, fmt.Errorf("%s decodes itself, and it is not known how", expr)
		}
		t := m.namedShape(shape, f.Name)
		if t.elem == nil && strings.HasPrefix(shape, "schemaOr") {
			var err error
			if t.elem, err = m.read(f.Underlying); err != nil {
				return nil, err
			}
		}
		return t, nil
	case f.Underlying == "":
		return m.structure(expr, f, f.Fields)
	}
	under, err := m.read(f.Underlying)
	if err != nil {
		return nil, err
	}
	switch under.shape {
	case "structure": // type A B: A has the fields of B but not its methods
		return m.structure(expr, f, m.facts[f.Underlying].Fields)
	case "list", "dictionary":
		t := m.namedShape(under.shape+" of "+under.elem.name, f.Name)
		t.shape, t.elem = under.shape, under.elem
		return t, nil
	}
	return m.namedShape(under.shape, f.Name), nil
}

// namedShape returns the type with a shape and a name. It adds the type if it is
// new.
func (m *typeMerger) namedShape(shape, name string) *mergedType {
	key := shape + " " + name
	t := m.byKey[key]
	if t == nil {
		t = &mergedType{shape: shape, name: name}
		m.byKey[key] = t
	}
	return t
}

// container returns the merged type of an unnamed list or map. If the elements
// are structs, the key of the list or map in byKey contains the import path. The
// reason is that structs of two packages can have the same name.
func (m *typeMerger) container(shape, expr, elem string) (*mergedType, error) {
	e, err := m.read(elem)
	if err != nil {
		return nil, err
	}
	key := shape + " of " + expr
	if e.shape != "structure" {
		key = shape + " of " + e.shape + " " + m.reflectName(expr)
	}
	t := m.byKey[key]
	if t == nil {
		t = &mergedType{shape: shape, name: m.reflectName(expr), elem: e}
		m.byKey[key] = t
	}
	if t.elem != e {
		return nil, fmt.Errorf("two types for %s", key)
	}
	return t, nil
}

// reflectName returns the name of a type as package reflect prints it.
func (m *typeMerger) reflectName(expr string) string {
	switch {
	case strings.HasPrefix(expr, "*"):
		return "*" + m.reflectName(expr[1:])
	case strings.HasPrefix(expr, "[]"):
		return "[]" + m.reflectName(expr[2:])
	case strings.HasPrefix(expr, "map["):
		key, elem, _ := strings.Cut(expr[4:], "]")
		return "map[" + m.reflectName(key) + "]" + m.reflectName(elem)
	}
	if f := m.facts[expr]; f != nil {
		return f.Name
	}
	return expr
}

// structure merges a struct and the types of its fields.
func (m *typeMerger) structure(id string, f *typeFact, fields []fieldFact) (*mergedType, error) {
	key := "structure " + id
	t := m.byKey[key]
	if t == nil {
		t = &mergedType{shape: "structure", name: f.Name}
		m.byKey[key] = t
	}
	if m.done[id] {
		return t, nil
	}
	m.done[id] = true
	for _, field := range fields {
		typ, err := m.read(field.Type)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", id, field.Go, err)
		}
		i := slices.IndexFunc(t.fields, func(o *mergedField) bool {
			return o.json == field.JSON && o.embedded == field.Embedded && o.typ == typ
		})
		if i < 0 {
			i = len(t.fields)
			t.fields = append(t.fields, &mergedField{json: field.JSON, embedded: field.Embedded, typ: typ})
		}
		t.fields[i].minors.add(m.minor)
	}
	return t, nil
}
