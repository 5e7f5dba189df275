package gotype

import (
	"iter"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Form is the JSON form of a type's values.
type Form uint8

// The forms. The zero value is the form of the zero Type.
const (
	_      Form = iota
	Struct      // an object with known fields
	List
	Map // an object with any keys
	Bytes
	Text
	Boolean
	Integer
	Number
	Quantity
	IntOrString
	Timestamp
	// Raw is an object with any fields, such as a runtime.RawExtension.
	Raw
	// Anything is any JSON value, such as the default value of a schema.
	Anything
)

// Type is a Go type in one minor. The zero value means no type. Types are
// comparable.
type Type struct {
	record *typeRecord
	minor  lifecycle.Minor
}

// TypeOf returns the type of a kind, or the zero Type if the minor does not know
// the kind.
func TypeOf(m lifecycle.Minor, apiVersion, kind string) Type {
	return Type{typeOf(apiVersion, kind, m), m}.orNone()
}

func (t Type) orNone() Type {
	if t.record == nil {
		return Type{}
	}
	return t
}

// IsZero reports whether t is the zero Type.
func (t Type) IsZero() bool { return t.record == nil }

// Form returns the form of the type's values, or zero for the zero Type.
func (t Type) Form() Form {
	if t.record == nil {
		return 0
	}
	switch t.record.shape {
	case structure:
		return Struct
	case list:
		return List
	case dictionary:
		return Map
	case octets:
		return Bytes
	case text:
		return Text
	case boolean:
		return Boolean
	case float, float32:
		return Number
	case quantity:
		return Quantity
	case intOrString:
		return IntOrString
	case timestamp, microTimestamp:
		return Timestamp
	case anything:
		if t.record.plainName() != "JSON" {
			return Raw
		}
		return Anything
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		return Anything
	}
	return Integer
}

// Elem returns the type of the elements of a list or of the values of a map.
func (t Type) Elem() Type { return Type{t.record.elemType(), t.minor} }

// Fields returns the fields of a Struct, sorted by JSON name.
func (t Type) Fields() iter.Seq2[string, Type] {
	return func(yield func(string, Type) bool) {
		for i := range t.record.fields() {
			f := &t.record.fields()[i]
			if f.existsIn(t.minor) && !yield(f.name.String(), Type{f.typeOf(), t.minor}) {
				return
			}
		}
	}
}
