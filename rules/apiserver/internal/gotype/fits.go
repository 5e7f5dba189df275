package gotype

import (
	"encoding/base64"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fitter checks whether a value decodes without any error or dropped field.
// Nearly all values do. fitter is several times faster than decoder.
type fitter struct {
	minor lifecycle.Minor
	// lenient ignores unknown fields, as servers up to 1.22 and types such as
	// JSONSchemaPropsOrArray do.
	lenient bool
}

func fitterFor(m lifecycle.Minor) fitter {
	return fitter{minor: m, lenient: m <= lastIterator}
}

// fits reports whether v decodes into t without an error or dropped field. Null
// always fits, because types with their own UnmarshalJSON are behind pointers or
// accept null.
func (c fitter) fits(t *typeRecord, v *wire.Value) bool {
	if v.IsNull() {
		return true
	}
	switch t.shape {
	case structure:
		if v.Kind != wire.Map {
			return false
		}
		for i := range v.Fields {
			field := &v.Fields[i]
			f := t.field(field.Name, c.minor)
			if f == nil && !c.lenient || f != nil && !c.fits(f.typeOf(), field.Value) {
				return false
			}
		}
		return true
	case list:
		if v.Kind != wire.List {
			return false
		}
		elem := t.elemType()
		for _, item := range v.Items {
			if !c.fits(elem, item) {
				return false
			}
		}
		return true
	case dictionary:
		if v.Kind != wire.Map {
			return false
		}
		elem := t.elemType()
		for i := range v.Fields {
			if !c.fits(elem, v.Fields[i].Value) {
				return false
			}
		}
		return true
	case text:
		return v.Kind == wire.String
	case boolean:
		return v.Kind == wire.Bool
	case octets:
		if v.Kind == wire.List {
			for _, item := range v.Items {
				if !item.IsNull() && !fitsNumber(unsigned8, item) {
					return false
				}
			}
			return true
		}
		return v.Kind == wire.String && base64Error(v.Text) == nil
	case anything:
		return true
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		return c.fitsSchema(t, v)
	case quantity, intOrString, timestamp, microTimestamp:
		return customDecodeError(t.shape, v) == nil
	}
	return fitsNumber(t.shape, v)
}

// fitsSchema does the work of fits for types such as JSONSchemaPropsOrBool, which
// contain a JSON schema or another value.
func (c fitter) fitsSchema(t *typeRecord, v *wire.Value) bool {
	inner := fitter{minor: c.minor, lenient: true}
	switch {
	case v.Kind == wire.Map:
		return inner.fits(t.elemType(), v)
	case t.shape == schemaOrBool:
		return v.Kind == wire.Bool
	case v.Kind == wire.List:
		for _, item := range v.Items {
			if t.shape == schemaOrStrings && item != nil && item.Kind != wire.String && item.Kind != wire.Null {
				return false
			}
			if t.shape == schemaOrArray && !inner.fits(t.elemType(), item) {
				return false
			}
		}
	}
	return true
}

// fitsNumber reports whether v is a number that the shape can represent. The text
// of an integer has only digits and a sign, so 5.0 and 1e1 do not fit.
func fitsNumber(s shape, v *wire.Value) bool {
	if v.Kind != wire.Number {
		return false
	}
	var err error
	switch s {
	case integer:
		_, err = strconv.ParseInt(v.Text, 10, 64)
	case integer32:
		_, err = strconv.ParseInt(v.Text, 10, 32)
	case integer16:
		_, err = strconv.ParseInt(v.Text, 10, 16)
	case integer8:
		_, err = strconv.ParseInt(v.Text, 10, 8)
	case unsigned:
		_, err = strconv.ParseUint(v.Text, 10, 64)
	case unsigned32:
		_, err = strconv.ParseUint(v.Text, 10, 32)
	case unsigned16:
		_, err = strconv.ParseUint(v.Text, 10, 16)
	case unsigned8:
		_, err = strconv.ParseUint(v.Text, 10, 8)
	case float32:
		_, err = strconv.ParseFloat(v.Text, 32)
	default:
		_, err = strconv.ParseFloat(v.Text, 64)
	}
	return err == nil
}

// base64Error returns the error of decoding s into a []byte, or nil.
func base64Error(s string) error {
	if s == "" {
		return nil
	}
	_, err := base64.StdEncoding.DecodeString(s)
	return err
}
