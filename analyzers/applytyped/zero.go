package applytyped

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// zeros returns the fields that encoding/json writes for the zero value of an API type,
// as paths of JSON names. The server counts them as fields of the manager.
//
// encoding/json writes a field unless the field's tag has omitempty. It omits an empty
// struct only with omitzero. zeros leaves out fields in metadata, because the server
// removes creationTimestamp from the managed fields (stripmeta.go of apimachinery).
//
// The server resets all fields outside of status in a request for the subresource
// status, and status in other requests. zeros leaves out the fields that the server
// resets.
func zeros(kind *types.Named, subresource string, assigned map[string]bool) []string {
	z := &zeroFields{assigned: assigned}
	s := kind.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		name, _, _ := tag(s, i)
		if name == "metadata" || isMeta(s.Field(i).Type(), "TypeMeta") || (name == "status") != (subresource == "status") {
			continue
		}
		z.field(s, i, "", "", map[*types.Named]bool{kind: true})
	}
	return z.found
}

// zeroFields collects the fields of one type that encoding/json writes for their zero
// value.
type zeroFields struct {
	assigned map[string]bool // fields that the code sets, as paths of Go names
	found    []string
}

// field adds field i of struct s, unless the code sets it. If the field is a struct, it
// adds the fields of that struct instead. within has the types of the enclosing
// structs, so that a type which contains itself is entered only once.
func (z *zeroFields) field(s *types.Struct, i int, goPath, jsonPath string, within map[*types.Named]bool) {
	f := s.Field(i)
	name, empty, ok := tag(s, i)
	if !ok || f.Type() == types.Typ[types.Invalid] { // the type's package was not found
		return
	}
	goPath += "." + f.Name()
	if z.assigned[goPath] {
		return
	}
	named, isNamed := types.Unalias(f.Type()).(*types.Named)
	inner, isStruct := f.Type().Underlying().(*types.Struct)
	if isNamed && hasMarshal(named) {
		// omitempty does not omit a type that encodes itself. An empty Time is written as
		// null, and an empty Quantity as 0.
		isStruct = false
		if empty == omitEmpty && isStructType(named) {
			empty = written
		}
	}
	if name == "" && f.Embedded() && isStruct {
		for j := range inner.NumFields() {
			z.field(inner, j, goPath, jsonPath, within)
		}
		return
	}
	if jsonPath != "" {
		jsonPath += "."
	}
	jsonPath += name
	if empty == omitZero || empty == omitEmpty && !isStruct {
		return
	}
	if !isStruct || isNamed && within[named] {
		z.found = append(z.found, jsonPath)
		return
	}
	if isNamed {
		within[named] = true
		defer delete(within, named)
	}
	before := len(z.found)
	for j := range inner.NumFields() {
		z.field(inner, j, goPath, jsonPath, within)
	}
	if len(z.found) == before && !z.setsInside(goPath) {
		z.found = append(z.found, jsonPath) // the request contains {} for this field
	}
}

// setsInside reports whether the code sets a field inside the field at path.
func (z *zeroFields) setsInside(path string) bool {
	for p := range z.assigned {
		if strings.HasPrefix(p, path+".") {
			return true
		}
	}
	return false
}

// omission says for which values encoding/json leaves out a field: none, empty values, or
// the zero value.
type omission uint8

const (
	written omission = iota
	omitEmpty
	omitZero
)

// tag returns the name and the omission in the JSON tag of field i. ok is false if
// encoding/json never writes the field.
func tag(s *types.Struct, i int) (name string, empty omission, ok bool) {
	f := s.Field(i)
	text := reflect.StructTag(s.Tag(i)).Get("json")
	if text == "-" || !f.Exported() && !f.Embedded() {
		return "", written, false
	}
	name, options, _ := strings.Cut(text, ",")
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			empty = max(empty, omitEmpty)
		case "omitzero":
			empty = omitZero
		}
	}
	switch {
	case name == "" && !f.Embedded():
		name = f.Name()
	case name == "" && isMeta(f.Type(), "ObjectMeta"):
		name = "metadata"
	}
	return name, empty, true
}

func isStructType(n *types.Named) bool {
	_, ok := n.Underlying().(*types.Struct)
	return ok
}

// hasMarshal reports whether a type has a method MarshalJSON. It knows the types of
// apimachinery by name.
func hasMarshal(n *types.Named) bool {
	switch apicall.ImportPath(n.Obj().Pkg()) + "." + n.Obj().Name() {
	case "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime",
		"k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/util/intstr.IntOrString":
		return true
	}
	obj, _, _ := types.LookupFieldOrMethod(n, true, nil, "MarshalJSON")
	_, ok := obj.(*types.Func)
	return ok
}
