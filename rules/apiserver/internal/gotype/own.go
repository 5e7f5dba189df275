package gotype

import (
	"strings"
	"time"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// failure is a value that does not fit its type.
type failure struct {
	at *wire.Value
	// want is the type of the field that has the value at, or nil if the type
	// is not known.
	want *typeRecord
	// fatal ends decoding, and this failure replaces an earlier one. It is set
	// for types with an own UnmarshalJSON.
	fatal bool

	// message is an error that does not name types. If message is empty, the
	// error is an encoding/json.UnmarshalTypeError about value, which cannot be
	// decoded into the Go type typ. owner is the structure that contains the
	// value, and way are the names of the fields that lead from owner to the
	// value. way is empty if the field is unknown.
	message string
	value   string
	typ     string
	owner   string
	way     []string
}

// Error returns the text of UnmarshalTypeError.Error, or the message.
func (f *failure) Error() string {
	switch {
	case f.message != "":
		return f.message
	case len(f.way) == 0:
		return "json: cannot unmarshal " + f.value + " into Go value of type " + f.typ
	}
	return "json: cannot unmarshal " + f.value + " into Go struct field " + f.owner + "." + strings.Join(f.way, ".") + " of type " + f.typ
}

// plainText returns the failure in kubevet's own words, for servers whose text is
// not known.
func (f *failure) plainText() string {
	if f.message != "" {
		return f.message
	}
	field := ""
	if len(f.way) > 0 {
		field = "field " + strings.Join(f.way, ".") + " of "
	}
	return "cannot unmarshal " + f.value + " into " + field + "type " + f.typ
}

// describe returns the name that encoding/json errors use for a JSON value.
// digits adds the text of a number, which errors have if a number was expected.
func describe(v *wire.Value, digits bool) string {
	switch v.Kind {
	case wire.Bool:
		return "bool"
	case wire.String:
		return "string"
	case wire.Map:
		return "object"
	case wire.List:
		return "array"
	case wire.Null:
		return "null"
	}
	if digits {
		return "number " + v.Text
	}
	return "number"
}

// ownError returns the error of decoding v into a type that decodes itself from a
// scalar, or nil. v is not null. ownError does not set failure.at; its callers
// do. Source: the UnmarshalJSON methods of these types.
//
//	IntOrString  k8s.io/apimachinery/pkg/util/intstr/intstr.go
//	Quantity     k8s.io/apimachinery/pkg/api/resource/quantity.go
//	Time         k8s.io/apimachinery/pkg/apis/meta/v1/time.go
//	MicroTime    k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go
//
// These files are the same in 1.16 to 1.37.
func ownError(s shape, v *wire.Value) *failure {
	switch s {
	case intOrString:
		if v.Kind == wire.String || v.Kind == wire.Number && fitsNumber(integer32, v) {
			return nil
		}
		return &failure{value: describe(v, true), typ: "int32"}
	case quantity:
		return quantityError(v)
	}
	if v.Kind != wire.String {
		return &failure{value: describe(v, false), typ: "string"}
	}
	layout := time.RFC3339
	if s == microTimestamp {
		layout = "2006-01-02T15:04:05.000000Z07:00"
	}
	if _, err := time.Parse(layout, v.Text); err != nil {
		return &failure{message: err.Error()}
	}
	return nil
}

// schemaError returns the error of decoding v into one of three types of the CRD
// schema. These types decode their contents separately and never report dropped
// fields. Source: the UnmarshalJSON of JSONSchemaPropsOrArray, …OrBool and
// …OrStringArray (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1 and
// v1beta1, marshal.go).
func schemaError(m lifecycle.Minor, sorted bool, t *typeRecord, v *wire.Value) *failure {
	inner := decoder{minor: m, sorted: sorted}
	switch {
	case v.Kind == wire.Map:
		inner.read(t.elemType(), v)
	case t.shape == schemaOrBool:
		if v.Kind != wire.Bool {
			return &failure{message: "boolean or JSON schema expected"}
		}
	case v.Kind == wire.List:
		for _, item := range v.Items {
			switch {
			case inner.stopped():
			case t.shape == schemaOrArray:
				inner.read(t.elemType(), item)
			case !item.IsNull() && item.Kind != wire.String:
				inner.fail(nil, item, &failure{value: describe(item, false), typ: "string"})
			}
		}
	}
	return inner.failure
}
