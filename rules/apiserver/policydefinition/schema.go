package policydefinition

import (
	"slices"

	"k8s.io/apiserver/pkg/cel/common"

	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// The server's type checker derives types from OpenAPI schemas
// (k8s.io/apiserver/pkg/cel/{common,openapi}). builtIn and custom implement such
// schemas, but only the parts that determine the types of expressions.
//
// The server's own schemas lack some values that an object can have. These are
// fields that allow several types, such as quantities, and everything below an
// object without properties. A schema with exposed set has these values.

// builtIn is the schema of a Go type.
type builtIn struct {
	unspecified
	t         gotype.Type
	enclosing []gotype.Type // types of the structs around this value
	exposed   bool
}

// Type returns the OpenAPI type of the schema, or "" if values can have several
// types.
func (s builtIn) Type() string {
	switch s.t.Form() {
	case gotype.Struct, gotype.Map, gotype.Raw:
		return "object"
	case gotype.List:
		return "array"
	case gotype.Text, gotype.Bytes, gotype.Timestamp:
		return "string"
	case gotype.Boolean:
		return "boolean"
	case gotype.Integer:
		return "integer"
	case gotype.Number:
		return "number"
	}
	return ""
}

// Format returns the OpenAPI format of a string, or "".
func (s builtIn) Format() string {
	switch s.t.Form() {
	case gotype.Bytes:
		return "byte"
	case gotype.Timestamp:
		return "date-time"
	}
	return ""
}

// IsXIntOrString reports whether the type is dynamic.
func (s builtIn) IsXIntOrString() bool {
	switch s.t.Form() {
	case gotype.IntOrString:
		return true
	case gotype.Quantity, gotype.Raw, gotype.Anything:
		return s.exposed
	}
	return s.exposed && s.recursive()
}

// recursive reports whether the type contains itself. The server's schemas end at
// such a type. Source: PopulateRefs in
// k8s.io/apiserver/pkg/cel/openapi/resolver/refs.go.
func (s builtIn) recursive() bool {
	return s.t.Form() == gotype.Struct && slices.Contains(s.enclosing, s.t)
}

// Items returns the schema of a list's items.
func (s builtIn) Items() common.Schema { return s.inner(s.t.Elem()) }

// AdditionalProperties returns the schema of a map's values.
func (s builtIn) AdditionalProperties() common.SchemaOrBool {
	if s.t.Form() != gotype.Map {
		return nil
	}
	return someSchema{s.inner(s.t.Elem())}
}

// Properties returns the schemas of an object's fields.
func (s builtIn) Properties() map[string]common.Schema {
	if s.t.Form() != gotype.Struct || s.recursive() {
		return nil
	}
	all := map[string]common.Schema{}
	inside := s
	inside.enclosing = append(slices.Clip(s.enclosing), s.t)
	for name, t := range s.t.Fields() {
		all[name] = inside.inner(t)
	}
	return all
}

func (s builtIn) inner(t gotype.Type) common.Schema {
	s.t = t
	return s
}

// WithTypeAndObjectMeta returns the schema itself, because every built-in kind
// already has apiVersion, kind and metadata.
func (s builtIn) WithTypeAndObjectMeta() common.Schema { return s }

// custom is the schema of a custom resource or of a value in it, as the server
// publishes it.
type custom struct {
	unspecified
	v        *wire.Value // a part of openAPIV3Schema; nil if there is none
	meta     gotype.Type // the type of metadata
	resource bool        // whether the value is the custom resource itself
	exposed  bool
}

// Type returns the type of the schema.
func (s custom) Type() string {
	if s.resource {
		return "object"
	}
	return s.v.Get("type").StringOr("")
}

// Format returns the OpenAPI format of a string, or "".
func (s custom) Format() string { return s.v.Get("format").StringOr("") }

// IsXIntOrString reports whether the type is dynamic.
func (s custom) IsXIntOrString() bool {
	if s.v.Get("x-kubernetes-int-or-string").IsTrue() {
		return true
	}
	open := s.v.Get("x-kubernetes-preserve-unknown-fields").IsTrue() || s.v.Get("additionalProperties").IsTrue() ||
		s.Type() == "" || s.Type() == "object" && length(s.v.Get("properties"))+length(s.v.Get("additionalProperties")) == 0
	return s.exposed && !s.resource && open
}

// IsXEmbeddedResource reports whether the value is an embedded object with its
// own metadata.
func (s custom) IsXEmbeddedResource() bool {
	return s.v.Get("x-kubernetes-embedded-resource").IsTrue()
}

// Items returns the schema of a list's items, or nil.
func (s custom) Items() common.Schema {
	if items := s.v.Get("items"); items != nil && items.Kind == wire.Map {
		return s.inner(items)
	}
	return nil
}

// AdditionalProperties returns the schema of a map's values, or nil.
func (s custom) AdditionalProperties() common.SchemaOrBool {
	if values := s.v.Get("additionalProperties"); values != nil && values.Kind == wire.Map {
		return someSchema{s.inner(values)}
	}
	return nil
}

// Properties returns the schemas of an object's fields. Like the server, it adds
// apiVersion, kind and metadata. Source: pkg/controller/openapi/builder in
// k8s.io/apiextensions-apiserver.
func (s custom) Properties() map[string]common.Schema {
	all := map[string]common.Schema{}
	if fields := s.v.Get("properties"); fields != nil && fields.Kind == wire.Map {
		for _, f := range fields.Entries() {
			all[f.Name] = s.inner(f.Value)
		}
	}
	if s.resource || s.IsXEmbeddedResource() {
		all["apiVersion"], all["kind"] = stringSchema{}, stringSchema{}
		all["metadata"] = builtIn{t: s.meta, exposed: s.exposed}
	}
	return all
}

func (s custom) inner(v *wire.Value) common.Schema {
	s.v, s.resource = v, false
	return s
}

// WithTypeAndObjectMeta returns the schema itself, because Properties adds
// apiVersion, kind and metadata.
func (s custom) WithTypeAndObjectMeta() common.Schema { return s }

type stringSchema struct{ unspecified }

// Type returns the type of the schema.
func (stringSchema) Type() string { return "string" }

// WithTypeAndObjectMeta returns the schema.
func (s stringSchema) WithTypeAndObjectMeta() common.Schema { return s }

// someSchema is a SchemaOrBool that has a schema.
type someSchema struct{ of common.Schema }

// Schema returns the schema.
func (s someSchema) Schema() common.Schema { return s.of }

// Allows returns true.
func (s someSchema) Allows() bool { return true }

func length(v *wire.Value) int {
	if v == nil {
		return 0
	}
	return len(v.Fields)
}
