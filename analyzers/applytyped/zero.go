package applytyped

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
)

// zeros are the fields that encoding/json writes for the zero value of an API type, as
// paths of JSON names, in the order of their declaration. The server then counts them
// among the fields of the manager.
//
// A field is written unless its tag says omitempty. An empty struct is written even
// then: only omitzero leaves it out. Fields of metadata are not counted, as the server
// takes creationTimestamp out of the managed fields (stripmeta.go of apimachinery). Nor
// is status: the server resets it in requests for the object itself, and everything
// else in requests for the status.
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

// zeroFields collects the zeros of one type.
type zeroFields struct {
	assigned map[string]bool // by Go names
	found    []string
}

// field adds the zeros of one field of a struct.
func (z *zeroFields) field(s *types.Struct, i int, goPath, jsonPath string, within map[*types.Named]bool) {
	f := s.Field(i)
	name, empty, ok := tag(s, i)
	if !ok || f.Type() == types.Typ[types.Invalid] { // which is of a package that was not found
		return
	}
	goPath += "." + f.Name()
	if z.assigned[goPath] {
		return
	}
	named, isNamed := types.Unalias(f.Type()).(*types.Named)
	inner, isStruct := f.Type().Underlying().(*types.Struct)
	if isNamed && hasMarshal(named) {
		// The type encodes itself. An empty time or quantity is written as null or 0.
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
	if len(z.found) == before && !z.below(goPath) {
		z.found = append(z.found, jsonPath) // {} is a value too
	}
}

// below reports whether a field below a path is assigned.
func (z *zeroFields) below(path string) bool {
	for p := range z.assigned {
		if strings.HasPrefix(p, path+".") {
			return true
		}
	}
	return false
}

// omission says when the JSON leaves out a field.
type omission uint8

const (
	written omission = iota
	omitEmpty
	omitZero
)

// tag reads the JSON tag of a field. ok is false for fields that are never
// written.
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

// hasMarshal reports whether a type encodes itself.
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
