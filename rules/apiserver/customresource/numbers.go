package customresource

import (
	"fmt"
	"math"
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// number checks a number against the schema. Integers are compared with integer
// limits as integers. Source: the number validator.
func (v *validator) number(path *location, x *wire.Value, s *Schema, format string) {
	value := number(x.Text)
	v.inRange(path, x, value, s, format, "Checked")
	if s.MultipleOf != nil {
		n, isInteger := value.(int64)
		isInteger = v.inRange(path, x, *s.MultipleOf, s, format, "MultipleOf") && isInteger
		v.multipleOf(path, x, n, isInteger, *s.MultipleOf)
	}
	if s.Minimum != nil {
		n, isInteger := value.(int64)
		isInteger = v.inRange(path, x, *s.Minimum, s, format, "Minimum boundary") && isInteger
		if limit := int64(*s.Minimum); isInteger && (n < limit || s.ExclusiveMinimum && n == limit) {
			v.limit(path, x, n, limit, s.ExclusiveMinimum, "greater than")
		} else if f := asFloat(x); !isInteger && (f < *s.Minimum || s.ExclusiveMinimum && f == *s.Minimum) {
			v.limit(path, x, f, *s.Minimum, s.ExclusiveMinimum, "greater than")
		}
	}
	// The server checks the maximum first, but reports its error last.
	if s.Maximum != nil {
		n, isInteger := value.(int64)
		isInteger = v.inRange(path, x, *s.Maximum, s, format, "Maximum boundary") && isInteger
		if limit := int64(*s.Maximum); isInteger && (n > limit || s.ExclusiveMaximum && n == limit) {
			v.limit(path, x, n, limit, s.ExclusiveMaximum, "less than")
		} else if f := asFloat(x); !isInteger && (f > *s.Maximum || s.ExclusiveMaximum && f == *s.Maximum) {
			v.limit(path, x, f, *s.Maximum, s.ExclusiveMaximum, "less than")
		}
	}
}

func (v *validator) limit(path *location, x *wire.Value, value, limit any, exclusive bool, relation string) {
	if !exclusive {
		relation += " or equal to"
	}
	v.other(path, value, x, "should be %s %v", relation, limit)
}

func (v *validator) multipleOf(path *location, x *wire.Value, n int64, whole bool, factor float64) {
	f := int64(factor)
	switch {
	case whole && f <= 0, !whole && factor <= 0:
		var quoted any = factor
		if whole {
			quoted = f
		}
		v.fail(failure{path: path.String(), message: fmt.Sprintf("factor MultipleOf declared for %s must be positive: %v", path, quoted), value: quoted, at: x})
	case whole:
		if n%f != 0 {
			v.other(path, n, x, "should be a multiple of %v", f)
		}
	default:
		quotient := asFloat(x) / factor
		if factor < 1 {
			quotient = 1 / factor * asFloat(x)
		}
		if !wholeFloat(quotient) {
			v.other(path, asFloat(x), x, "should be a multiple of %v", factor)
		}
	}
}

// inRange checks that a number is in the range of the schema's type and format
// (1.36 and 1.37). subject names the number in the error, because the error has
// no field.
func (v *validator) inRange(path *location, x *wire.Value, value any, s *Schema, format, subject string) bool {
	if v.minor < 36 || s.IntOrString {
		return true
	}
	switch s.Type {
	case "integer":
		bits := 64
		if format == "int32" {
			bits = 32
		}
		text := ""
		switch n := value.(type) {
		case int64:
			text = strconv.FormatInt(n, 10)
		case float64:
			text = strconv.FormatFloat(n, 'f', -1, 64)
		}
		if _, err := strconv.ParseInt(text, 10, bits); err == nil {
			return true
		}
	case "number":
		if format != "float" {
			return true
		}
		f, ok := value.(float64)
		if n, isInt := value.(int64); isInt {
			f, ok = float64(n), true
		}
		if ok && math.Abs(f) <= math.MaxFloat32 {
			return true
		}
	default:
		return true
	}
	kind := "(default format)"
	if s.Type == "integer" && (format == "int32" || format == "int64") || s.Type == "number" && format != "" {
		kind = "with format " + format
	}
	v.fail(failure{code: failPlain, message: fmt.Sprintf("%s value must be of type %s %s in %s", subject, s.Type, kind, path), at: x})
	return false
}

// isWhole reports whether a number is an integer, even if it is written as 5.0 or
// 1e1.
func isWhole(x *wire.Value) bool {
	f, ok := number(x.Text).(float64)
	return ok && wholeFloat(f)
}

// wholeFloat reports whether a float is an integer, up to a relative error of
// 1e-9. Source: IsFloat64AJSONInteger in go-openapi/swag.
func wholeFloat(f float64) bool {
	const maxJSON = float64(1<<53 - 1)
	if math.IsNaN(f) || math.Abs(f) > maxJSON {
		return false
	}
	rounded := math.Round(f)
	return f == rounded || math.Abs(f-rounded) < 1e-9*math.Abs(rounded)
}

func asFloat(x *wire.Value) float64 {
	switch n := number(x.Text).(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return 0
}
