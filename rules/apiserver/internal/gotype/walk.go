package gotype

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Minors in which the decoder changed.
const (
	// lastIterator is the last minor that decodes with json-iterator.
	lastIterator = 22
	// strictPaths is the first minor that reports the path of an unknown field.
	// Earlier minors report only its name.
	strictPaths = 24
	// embeddedNames is the first minor whose errors name embedded structs.
	embeddedNames = 35
)

// decoder finds the first error of decoding a value into a Go type, and the
// fields that decoding drops. Decoding goes on after a value of a wrong type. It
// ends after an error of a type with its own UnmarshalJSON.
//
// Source: sigs.k8s.io/json, a fork of encoding/json that 1.23 and later use
// (internal/golang/encoding/json/decode.go). Servers of 1.16 to 1.22 use
// json-iterator, which finds the same first error.
type decoder struct {
	minor lifecycle.Minor
	// sorted reads fields sorted by name instead of in the order of the source.
	sorted bool
	// strict records unknown and repeated fields. With bareNames, it records only
	// their names instead of their paths.
	strict, bareNames bool
	// part selects the fields to read; nil reads all.
	part Part
	// prefix is the path of the root value in its object, empty for the whole
	// object.
	prefix []string
	// repeats has the repeated fields, by the position of the last field's name.
	// If allRepeated is set, Value.Fields has every field of a repeated name, and
	// otherwise only the last.
	repeats     map[wire.Pos]wire.Duplicate
	allRepeated bool

	steps   []step
	failure *failure
	dropped []dropped
	seen    map[problem]bool
}

// step is one step of the path from the object to the current value: a field of a
// structure, a key of a dictionary, or an index of a list.
type step struct {
	owner *typeRecord  // structure that has the field; nil for a key or an index
	field *fieldRecord // set together with owner
	key   string       // key in a dictionary
	index int          // index in a list, or -1
}

// dropped is an unknown or repeated field, whose value the server drops.
type dropped struct {
	problem
	key wire.Field
	// field is the path that users see.
	field string
}

// problem is the server's warning about a dropped field.
type problem struct {
	kind string // "unknown field" or "duplicate field"
	path string
}

func (p problem) String() string { return p.kind + " " + strconv.Quote(p.path) }

// maxDropped is the highest number of dropped fields that a server reports.
const maxDropped = 100

// stopped reports whether decoding has ended. Up to 1.22, json-iterator stops at
// the first failure.
func (d *decoder) stopped() bool {
	return d.failure != nil && (d.failure.fatal || d.minor <= lastIterator)
}

// read decodes v into t and records errors and dropped fields.
func (d *decoder) read(t *typeRecord, v *wire.Value) {
	if v.IsNull() {
		return
	}
	switch t.shape {
	case structure:
		if v.Kind == wire.Map {
			d.readStructure(t, v)
			return
		}
	case dictionary:
		if v.Kind == wire.Map {
			d.readDictionary(t, v)
			return
		}
	case list:
		if v.Kind == wire.List {
			d.readList(t, v)
			return
		}
	case text:
		if v.Kind == wire.String {
			return
		}
	case boolean:
		if v.Kind == wire.Bool {
			return
		}
	case octets:
		d.readOctets(t, v)
		return
	case anything:
		return
	case quantity, intOrString, timestamp, microTimestamp:
		if f := customDecodeError(t.shape, v); f != nil {
			f.fatal = true
			d.fail(t, v, f)
		}
		return
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		if f := schemaError(d.minor, d.sorted, t, v); f != nil {
			f.fatal = true
			d.fail(t, v, f)
		}
		return
	default:
		if fitsNumber(t.shape, v) {
			return
		}
		d.fail(t, v, &failure{value: jsonTypeName(v, true), typ: t.name.String()})
		return
	}
	d.fail(t, v, &failure{value: jsonTypeName(v, false), typ: t.name.String()})
}

// fail records that v does not decode into t, or into an unknown type if t is
// nil. Only the first failure is kept, but a fatal f replaces it. If f.message is
// empty, fail adds the path of the value, as addErrorContext does.
func (d *decoder) fail(t *typeRecord, v *wire.Value, f *failure) {
	if d.failure != nil && !f.fatal || d.stopped() {
		return
	}
	if f.at == nil {
		f.at, f.want = v, t
	}
	if f.message == "" {
		if owner, names := d.context(); owner != "" {
			if d.minor < embeddedNames {
				f.path = nil // before 1.35, an error does not name the fields inside a type that decodes itself
			}
			f.owner, f.path = owner, append(names, f.path...)
		}
	}
	d.failure = f
}

// context returns the name of the structure that has the current field, and the
// names of the fields that lead to the field.
func (d *decoder) context() (owner string, path []string) {
	path = slices.Clone(d.prefix)
	for i := range d.steps {
		s := &d.steps[i]
		if s.field == nil {
			continue
		}
		owner = s.owner.plainName()
		if s.field.embedded != 0 && d.minor >= embeddedNames {
			path = append(path, s.field.embedded.String())
		}
		path = append(path, s.field.name.String())
	}
	return owner, path
}

func (d *decoder) decodingOrder(v *wire.Value) []wire.Field {
	byName := func(a, b wire.Field) int { return strings.Compare(a.Name, b.Name) }
	if !d.sorted || slices.IsSortedFunc(v.Fields, byName) {
		return v.Fields
	}
	sorted := slices.Clone(v.Fields)
	slices.SortStableFunc(sorted, byName)
	return sorted
}

func (d *decoder) readStructure(t *typeRecord, v *wire.Value) {
	repeated := d.repetitions()
	fields := d.decodingOrder(v)
	for i := range fields {
		if d.stopped() {
			return
		}
		part := d.part
		if part != nil {
			read, whole := part(t.name.String(), fields[i].Name)
			if !read {
				continue
			}
			if whole {
				d.part = nil
			}
		}
		f := t.field(fields[i].Name, d.minor)
		if f == nil {
			if d.part = part; part == nil && repeated.count(fields[i].Name) == 1 {
				d.drop("unknown field", &fields[i])
			}
			continue
		}
		d.repeated(&fields[i], repeated)
		d.steps = append(d.steps, step{owner: t, field: f})
		d.read(f.typeOf(), fields[i].Value)
		d.steps = d.steps[:len(d.steps)-1]
		d.part = part
	}
}

func (d *decoder) readDictionary(t *typeRecord, v *wire.Value) {
	repeated := d.repetitions()
	elem := t.elemType()
	fields := d.decodingOrder(v)
	for i := range fields {
		if d.stopped() {
			return
		}
		d.repeated(&fields[i], repeated)
		d.steps = append(d.steps, step{key: fields[i].Name, index: -1})
		d.read(elem, fields[i].Value)
		d.steps = d.steps[:len(d.steps)-1]
	}
}

func (d *decoder) readList(t *typeRecord, v *wire.Value) {
	elem := t.elemType()
	d.steps = append(d.steps, step{})
	last := len(d.steps) - 1
	for i, item := range v.Items {
		if d.stopped() {
			break
		}
		d.steps[last].index = i
		d.read(elem, item)
	}
	d.steps = d.steps[:last]
}

// readOctets decodes a []byte: base64, or a list of numbers.
func (d *decoder) readOctets(t *typeRecord, v *wire.Value) {
	switch v.Kind {
	case wire.String:
		if err := base64Error(v.Text); err != nil {
			d.fail(t, v, &failure{message: err.Error()})
		}
	case wire.List:
		for _, item := range v.Items {
			if !item.IsNull() && !fitsNumber(unsigned8, item) {
				d.fail(nil, item, &failure{value: jsonTypeName(item, true), typ: "uint8"})
			}
		}
	default:
		d.fail(t, v, &failure{value: jsonTypeName(v, false), typ: t.name.String()})
	}
}

// repetitions counts the fields of one map by name, because a server reports a
// repeated name only once. It is nil if Value.Fields has only the last field of
// each name.
type repetitions map[string]int

func (d *decoder) repetitions() repetitions {
	if d.allRepeated {
		return repetitions{}
	}
	return nil
}

// count adds a field and returns the number of fields of this name so far. For
// nil it returns 1.
func (r repetitions) count(name string) int {
	if r == nil {
		return 1
	}
	r[name]++
	return r[name]
}

// repeated records a dropped field if f repeats a name.
func (d *decoder) repeated(f *wire.Field, r repetitions) {
	if r.count(f.Name) == 2 {
		d.drop("duplicate field", f)
		return
	}
	if len(d.repeats) == 0 {
		return
	}
	if dup, ok := d.repeats[f.Pos]; ok {
		d.drop("duplicate field", f)
		if n := len(d.dropped); n > 0 && d.dropped[n-1].key.Pos == f.Pos {
			d.dropped[n-1].field = dup.Path
		}
	}
}

// drop records a field that the server drops. Source: saveStrictError and
// newFieldError in kubernetes_patch.go.
func (d *decoder) drop(kind string, f *wire.Field) {
	if !d.strict || len(d.dropped) >= maxDropped {
		return
	}
	full := d.pathTo(f.Name)
	p := problem{kind, full}
	if d.bareNames {
		p.path = f.Name
	}
	if d.seen[p] {
		return
	}
	if d.seen == nil {
		d.seen = map[problem]bool{}
	}
	d.seen[p] = true
	d.dropped = append(d.dropped, dropped{problem: p, key: *f, field: full})
}

// pathTo returns the path of a field of the current value, in the server's
// notation.
func (d *decoder) pathTo(name string) string {
	var b strings.Builder
	dot := func() {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
	}
	for i := range d.steps {
		switch s := &d.steps[i]; {
		case s.field != nil:
			dot()
			b.WriteString(s.field.name.String())
		case s.index < 0:
			dot()
			b.WriteString(s.key)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		}
	}
	dot()
	b.WriteString(name)
	return b.String()
}
