package gotype

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// fitter looks whether there is anything to say of a value at all, which there
// hardly ever is: what decoding says, and in which order, takes more.
type fitter struct {
	minor lifecycle.Minor
	// lenient leaves unknown fields out of account, folded the letters' case
	// of names too: what JSONSchemaPropsOrArray and its like decode is not
	// decoded strictly.
	lenient, folded bool
}

// fitterFor makes the fitter of a minor. Servers up to 1.22 tell nothing of
// unknown fields.
func fitterFor(m lifecycle.Minor) fitter {
	return fitter{minor: m, lenient: m <= lastIterator}
}

// fits reports whether v decodes into t with nothing to complain of. Null fits
// everything: types that decode themselves are either reached by pointers or
// take it.
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
			given := &v.Fields[i]
			f := t.field(given.Name, c.minor)
			if f == nil && c.folded {
				f = t.foldedField(given.Name, c.minor)
			}
			if f == nil {
				if !c.lenient || !c.skips(given.Value) {
					return false
				}
				continue
			}
			if !c.fits(f.typeOf(), given.Value) {
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
		return c.skips(v)
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		return c.fitsSchema(t, v)
	case quantity, intOrString, timestamp, microTimestamp:
		return ownError(t.shape, v) == nil && c.skips(v)
	}
	return fitsNumber(t.shape, v)
}

// skips reports whether the decoder passes over v without an error, as all do
// but json-iterator, which reads numbers that are too large for a float.
func (c fitter) skips(v *wire.Value) bool {
	if c.minor > lastIterator || c.folded || v == nil {
		return true
	}
	if v.Kind == wire.Number {
		return len(v.Text) < 30 && !strings.ContainsAny(v.Text, "eE")
	}
	for i := range v.Fields {
		if !c.skips(v.Fields[i].Value) {
			return false
		}
	}
	for _, item := range v.Items {
		if !c.skips(item) {
			return false
		}
	}
	return true
}

// fitsSchema is fits for what a JSON schema or something else may be.
func (c fitter) fitsSchema(t *typeRecord, v *wire.Value) bool {
	inner := fitter{minor: c.minor, lenient: true, folded: c.minor <= lastIterator}
	switch {
	case !c.skips(v):
		return false
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

// fitsNumber reports whether v is a number that the shape can hold. Only digits
// are an integer, so 5.0 and 1e1 are none.
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

// base64Error is the error of decoding a []byte, or nil.
func base64Error(s string) error {
	if s == "" {
		return nil
	}
	_, err := base64.StdEncoding.DecodeString(s)
	return err
}
