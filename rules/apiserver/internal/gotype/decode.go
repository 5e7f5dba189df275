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
	// Duplicates are the repeated fields of Body.
	Duplicates []wire.Duplicate
	// Body is the JSON text of Value and begins with its first byte. It is nil if
	// the client encodes the object itself, as kubectl does with YAML.
	Body []byte
	// Sorted is set if the client sends the fields sorted by name, and not in the
	// order of Value.
	Sorted bool
}

// Outcome is the result of decoding. The zero value is a success without
// dropped fields.
type Outcome struct {
	// Error is the decoder's error, or "".
	Error string
	// At is the value that Error is about.
	At *wire.Value
	// Fits are values that the server can decode in place of At. The most likely
	// correction is first, null is last.
	Fits []*wire.Value
	// Inexact is set if Error is kubevet's own text. Up to 1.22 the server's
	// decoder, json-iterator, quotes the bytes of the body around the error.
	Inexact bool
	// Dropped are the unknown and repeated fields in the decoder's order. It is
	// empty if Error is set.
	Dropped []Dropped
}

// Dropped is an unknown or repeated field, whose value the server drops.
type Dropped struct {
	// Text is the decoder's warning, such as: unknown field "spec.foo".
	Text string
	// Field is the path of the field: the server's path for an unknown field,
	// wire.Duplicate's path for a repeated field.
	Field string
	// Key is the field, with the position of its name.
	Key wire.Field
}

// Part selects the fields to decode. structure is the Go type that has the field,
// such as v1.PodSpec, and name is the field's JSON name. If read is false,
// nothing is reported about the field. If whole is true, everything below the
// field is selected, too.
type Part func(structure, name string) (read, whole bool)

// Decode decodes an object as a server of minor m does. Dropped fields are
// returned only if strict is set and the minor is 1.23 or later, because earlier
// servers do not report them. The outcome is empty if the kind is not Known or
// the value is not a JSON object.
func Decode(m lifecycle.Minor, o Object, strict bool) Outcome {
	return DecodePart(m, o, strict, nil)
}

// DecodePart decodes the fields of an object that part selects. A nil part
// selects all fields.
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

// DecodePodSpec decodes the pod spec v, which is at path in an object of an
// unknown type. The errors name the fields with this path.
func DecodePodSpec(m lifecycle.Minor, path string, v *wire.Value, part Part) Outcome {
	pod := typeOf("v1", "Pod", m)
	if pod == nil || v == nil {
		return Outcome{}
	}
	spec := pod.field("spec", m).typeOf()
	return decode(m, spec, Object{Value: v}, &decoder{minor: m, part: part, prefix: strings.Split(path, ".")})
}

// decode runs the decoder d on an object of type t.
func decode(m lifecycle.Minor, t *typeRecord, o Object, d *decoder) Outcome {
	root := o.Value
	if len(o.Duplicates) > 0 {
		if withRepeated := repeatedFields(o); withRepeated != nil {
			root, d.allRepeated = withRepeated, true
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
