package gotype

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ErrUnknownKind is the error of Into for a kind that the minor does not serve.
var ErrUnknownKind = errors.New("the release does not serve this kind")

// Into decodes a value into a Go type of k8s.io/api and drops the fields that the
// minor's type does not have. into is a pointer to the kind's struct.
//
// Decode must have found no error. For other values Into returns an error, and
// into is then incomplete. A quantity with an exponent beyond 1000 is an error
// too, because its arithmetic takes too long.
func Into(m lifecycle.Minor, apiVersion, kind string, v *wire.Value, into any) error {
	t := typeOf(apiVersion, kind, m)
	if t == nil {
		return ErrUnknownKind
	}
	r := reader{minor: m}
	return r.read(t, v, reflect.ValueOf(into).Elem())
}

// reader copies a value into a Go type of k8s.io/api without the fields that the
// minor's type lacks. It follows the type of the minor and the Go type at the
// same time.
type reader struct{ minor lifecycle.Minor }

func (r reader) read(t *typeRecord, v *wire.Value, out reflect.Value) error {
	if v.IsNull() {
		return nil
	}
	for out.Kind() == reflect.Pointer {
		if out.IsNil() {
			out.Set(reflect.New(out.Type().Elem()))
		}
		out = out.Elem()
	}
	switch t.shape {
	case structure:
		return r.readFields(t, v, out)
	case dictionary:
		return r.readMap(t, v, out)
	case list:
		return r.readItems(t, v.Items, out)
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		return r.readSchema(t, v, out)
	case text:
		if out.Kind() == reflect.String && v.Kind == wire.String {
			out.SetString(v.Text)
			return nil
		}
	case boolean:
		if out.Kind() == reflect.Bool && v.Kind == wire.Bool {
			out.SetBool(v.Text == "true")
			return nil
		}
	case octets:
		return readBytes(v, out)
	}
	switch into := out.Addr().Interface().(type) {
	case *resource.Quantity:
		return readQuantity(v, into)
	case *intstr.IntOrString:
		if v.Kind == wire.String {
			*into = intstr.FromString(v.Text)
			return nil
		}
	case *metav1.Time:
		if v.Kind == wire.String {
			return into.UnmarshalQueryParameter(v.Text)
		}
	case json.Unmarshaler:
		return into.UnmarshalJSON(appendJSON(nil, v))
	}
	if v.Kind == wire.Number {
		return readNumber(v.Text, out)
	}
	return decodeError(v, out)
}

// decodeError returns the error for a value that does not decode. Users never see
// its text, because Decode reports such a value before.
func decodeError(v *wire.Value, out reflect.Value) error {
	return fmt.Errorf("%s does not decode into %s", jsonTypeName(v, true), out.Type())
}

func readNumber(number string, out reflect.Value) error {
	switch out.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(number, 10, out.Type().Bits())
		out.SetInt(n)
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(number, 10, out.Type().Bits())
		out.SetUint(n)
		return err
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(number, out.Type().Bits())
		out.SetFloat(f)
		return err
	}
	if into, ok := out.Addr().Interface().(*intstr.IntOrString); ok {
		n, err := strconv.ParseInt(number, 10, 32)
		*into = intstr.FromInt32(int32(n))
		return err
	}
	return decodeError(&wire.Value{Kind: wire.Number, Text: number}, out)
}

// readQuantity stores the quantity v in into. Source: Quantity.UnmarshalJSON,
// which keeps the parsed value and not the text.
func readQuantity(v *wire.Value, into *resource.Quantity) error {
	literal := strings.TrimSpace(v.Text)
	if v.Kind == wire.String && literal == "" {
		return decodeError(v, reflect.ValueOf(into).Elem())
	}
	parsed, ok := ParseQuantity(literal)
	if !ok {
		return fmt.Errorf("the quantity %q is too long", literal[:min(len(literal), 100)])
	}
	*into = parsed
	return nil
}

// readBytes decodes a []byte from base64 or from a list of numbers.
func readBytes(v *wire.Value, out reflect.Value) error {
	if v.Kind == wire.List {
		data := make([]byte, len(v.Items))
		for i, item := range v.Items {
			n, _ := item.Int()
			data[i] = byte(n)
		}
		out.SetBytes(data)
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(v.Text)
	if err != nil {
		return err
	}
	out.SetBytes(data)
	return nil
}

func (r reader) readFields(t *typeRecord, v *wire.Value, out reflect.Value) error {
	if v.Kind != wire.Map || out.Kind() != reflect.Struct {
		return decodeError(v, out)
	}
	index := fieldsOf(out.Type())
	for i := range v.Fields {
		sent := &v.Fields[i]
		f := t.field(sent.Name, r.minor)
		if f == nil {
			continue
		}
		indexes, ok := index[sent.Name]
		if !ok {
			continue // k8s.io/api no longer has the field
		}
		at := out
		for _, n := range indexes {
			if at.Kind() == reflect.Pointer {
				if at.IsNil() {
					at.Set(reflect.New(at.Type().Elem()))
				}
				at = at.Elem()
			}
			at = at.Field(n)
		}
		if err := r.read(f.typeOf(), sent.Value, at); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) readMap(t *typeRecord, v *wire.Value, out reflect.Value) error {
	if v.Kind != wire.Map || out.Kind() != reflect.Map {
		return decodeError(v, out)
	}
	if result, ok := out.Addr().Interface().(*map[string]string); ok && t.elemType().shape == text {
		*result = make(map[string]string, len(v.Fields))
		for i := range v.Fields {
			(*result)[v.Fields[i].Name] = v.Fields[i].Value.StringOr("")
		}
		return nil
	}
	typ := out.Type()
	result := reflect.MakeMapWithSize(typ, len(v.Fields))
	for i := range v.Fields {
		elem := reflect.New(typ.Elem()).Elem()
		if err := r.read(t.elemType(), v.Fields[i].Value, elem); err != nil {
			return err
		}
		result.SetMapIndex(reflect.ValueOf(v.Fields[i].Name).Convert(typ.Key()), elem)
	}
	out.Set(result)
	return nil
}

func (r reader) readItems(t *typeRecord, items []*wire.Value, out reflect.Value) error {
	if out.Kind() != reflect.Slice {
		return fmt.Errorf("a list does not decode into %s", out.Type())
	}
	result := reflect.MakeSlice(out.Type(), len(items), len(items))
	for i, item := range items {
		if err := r.read(t.elemType(), item, result.Index(i)); err != nil {
			return err
		}
	}
	out.Set(result)
	return nil
}

// readSchema decodes JSONSchemaPropsOrArray, …OrBool and …OrStringArray. Their Go
// fields have no JSON names.
func (r reader) readSchema(t *typeRecord, v *wire.Value, out reflect.Value) error {
	switch {
	case v.Kind == wire.Map:
		if t.shape == schemaOrBool {
			out.FieldByName("Allows").SetBool(true)
		}
		schema := reflect.New(out.FieldByName("Schema").Type().Elem())
		out.FieldByName("Schema").Set(schema)
		return r.read(t.elemType(), v, schema.Elem())
	case v.Kind == wire.Bool && t.shape == schemaOrBool:
		out.FieldByName("Allows").SetBool(v.IsTrue())
		return nil
	case v.Kind == wire.List && t.shape == schemaOrStrings:
		out.FieldByName("Property").Set(reflect.ValueOf(v.Strings()))
		return nil
	case v.Kind == wire.List && t.shape == schemaOrArray:
		schemas := reflect.MakeSlice(out.FieldByName("JSONSchemas").Type(), len(v.Items), len(v.Items))
		for i, item := range v.Items {
			if err := r.read(t.elemType(), item, schemas.Index(i)); err != nil {
				return err
			}
		}
		out.FieldByName("JSONSchemas").Set(schemas)
		return nil
	}
	return decodeError(v, out)
}

// goFields caches the fields of Go types by their names in JSON.
var goFields sync.Map // reflect.Type: map[string][]int

// fieldsOf returns the index paths of a struct's fields, by JSON name. A path
// leads through embedded structs, as for reflect.Value.FieldByIndex.
func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := goFields.Load(t); ok {
		return known.(map[string][]int)
	}
	result := map[string][]int{}
	addFields(result, t, nil)
	goFields.Store(t, result)
	return result
}

func addFields(into map[string][]int, t reflect.Type, way []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		here := append(way[:len(way):len(way)], i)
		switch {
		case name == "-" || !f.IsExported():
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			addFields(into, embedded, here)
		case name == "":
			into[f.Name] = here
		default:
			into[name] = here
		}
	}
}

// appendJSON appends a value as JSON text.
func appendJSON(b []byte, v *wire.Value) []byte {
	quote := func(b []byte, s string) []byte {
		quoted, _ := json.Marshal(s) // a string never returns an error
		return append(b, quoted...)
	}
	if v == nil {
		return append(b, "null"...)
	}
	switch v.Kind {
	case wire.String:
		return quote(b, v.Text)
	case wire.Bool, wire.Number:
		return append(b, v.Text...)
	case wire.List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case wire.Map:
		b = append(b, '{')
		for i := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(quote(b, v.Fields[i].Name), ':')
			b = appendJSON(b, v.Fields[i].Value)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// Pruned returns an object as Generic does, without nulls and without the fields
// that the minor's type does not have. If the kind is not Known, all fields are
// kept.
func Pruned(m lifecycle.Minor, apiVersion, kind string, v *wire.Value) (any, error) {
	t := typeOf(apiVersion, kind, m)
	if t == nil {
		return Generic(v)
	}
	return Generic(prune(m, t, v))
}

func prune(m lifecycle.Minor, t *typeRecord, v *wire.Value) *wire.Value {
	if t.shape != structure || v.IsNull() || v.Kind != wire.Map {
		return v
	}
	kept := &wire.Value{Kind: wire.Map}
	for i := range v.Fields {
		if f := t.field(v.Fields[i].Name, m); f != nil && !v.Fields[i].Value.IsNull() {
			kept.Fields = append(kept.Fields, wire.Field{Name: v.Fields[i].Name, Value: prune(m, f.typeOf(), v.Fields[i].Value)})
		}
	}
	return kept
}

// Generic returns a value in the form of unstructured objects: integers are
// int64, other numbers float64, maps map[string]any, and lists []any.
func Generic(v *wire.Value) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch v.Kind {
	case wire.String:
		return v.Text, nil
	case wire.Bool:
		return v.Text == "true", nil
	case wire.Number:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n, nil
		}
		f, err := strconv.ParseFloat(v.Text, 64)
		return f, err
	case wire.List:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			var err error
			if items[i], err = Generic(item); err != nil {
				return nil, err
			}
		}
		return items, nil
	case wire.Map:
		fields := make(map[string]any, len(v.Fields))
		for i := range v.Fields {
			field, err := Generic(v.Fields[i].Value)
			if err != nil {
				return nil, err
			}
			fields[v.Fields[i].Name] = field
		}
		return fields, nil
	}
	return nil, nil
}
