package gotype

import (
	"strings"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// shape is the way in which a type decodes from JSON.
type shape uint8

// The shapes. A number must be in the range of its shape.
const (
	_ shape = iota
	structure
	list
	dictionary // a map whose keys are strings
	octets     // []byte, base64 in JSON
	text
	boolean
	integer
	integer32
	integer16
	integer8
	unsigned
	unsigned32
	unsigned16
	unsigned8
	float
	float32

	// The types with an own UnmarshalJSON.

	anything
	quantity
	intOrString
	timestamp
	microTimestamp
	schemaOrArray
	schemaOrBool
	schemaOrStrings
)

// textRef is a part of the constant texts. The lowest byte is its length, and the
// upper bytes are its offset.
type textRef uint32

// String returns the text, without allocating.
func (r textRef) String() string {
	at := r >> 8
	return texts[at : at+r&0xff]
}

// start returns the first eight bytes of the text as a number; see startOf.
func (r textRef) start() uint64 {
	at, n := int(r>>8), int(r&0xff)
	if at+8 > len(texts) {
		return startOf(r.String())
	}
	w := startOf(texts[at : at+8])
	if n < 8 {
		w &= ^uint64(0) << (64 - 8*n)
	}
	return w
}

// startOf returns the first eight bytes of a text as a number. If two numbers
// differ, they compare like their texts.
func startOf(s string) uint64 {
	if len(s) >= 8 {
		return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 |
			uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
	}
	var w uint64
	for i := range len(s) {
		w |= uint64(s[i]) << (56 - 8*i)
	}
	return w
}

// root is a kind and the minors that serve it.
type root struct {
	apiVersion, kind textRef
	typ              uint16
	minors           uint8 // index into minorSets
}

// typeRecord is a Go type in all minors. Its fields say in which minors the type
// has them. A pointer type has the record of its element.
type typeRecord struct {
	shape shape
	name  textRef // name of the type as reflect.Type.String returns it
	elem  uint16  // element type of lists and dictionaries, and schema type of schemaOr… shapes
	// The fields of a structure: fields[first:first+count].
	first, count uint16
}

// fieldRecord is a field of a structure, in the minors in which its type does not
// change.
type fieldRecord struct {
	name textRef // name in JSON
	// embedded has the embedded structures that contain the field, joined by
	// dots. It is empty for other fields.
	embedded textRef
	typ      uint16
	minors   uint8 // index into minorSets
}

func (f *fieldRecord) typeOf() *typeRecord { return &types[f.typ] }

func (f *fieldRecord) existsIn(m lifecycle.Minor) bool { return minorSets[f.minors].Has(m) }

func (t *typeRecord) elemType() *typeRecord { return &types[t.elem] }

// fields returns a structure's fields, sorted by name.
func (t *typeRecord) fields() []fieldRecord {
	return fields[t.first : t.first+t.count]
}

// field returns a structure's field by its exact name, or nil if the minor does
// not have it.
func (t *typeRecord) field(name string, m lifecycle.Minor) *fieldRecord {
	all := t.fields()
	lo, hi := 0, len(all)
	start := startOf(name)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if at := all[mid].name.start(); at < start || at == start && all[mid].name.String() < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < len(all) && all[lo].name.String() == name; lo++ {
		if all[lo].existsIn(m) {
			return &all[lo]
		}
	}
	return nil
}

// plainName returns a named type's name without its package.
func (t *typeRecord) plainName() string {
	name := t.name.String()
	return name[strings.IndexByte(name, '.')+1:]
}

// typeOf returns the type of a kind that a minor serves, or nil.
func typeOf(apiVersion, kind string, m lifecycle.Minor) *typeRecord {
	lo, hi := 0, len(roots)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		at := roots[mid].apiVersion.String()
		if at < apiVersion || at == apiVersion && roots[mid].kind.String() < kind {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for ; lo < len(roots) && roots[lo].apiVersion.String() == apiVersion && roots[lo].kind.String() == kind; lo++ {
		if minorSets[roots[lo].minors].Has(m) {
			return &types[roots[lo].typ]
		}
	}
	return nil
}

// Known reports whether the minor can serve the kind, even if it is off by
// default. List kinds such as PodList are not known, because clients do not send
// them.
func Known(apiVersion, kind string, m lifecycle.Minor) bool {
	return typeOf(apiVersion, kind, m) != nil
}

// HasField reports whether the kind has a field in the minor. The path consists
// of JSON field names, without list indices and map keys. An empty path is the
// object itself.
func HasField(m lifecycle.Minor, apiVersion, kind string, path ...string) bool {
	t := typeOf(apiVersion, kind, m)
	for _, name := range path {
		if t == nil {
			return false
		}
		for t.shape == list || t.shape == dictionary || t.shape >= schemaOrArray {
			t = t.elemType()
		}
		f := t.field(name, m)
		if f == nil {
			return false
		}
		t = f.typeOf()
	}
	return t != nil
}
