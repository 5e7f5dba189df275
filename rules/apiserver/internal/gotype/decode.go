package gotype

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Object is what is decoded.
type Object struct {
	APIVersion, Kind string
	Value            *wire.Value
	// Duplicates are the fields that Body repeats.
	Duplicates []wire.Duplicate
	// Body is the JSON text of Value, from its first byte on; nil where the
	// client makes it, as kubectl does.
	Body []byte
	// Sorted says that the client sends fields in the order of their names,
	// not of the source.
	Sorted bool
}

// Outcome is what a decoder says. The zero value is that all is well.
type Outcome struct {
	// Error is the decoder's error, empty if there is none.
	Error string
	// At is the value that the error is about.
	At *wire.Value
	// Inexact says that the error quotes a body that is not known.
	Inexact bool
	// Dropped are the fields that the server does not know or that are
	// repeated, in the decoder's order; it has none beside an error.
	Dropped []Dropped
}

// Dropped is a field that decoding drops, wholly or for its repetition.
type Dropped struct {
	// Text is what the decoder says, such as: unknown field "spec.foo".
	Text string
	// Field is the path: that of an unknown field in the server's notation,
	// wire.Duplicate's of a repeated one.
	Field string
	// Key is the field, with the place of its name.
	Key wire.Field
}

// Part says which fields are looked at, by the structure, such as v1.PodSpec,
// and the name in JSON: whether a field is, and whether all below it is. A
// field that is not looked at is neither wrong nor unknown.
type Part func(structure, name string) (read, whole bool)

// Decode decodes an object as the minor does; strict asks for what is dropped,
// which minors before 1.23 never tell. An object of a kind that is not Known,
// and one that is no JSON object, has no outcome.
func Decode(m lifecycle.Minor, o Object, strict bool) Outcome {
	return DecodePart(m, o, strict, nil)
}

// DecodePart is Decode for a part of the object; nil is the whole.
func DecodePart(m lifecycle.Minor, o Object, strict bool, part Part) Outcome {
	t := typeOf(o.APIVersion, o.Kind, m)
	if t == nil || o.Value == nil || o.Value.Kind != wire.Map {
		return Outcome{}
	}
	if part == nil && len(o.Duplicates) == 0 && fitterFor(m).fits(t, o.Value) {
		return Outcome{}
	}
	return decode(m, t, o, &decoder{minor: m, sorted: o.Sorted, strict: strict && m > lastIterator, part: part})
}

// DecodePodSpec decodes a pod spec that stands at path in an object of a type
// that is not known. Its errors are the decoder's as if path led to it.
func DecodePodSpec(m lifecycle.Minor, path string, v *wire.Value, part Part) Outcome {
	pod := typeOf("v1", "Pod", m)
	if pod == nil || v == nil {
		return Outcome{}
	}
	spec := pod.field("spec", m).typeOf()
	return decode(m, spec, Object{Value: v}, &decoder{minor: m, part: part, prefix: strings.Split(path, ".")})
}

// decode runs a decoder on an object that may have something wrong.
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
	if m <= lastIterator {
		return iterate(m, t, o, root, d)
	}
	d.read(t, root)
	if d.failure != nil {
		return Outcome{Error: d.failure.Error(), At: d.failure.at}
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

// iterate is decode up to 1.22. What the first failure is about is found with
// the other decoder, since json-iterator does not tell.
func iterate(m lifecycle.Minor, t *typeRecord, o Object, root *wire.Value, d *decoder) Outcome {
	d.first = true
	d.read(t, root)
	if d.part != nil && d.failure == nil {
		return Outcome{} // what is wrong elsewhere is no matter
	}
	body := o.Body
	if body == nil {
		body = compact(o.Value)
	}
	message, failed := iteratorError(m, t, body)
	if !failed {
		return Outcome{}
	}
	at := o.Value
	if d.failure != nil {
		at = d.failure.at
	}
	return Outcome{Error: message, At: at, Inexact: o.Body == nil}
}
