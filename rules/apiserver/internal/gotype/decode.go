package gotype

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Object is an object to decode.
type Object struct {
	APIVersion, Kind string
	Value            *wire.Value
	// Duplicates are the fields that Body repeats.
	Duplicates []wire.Duplicate
	// Body is the JSON text of Value, from its first byte on. It is nil if the
	// client encodes the object, as kubectl does with YAML.
	Body []byte
	// Sorted is set if the client sends fields in the order of their names,
	// not of the source.
	Sorted bool
}

// Outcome is the result of decoding. The zero value is a success without
// dropped fields.
type Outcome struct {
	// Error is the decoder's error, empty if there is none.
	Error string
	// At is the value that the error is about.
	At *wire.Value
	// Fits are values that decode in place of At, the most likely correction
	// first and null last.
	Fits []*wire.Value
	// Inexact is set if Error is not the server's text. Up to 1.22 the server's
	// decoder, json-iterator, quotes the bytes of the body around the error.
	Inexact bool
	// Dropped are the unknown and repeated fields, in the decoder's order. It
	// is empty if there is an error.
	Dropped []Dropped
}

// Dropped is an unknown or repeated field.
type Dropped struct {
	// Text is the decoder's warning, such as: unknown field "spec.foo".
	Text string
	// Field is the path: that of an unknown field in the server's notation,
	// wire.Duplicate's of a repeated one.
	Field string
	// Key is the field, with the place of its name.
	Key wire.Field
}

// Part selects the fields to decode, by their structure, such as v1.PodSpec, and
// their name in JSON. whole selects everything below the field too. A field
// that is not selected is neither wrong nor unknown.
type Part func(structure, name string) (read, whole bool)

// Decode decodes an object as the minor does. strict asks for dropped fields,
// which minors before 1.23 never report. The outcome is empty if the kind is
// not Known or the value is not a JSON object.
func Decode(m lifecycle.Minor, o Object, strict bool) Outcome {
	return DecodePart(m, o, strict, nil)
}

// DecodePart decodes a part of an object; nil is the whole object.
func DecodePart(m lifecycle.Minor, o Object, strict bool, part Part) Outcome {
	t := typeOf(o.APIVersion, o.Kind, m)
	if t == nil || o.Value == nil || o.Value.Kind != wire.Map {
		return Outcome{}
	}
	if part == nil && len(o.Duplicates) == 0 && fitterFor(m).fits(t, o.Value) {
		return Outcome{}
	}
	return decode(m, t, o, &decoder{minor: m, sorted: o.Sorted, strict: strict && m > lastIterator, bareNames: m < strictPaths, part: part})
}

// DecodePodSpec decodes a pod spec that is at path in an object of an unknown
// type. The errors name the field as if path were part of a known type.
func DecodePodSpec(m lifecycle.Minor, path string, v *wire.Value, part Part) Outcome {
	pod := typeOf("v1", "Pod", m)
	if pod == nil || v == nil {
		return Outcome{}
	}
	spec := pod.field("spec", m).typeOf()
	return decode(m, spec, Object{Value: v}, &decoder{minor: m, part: part, prefix: strings.Split(path, ".")})
}

// decode runs a decoder on an object.
func decode(m lifecycle.Minor, t *typeRecord, o Object, d *decoder) Outcome {
	root := o.Value
	if len(o.Duplicates) > 0 {
		if whole := repeatedFields(o); whole != nil {
			root, d.all = whole, true
		} else {
			d.repeats = make(map[wire.Pos]wire.Duplicate, len(o.Duplicates))
			for _, dup := range o.Duplicates {
				d.repeats[dup.Pos] = dup
			}
		}
	}
	d.read(t, root)
	switch {
	case d.failure != nil && m <= lastIterator:
		return Outcome{Error: d.failure.plainText(), At: d.failure.at, Fits: d.failure.fits(m), Inexact: true}
	case d.failure != nil:
		return Outcome{Error: d.failure.Error(), At: d.failure.at, Fits: d.failure.fits(m)}
	}
	if len(d.dropped) == 0 {
		return Outcome{}
	}
	all := make([]Dropped, len(d.dropped))
	for i := range d.dropped {
		f := &d.dropped[i]
		all[i] = Dropped{Text: f.String(), Field: f.field, Key: f.key}
	}
	return Outcome{Dropped: all}
}
