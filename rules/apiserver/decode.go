package apiserver

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// decoder re-states the first step of a request: the JSON body becomes an
// object of the version's Go type. What does not fit the type is an error,
// and the answer is 400 with that error's text; a field that the type does not
// have is dropped.
//
// 1.23 and later decode with sigs.k8s.io/json, a fork of encoding/json: the
// first value of a wrong type is kept as the error and decoding goes on. 1.16
// to 1.22 decode with json-iterator, see jsoniter.go.
type decoder struct {
	minor lifecycle.Minor
	body  []byte      // the request, if it is known
	root  *wire.Value // the object that is decoded
	// duplicates are the fields that the body repeats, anywhere, by path.
	duplicates map[string][]wire.Duplicate

	names  []string // JSON names from the object to the value being read
	owners []string // the struct types that have them
	path   []byte   // the same way in the server's notation, with indices
	trace  []string // the same way as json-iterator tells it

	strict []strictError
	err    *decodeError
}

// strictError is a field that the server drops. It warns of it, or refuses it
// if the client asks for strict validation.
type strictError struct {
	problem string // "unknown field" or "duplicate field"
	path    string
	pos     wire.Pos
	at      *wire.Value
}

// decodeError is a value that does not fit its Go type.
type decodeError struct {
	text string
	at   *wire.Value
	// fatal ends decoding: it comes from a type that decodes itself, and
	// hides an earlier error.
	fatal bool
}

// stopped reports whether decoding has ended. json-iterator ends with the
// first error.
func (d *decoder) stopped() bool {
	return d.err != nil && (d.err.fatal || d.usesIterator())
}

func (d *decoder) usesIterator() bool { return d.minor < 23 }

// object decodes the levels of a workload from the i-th on, then its pod spec.
func (d *decoder) object(w *workload, i int, v *wire.Value, out *podSpec) {
	if i == len(w.levels) {
		podSpecType.read(d, v, out)
		return
	}
	owner := w.version() + "." + w.kind
	if i > 0 {
		owner = w.levels[i-1].typ
	}
	if v.IsNull() {
		return
	}
	if v.Kind != wire.Map {
		d.mismatch(v, owner)
		return
	}
	name := w.levels[i].name
	if next := v.Get(name); next != nil {
		d.within(owner, "", name, strings.ToUpper(name[:1])+name[1:], func() { d.object(w, i+1, next, out) })
	}
}

// structType is what the decoder knows of a Go struct of k8s.io/api/core/v1.
type structType[T any] struct {
	name string // as reflection names it
	// closed types are known in full, so that any other field is unknown to
	// the server. Of the others only what matters is known.
	closed bool
	// embedded is the struct that the fields come from, if it is not the
	// type itself. It is named in errors by json-iterator, and by
	// sigs.k8s.io/json from 1.35 on.
	embedded string
	fields   []structField[T]
}

type structField[T any] struct {
	name   string
	goName string
	// since is the first minor that has the field.
	since lifecycle.Minor
	read  func(d *decoder, v *wire.Value, out *T)
}

func (t *structType[T]) field(name string) *structField[T] {
	for i := range t.fields {
		if t.fields[i].name == name {
			return &t.fields[i]
		}
	}
	return nil
}

// read decodes a map into a struct; null leaves it as it is.
func (t *structType[T]) read(d *decoder, v *wire.Value, out *T) {
	if v.IsNull() {
		return
	}
	if v.Kind != wire.Map {
		d.mismatch(v, t.name)
		return
	}
	for i := range v.Fields {
		if d.stopped() {
			return
		}
		given := &v.Fields[i]
		switch f := t.field(given.Name); {
		case f == nil && !t.closed:
		case f == nil || f.since > d.minor:
			d.unknown(given)
		default:
			d.within(t.name, t.embedded, given.Name, f.goName, func() {
				d.repeated(given.Value)
				f.read(d, given.Value, out)
			})
		}
	}
}

// pointer makes a read of a struct from the read of what it points to: null
// is no struct.
func (t *structType[T]) pointer(d *decoder, v *wire.Value, out **T) {
	if v.IsNull() {
		*out = nil
		return
	}
	*out = new(T)
	t.read(d, v, *out)
}

// within reads the value of a struct's field, which may come from a struct
// that is embedded in it.
func (d *decoder) within(owner, embedded, name, goName string, read func()) {
	here := len(d.path)
	if here > 0 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, name...)
	trace := owner + "." + goName + ": "
	if embedded != "" {
		trace = owner + "." + embedded + ": " + goName + ": "
		if d.minor >= 35 {
			name = embedded + "." + name
		}
	}
	d.names, d.owners, d.trace = append(d.names, name), append(d.owners, owner), append(d.trace, trace)
	read()
	d.path = d.path[:here]
	d.names, d.owners = d.names[:len(d.names)-1], d.owners[:len(d.owners)-1]
	d.trace = d.trace[:len(d.trace)-1]
}

// unknown records a field that the server does not know.
func (d *decoder) unknown(f *wire.Field) {
	if len(d.strict) < keptStrictErrors {
		path := string(d.path) + "." + f.Name
		d.strict = append(d.strict, strictError{"unknown field", path, f.Pos, f.Value})
	}
}

// maxStrictErrors is how many of them the server tells. Some more are kept,
// since a YAML document's order need not be that of its Value.
const (
	maxStrictErrors  = 100
	keptStrictErrors = 10 * maxStrictErrors
)

// repeated records that the field at d.path stands there more than once. Only
// a field that the server reads can be: what is below an unknown one is
// skipped unseen.
func (d *decoder) repeated(v *wire.Value) {
	for _, dup := range d.duplicates[string(d.path)] {
		if len(d.strict) < keptStrictErrors {
			d.strict = append(d.strict, strictError{"duplicate field", dup.Path, dup.Pos, v})
		}
	}
}

// readList decodes a list whose elements have the type named elem.
func readList[E any](d *decoder, v *wire.Value, elem string, read func(*decoder, *wire.Value, *E), out *[]E) {
	*out = nil
	if v.IsNull() {
		return
	}
	d.trace = append(d.trace, "[]"+elem+": ")
	defer func() { d.trace = d.trace[:len(d.trace)-1] }()
	if v.Kind != wire.List {
		d.mismatch(v, "[]"+elem)
		return
	}
	*out = make([]E, len(v.Items))
	here := len(d.path)
	for i, item := range v.Items {
		if d.stopped() {
			return
		}
		d.path = append(strconv.AppendInt(append(d.path[:here], '['), int64(i), 10), ']')
		read(d, item, &(*out)[i])
	}
	d.path = d.path[:here]
}

// readString decodes a string of a named type; null leaves it as it is.
func readString(typ string) func(*decoder, *wire.Value, *string) {
	return func(d *decoder, v *wire.Value, out *string) {
		switch {
		case v.IsNull():
		case v.Kind == wire.String:
			*out = v.Text
		default:
			d.mismatch(v, typ)
		}
	}
}

// readInt64 decodes an int64 and reports whether there is one: null is none.
// Only digits are an integer, so 5.0 and 1e1 are none.
func (d *decoder) readInt64(v *wire.Value) (n int64, ok bool) {
	if v.IsNull() {
		return 0, false
	}
	if v.Kind == wire.Number {
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return n, true
		}
	}
	d.mismatch(v, "int64")
	return 0, false
}

// readIntOrString re-states IntOrString.UnmarshalJSON of
// k8s.io/apimachinery/pkg/util/intstr/intstr.go.
func readIntOrString(d *decoder, v *wire.Value, out *intOrString) {
	*out = intOrString{at: v}
	switch v.Kind {
	case wire.Null:
		return
	case wire.String:
		out.str = &v.Text
		return
	case wire.Number:
		if n, err := strconv.ParseInt(v.Text, 10, 32); err == nil {
			out.number = int32(n)
			return
		}
	}
	d.mismatch(v, "int32")
}

// mismatch records that v does not fit the Go type.
func (d *decoder) mismatch(v *wire.Value, typ string) {
	fatal := typ == "int32" // only an IntOrString has one, and decodes itself
	if d.err != nil && !fatal {
		return
	}
	text := "json: cannot unmarshal " + describe(v, typ) + " into Go "
	switch {
	case d.usesIterator():
		text = d.iteratorError(v, typ)
	case len(d.owners) == 0:
		text += "value of type " + typ
	default: // (*UnmarshalTypeError).Error
		owner := d.owners[len(d.owners)-1]
		text += "struct field " + owner[strings.IndexByte(owner, '.')+1:] + "." + strings.Join(d.names, ".") + " of type " + typ
	}
	d.err = &decodeError{text: text, at: v, fatal: fatal}
}

// describe names a JSON value as encoding/json does: a number with its digits
// only where a number was wanted.
func describe(v *wire.Value, typ string) string {
	switch v.Kind {
	case wire.Bool:
		return "bool"
	case wire.String:
		return "string"
	case wire.Map:
		return "object"
	case wire.List:
		return "array"
	}
	if typ == "int64" || typ == "int32" {
		return "number " + v.Text
	}
	return "number"
}
