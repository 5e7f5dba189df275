package customresource

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// validator validates values by schemas. Source: SchemaValidator and its parts in
// kube-openapi/pkg/validation/validate, which are in go-openapi/validate up to
// 1.19.
type validator struct {
	minor    lifecycle.Minor
	failures []failure
	// ratchet ignores errors that the stored object already has. The gate is
	// CRDValidationRatcheting, on by default from 1.30 to 1.37.
	ratchet bool
	// structural is set for the defaults in a definition, which the server
	// validates by the structural form of the schema. In this form, a field with
	// x-kubernetes-int-or-string has no type, and the server checks formats that
	// the release ignores elsewhere.
	structural bool
	// enumValues is the number of enum values in all failures.
	enumValues int
}

func (v *validator) types(s *Schema) string {
	if v.structural {
		return s.Type
	}
	return s.typeNames()
}

func (v *validator) allows(s *Schema, typ string) bool {
	if v.structural {
		return s.Type == typ
	}
	return s.allows(typ)
}

func (v *validator) formatOf(s *Schema) string {
	if v.structural {
		return s.Format
	}
	return s.formatOf(v.minor)
}

// maxFailures is the maximum number of failures for one object. maxEnumValues
// limits the enum values in all failures together, because each failure about an
// enum lists all its values.
const (
	maxFailures   = 20000
	maxEnumValues = 1 << 18
)

func (v *validator) fail(f failure) {
	if len(v.failures) < maxFailures {
		v.failures = append(v.failures, f)
	}
}

func (v *validator) other(path *location, value any, at *wire.Value, format string, args ...any) {
	v.fail(failure{path: path.String(), message: path.String() + " in body " + fmt.Sprintf(format, args...), value: value, at: at})
}

// wrongType adds a failure about the type of a value. want and got are names of
// types.
func (v *validator) wrongType(path *location, want, got string, at *wire.Value) {
	v.fail(failure{
		code: failType, path: path.String(), value: got, at: at,
		message: fmt.Sprintf("%s in body must be of type %s: %q", path, want, got),
	})
}

// typeOf returns the OpenAPI type of a value, and the format that it implies.
func typeOf(v *wire.Value) (typ, format string) {
	switch v.Kind {
	case wire.Bool:
		return "boolean", ""
	case wire.String:
		return "string", ""
	case wire.List:
		return "array", ""
	case wire.Map:
		return "object", ""
	}
	if _, ok := number(v.Text).(int64); ok {
		return "integer", "int64"
	}
	return "number", "float64"
}

// value validates x by a schema. It returns the number of passed checks, by which
// anyOf and oneOf choose the failures to report. old is the stored value that x
// replaces, or nil; only ratcheting uses it.
func (v *validator) value(path *location, x *wire.Value, s *Schema, old *wire.Value) (passed int) {
	if s == nil {
		return 0
	}
	mark := len(v.failures)
	if x.IsNull() {
		if typ := v.types(s); typ != "" && !s.Nullable {
			v.wrongType(path, typ, "null", x)
		} else {
			passed++
		}
		v.enum(path, x, s)
	} else {
		passed = v.present(path, x, s, old)
	}
	// The root always changes, because its metadata change with every update.
	if v.ratchet && path != nil && old != nil && len(v.failures) > mark && v.unchanged(x, old, s) {
		v.failures = v.failures[:mark]
	}
	return passed
}

func (v *validator) present(path *location, x *wire.Value, s *Schema, old *wire.Value) (passed int) {
	format := v.formatOf(s)
	if v.types(s) != "" || format != "" {
		if v.hasType(path, x, s, format) {
			passed++
		}
		passed++
	}
	passed += v.combinations(path, x, s) + 1
	switch x.Kind {
	case wire.String:
		v.text(path, x, s)
		passed++
		if knownFormat(format, v.minor) {
			if !hasFormat(format, x.Text) {
				v.wrongType(path, format, x.Text, x)
			}
			passed++
		}
	case wire.Number:
		v.number(path, x, s, format)
		passed += 2
	case wire.List:
		passed += v.list(path, x, s, old) + 2
	}
	v.enum(path, x, s)
	passed++
	if x.Kind == wire.Map {
		passed += v.object(path, x, s, old) + 1
	}
	return passed + 1
}

// hasType checks the type of a value. Like the server, it accepts a list for a
// string with a format. Source: the type validator.
func (v *validator) hasType(path *location, x *wire.Value, s *Schema, format string) bool {
	typ, valueFormat := typeOf(x)
	numeric := v.allows(s, "number") || v.allows(s, "integer")
	whole := typ == "number" && v.allows(s, "integer") && isWhole(x)
	asNumber := typ == "integer" && v.allows(s, "number")
	if x.Kind != wire.String && x.Kind != wire.List && format != "" && !v.allows(s, typ) && valueFormat != format && !whole && !asNumber {
		v.wrongType(path, format, valueFormat, x)
		return false
	}
	if !numeric && format != "" && (x.Kind == wire.String || x.Kind == wire.List) {
		return true
	}
	if !v.allows(s, typ) && !whole && !asNumber {
		v.wrongType(path, v.types(s), typ, x)
		return false
	}
	return true
}

// text checks a string and stops at the first error. Source: the string
// validator.
func (v *validator) text(path *location, x *wire.Value, s *Schema) {
	n := int64(-1)
	if s.MaxLength != nil || s.MinLength != nil {
		n = int64(utf8.RuneCountInString(x.Text))
	}
	switch {
	case s.MaxLength != nil && n > *s.MaxLength:
		v.fail(failure{
			code: failTooLong, path: path.String(), value: x.Text, limit: *s.MaxLength, at: x,
			message: fmt.Sprintf("%s in body should be at most %d chars long", path, *s.MaxLength),
		})
	case s.MinLength != nil && n < *s.MinLength:
		v.other(path, x.Text, x, "should be at least %d chars long", *s.MinLength)
	case s.Pattern != "":
		if re, err := s.pattern(); err != nil {
			v.other(path, x.Text, x, "should match '%s, but pattern is invalid: %s'", s.Pattern, err)
		} else if !re.MatchString(x.Text) {
			v.other(path, x.Text, x, "should match '%s'", s.Pattern)
		}
	}
}

// list checks a list and its items. Source: the slice validator.
func (v *validator) list(path *location, x *wire.Value, s *Schema, old *wire.Value) (passed int) {
	if s.Items != nil {
		correlated := v.correlate(s, old)
		for i, item := range x.Items {
			at := &location{path, "", i, false}
			if v.minor < 24 {
				at = path // up to 1.23, the error has the path of the list
			}
			passed += v.value(at, item, s.Items, correlated.find(item))
		}
	}
	n := int64(len(x.Items))
	if s.MinItems != nil && n < *s.MinItems {
		v.other(path, n, x, "should have at least %d items", *s.MinItems)
	}
	if s.MaxItems != nil && n > *s.MaxItems {
		v.fail(failure{
			code: failMaxItems, path: path.String(), value: n, limit: *s.MaxItems, at: x,
			message: fmt.Sprintf("%s in body should have at most %d items", path, *s.MaxItems),
		})
	}
	return passed
}

// object checks an object and its fields, additional fields first like the
// server. Within each group, it visits the fields in the order of the object; the
// server's order is random. Source: the object validator.
func (v *validator) object(path *location, x *wire.Value, s *Schema, old *wire.Value) (passed int) {
	n := int64(len(x.Fields))
	if s.MinProperties != nil && n < *s.MinProperties {
		v.other(path, v.quotedCount(n, *s.MinProperties), x, "should have at least %d properties", *s.MinProperties)
		if v.minor < 28 {
			return 0
		}
	}
	if s.MaxProperties != nil && n > *s.MaxProperties {
		v.fail(failure{
			code: failMaxProperties, path: path.String(), value: v.quotedCount(n, *s.MaxProperties), limit: *s.MaxProperties, at: x,
			message: fmt.Sprintf("%s in body should have at most %d properties", path, *s.MaxProperties),
		})
		if v.minor < 28 {
			return 0
		}
	}
	if s.ForbidAdditional || s.Additional != nil {
		for i := range x.Fields {
			f := &x.Fields[i]
			switch {
			case s.Property(f.Name) != nil:
			case s.ForbidAdditional:
				v.fail(failure{path: path.String(), message: path.String() + "." + f.Name + " in body is a forbidden property", value: f.Name, at: f.Value})
			default:
				passed += v.value(&location{path, f.Name, -1, true}, f.Value, s.Additional, v.oldField(path, old, f.Name))
			}
		}
	}
	if len(s.Properties) > 0 {
		for i := range x.Fields {
			f := &x.Fields[i]
			if p := s.Property(f.Name); p != nil {
				passed += v.value(&location{path, f.Name, -1, false}, f.Value, p, v.oldField(path, old, f.Name))
			}
		}
	}
	if len(s.Required) == 0 {
		return passed
	}
	has := fieldLookup(x, len(s.Required))
	for _, name := range s.Required {
		if !has(name) {
			at := location{path, name, -1, false}
			// The message has a dot before the name, even at the root. The field
			// of the cause does not.
			message := path.String() + "." + name + " in body is required"
			v.fail(failure{code: failRequired, path: at.String(), message: message, at: x})
		}
	}
	return passed
}

// quotedCount returns the number that an error about too many or too few
// properties quotes. From 1.24 on it is n, the number of properties. In earlier
// minors it is the limit.
func (v *validator) quotedCount(n, limit int64) int64 {
	if v.minor < 24 {
		return limit
	}
	return n
}

// enum checks that a value is one of the allowed values. Source: the common
// validator.
func (v *validator) enum(path *location, x *wire.Value, s *Schema) {
	if len(s.Enum) == 0 {
		return
	}
	// Only strings can equal a string, and long enums consist of strings.
	if x != nil && x.Kind == wire.String {
		if s.inEnum(x.Text) {
			return
		}
	} else if slices.ContainsFunc(s.Enum, func(allowed *wire.Value) bool { return sameEnum(x, allowed) }) {
		return
	}
	if v.enumValues += len(s.Enum); v.enumValues > maxEnumValues && len(v.failures) > 0 {
		return
	}
	values := make([]any, len(s.Enum))
	for i, allowed := range s.Enum {
		values[i] = plainValue(allowed)
	}
	f := failure{code: failEnum, path: path.String(), values: s.Enum, at: x, message: fmt.Sprintf("%s in body should be one of %v", path, values)}
	if !x.IsNull() {
		f.value = x
	}
	v.fail(f)
}

// sameEnum reports whether two values are equal after the server's conversion
// between Go types. For example, the server converts 65 to the text "A".
func sameEnum(x, allowed *wire.Value) bool {
	if x.IsNull() || allowed.IsNull() {
		return false
	}
	if x.Kind == wire.Number && allowed.Kind == wire.String {
		n, ok := number(x.Text).(int64)
		return ok && n >= 0 && n <= utf8.MaxRune && string(rune(n)) == allowed.Text
	}
	if x.Kind == wire.Number && allowed.Kind == wire.Number {
		if b, ok := number(allowed.Text).(int64); ok {
			switch a := number(x.Text).(type) {
			case int64:
				return a == b
			case float64:
				return int64(a) == b
			}
		}
		a, b := asFloat(x), asFloat(allowed)
		return a == b
	}
	return equal(x, allowed)
}
