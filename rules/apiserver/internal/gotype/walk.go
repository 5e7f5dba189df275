package gotype

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Minors in which decoding changed.
const (
	// lastIterator is the last one that decodes with json-iterator.
	lastIterator = 22
	// strictPaths is the first one that tells unknown fields with their paths,
	// and not by their names alone.
	strictPaths = 24
	// embeddedNames is the first one whose errors name embedded structs.
	embeddedNames = 35
)

// decoder re-states the decoding of sigs.k8s.io/json, a fork of encoding/json,
// with which 1.23 and later decode (internal/golang/encoding/json/decode.go):
// the first value of a wrong type is kept as the error and decoding goes on,
// except that the error of a type that decodes itself ends it.
type decoder struct {
	minor lifecycle.Minor
	// fields is the minor whose fields the types have, if it is not minor.
	fields lifecycle.Minor
	// sorted takes fields in the order of their names, not that of the source.
	sorted bool
	// strict notes unknown and repeated fields.
	strict bool
	// folded finds fields whatever the case of their letters.
	folded bool
	// first ends decoding with the first failure.
	first bool
	// part, if not nil, says which fields are read; the others pass unseen,
	// known or not.
	part Part
	// prefix leads to the value that is decoded.
	prefix []string
	// repeats are repeated fields by the place of the last one's name, where
	// maps hold that alone; all says that maps hold all of them.
	repeats map[wire.Pos]wire.Duplicate
	all     bool

	way     []step
	failure *failure
	dropped []dropped
	seen    map[problem]bool
}

// step is one step from the object to the value being read.
type step struct {
	owner *typeRecord  // the structure of a field, else nil
	field *fieldRecord // set with owner
	key   string       // the key in a dictionary
	index int          // the place in a list, -1 for a key
}

// dropped is a field that the server drops, wholly or for its repetition.
type dropped struct {
	problem
	key wire.Field
	// field is the path for the reader's use.
	field string
}

// problem is what the server says of it.
type problem struct {
	kind string // "unknown field" or "duplicate field"
	path string
}

func (p problem) String() string { return p.kind + " " + strconv.Quote(p.path) }

// maxDropped is how many of them the server tells.
const maxDropped = 100

// stopped reports whether decoding has ended.
func (d *decoder) stopped() bool {
	return d.failure != nil && (d.failure.fatal || d.first)
}

func (d *decoder) find(t *typeRecord, name string) *fieldRecord {
	m := d.minor
	if d.fields != 0 {
		m = d.fields
	}
	if d.folded {
		return t.foldedField(name, m)
	}
	return t.field(name, m)
}

// read decodes v into t.
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
		if f := ownError(t.shape, v); f != nil {
			f.fatal = true
			d.fail(v, f)
		}
		return
	case schemaOrArray, schemaOrBool, schemaOrStrings:
		m := d.minor
		if d.fields != 0 {
			m = d.fields
		}
		if f := schemaError(m, d.sorted, t, v); f != nil {
			f.fatal = true
			d.fail(v, f)
		}
		return
	default:
		if fitsNumber(t.shape, v) {
			return
		}
		d.fail(v, &failure{value: describe(v, true), typ: t.name.String()})
		return
	}
	d.fail(v, &failure{value: describe(v, false), typ: t.name.String()})
}

// fail notes a failure at v: the first one, or one that ends decoding. A
// failure of type gets the way to the value, addErrorContext.
func (d *decoder) fail(v *wire.Value, f *failure) {
	if d.failure != nil && !f.fatal || d.stopped() {
		return
	}
	if f.at == nil {
		f.at = v
	}
	if f.message == "" {
		if owner, way := d.context(); owner != "" {
			if d.minor < embeddedNames {
				f.way = nil // of a type that decodes itself
			}
			f.owner, f.way = owner, append(way, f.way...)
		}
	}
	d.failure = f
}

// context gives the structure of the field being read, and the fields on the
// way to it.
func (d *decoder) context() (owner string, way []string) {
	way = slices.Clone(d.prefix)
	for i := range d.way {
		s := &d.way[i]
		if s.field == nil {
			continue
		}
		owner = s.owner.plainName()
		if s.field.embedded != 0 && d.minor >= embeddedNames {
			way = append(way, s.field.embedded.String())
		}
		way = append(way, s.field.name.String())
	}
	return owner, way
}

// ordered gives a map's fields in the order in which they are decoded.
func (d *decoder) ordered(v *wire.Value) []wire.Field {
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
	given := d.ordered(v)
	for i := range given {
		if d.stopped() {
			return
		}
		part := d.part
		if part != nil {
			read, whole := part(t.name.String(), given[i].Name)
			if !read {
				continue
			}
			if whole {
				d.part = nil
			}
		}
		f := d.find(t, given[i].Name)
		if f == nil {
			if d.part = part; part == nil && repeated.count(given[i].Name) == 1 {
				d.drop("unknown field", &given[i])
			}
			continue
		}
		d.repeated(&given[i], repeated)
		d.way = append(d.way, step{owner: t, field: f})
		d.read(f.typeOf(), given[i].Value)
		d.way = d.way[:len(d.way)-1]
		d.part = part
	}
}

func (d *decoder) readDictionary(t *typeRecord, v *wire.Value) {
	repeated := d.repetitions()
	elem := t.elemType()
	given := d.ordered(v)
	for i := range given {
		if d.stopped() {
			return
		}
		d.repeated(&given[i], repeated)
		d.way = append(d.way, step{key: given[i].Name, index: -1})
		d.read(elem, given[i].Value)
		d.way = d.way[:len(d.way)-1]
	}
}

func (d *decoder) readList(t *typeRecord, v *wire.Value) {
	elem := t.elemType()
	d.way = append(d.way, step{})
	last := len(d.way) - 1
	for i, item := range v.Items {
		if d.stopped() {
			break
		}
		d.way[last].index = i
		d.read(elem, item)
	}
	d.way = d.way[:last]
}

// readOctets decodes a []byte: base64, or a list of numbers.
func (d *decoder) readOctets(t *typeRecord, v *wire.Value) {
	switch v.Kind {
	case wire.String:
		if err := base64Error(v.Text); err != nil {
			d.fail(v, &failure{message: err.Error()})
		}
	case wire.List:
		for _, item := range v.Items {
			if !item.IsNull() && !fitsNumber(unsigned8, item) {
				d.fail(item, &failure{value: describe(item, true), typ: "uint8"})
			}
		}
	default:
		d.fail(v, &failure{value: describe(v, false), typ: t.name.String()})
	}
}

// repetitions counts the fields of one map by name, if maps hold all of them;
// nil counts nothing. More than the second of a name is of no interest, since
// the same is told once.
type repetitions map[string]int

func (d *decoder) repetitions() repetitions {
	if d.all {
		return repetitions{}
	}
	return nil
}

// count counts a field and gives how many of its name there are so far.
func (r repetitions) count(name string) int {
	if r == nil {
		return 1
	}
	r[name]++
	return r[name]
}

// repeated notes that a map has more of a field.
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

// drop notes a field that the server drops: saveStrictError and newFieldError
// of kubernetes_patch.go.
func (d *decoder) drop(kind string, f *wire.Field) {
	if !d.strict || len(d.dropped) >= maxDropped {
		return
	}
	full := d.pathTo(f.Name)
	p := problem{kind, full}
	if d.minor < strictPaths {
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

// pathTo is the server's notation of a field of the value being read.
func (d *decoder) pathTo(name string) string {
	var b strings.Builder
	dot := func() {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
	}
	for i := range d.way {
		switch s := &d.way[i]; {
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
