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
	// want is the type of the field with the value at, or nil if the type is
	// unknown.
	want *typeRecord
	// fatal is set if a type's own UnmarshalJSON failed. Such a failure ends
	// decoding and replaces an earlier failure.
	fatal bool

	// message is the text of an error that does not name types. If it is empty,
	// the error is an encoding/json.UnmarshalTypeError with these parts:
	//   - value describes the JSON value, and typ is the Go type into which it
	//     cannot be decoded.
	//   - path has the names of the fields from the structure owner to the value.
	//     It is empty if the field is unknown.
	message string
	value   string
	typ     string
	owner   string
	path    []string
}

// Error returns the text of UnmarshalTypeError.Error, or the message.
func (f *failure) Error() string {
	switch {
	case f.message != "":
		return f.message
	case len(f.path) == 0:
		return "json: cannot unmarshal " + f.value + " into Go value of type " + f.typ
	}
	return "json: cannot unmarshal " + f.value + " into Go struct field " + f.owner + "." + strings.Join(f.path, ".") + " of type " + f.typ
}

// plainText returns the failure in kubevet's own words, for servers whose text is
// unknown.
func (f *failure) plainText() string {
	if f.message != "" {
		return f.message
	}
	field := ""
	if len(f.path) > 0 {
		field = "field " + strings.Join(f.path, ".") + " of "
	}
	return "cannot unmarshal " + f.value + " into " + field + "type " + f.typ
}

// jsonTypeName returns the name that encoding/json errors use for a JSON value.
// If digits is set, a number's text follows its name, as in errors where a number
// was expected.
func jsonTypeName(v *wire.Value, digits bool) string {
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

// customDecodeError returns the error of decoding v into a type that decodes
// itself from a scalar, or nil. v is not null. Callers set failure.at. Source:
// the UnmarshalJSON methods of these types, the same from 1.16 to 1.37.
//
//	IntOrString  k8s.io/apimachinery/pkg/util/intstr/intstr.go
//	Quantity     k8s.io/apimachinery/pkg/api/resource/quantity.go
//	Time         k8s.io/apimachinery/pkg/apis/meta/v1/time.go
//	MicroTime    k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go
func customDecodeError(s shape, v *wire.Value) *failure {
	switch s {
	case intOrString:
		if v.Kind == wire.String || v.Kind == wire.Number && fitsNumber(integer32, v) {
			return nil
		}
		return &failure{value: jsonTypeName(v, true), typ: "int32"}
	case quantity:
		return quantityError(v)
	}
	if v.Kind != wire.String {
		return &failure{value: jsonTypeName(v, false), typ: "string"}
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

// schemaError returns the error of decoding v into JSONSchemaPropsOrArray,
// …OrBool or …OrStringArray. These types of the CRD schema decode their
// contents separately and never report dropped fields. Source: their
// UnmarshalJSON in
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/{v1,v1beta1}/marshal.go.
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
				inner.fail(nil, item, &failure{value: jsonTypeName(item, false), typ: "string"})
			}
		}
	}
	return inner.failure
}
