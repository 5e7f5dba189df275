// Package wire defines the JSON value that a client sends to a kube-apiserver,
// with the source position of each part. Checks need the value that the server
// receives, and findings need positions in the text that the user wrote.
//
// For YAML, the value is the JSON that kubectl makes of it: aliases and merge
// keys are resolved, the last of several equal keys counts, and scalars have the
// types of YAML 1.1.
package wire

// Kind is the JSON type of a Value.
type Kind uint8

// The JSON types. The zero value is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Map
	List
)

// Pos is a position in the source. Line and Column count from 1, Column in code
// points. The zero Pos means that the position is not known.
type Pos struct{ Line, Column int }

// Value is one JSON value. A nil *Value means an absent field. All methods accept
// nil.
type Value struct {
	Kind Kind
	// Text is the value of a string, the literal of a number as the server
	// receives it, or true or false.
	Text string
	// Fields are the fields of a map in source order. Each name occurs once.
	Fields []Field
	// Items are the items of a list.
	Items []*Value
	// Pos is the position of the value's first character. End is the position
	// after its last character. For maps and lists in YAML, End equals Pos.
	Pos, End Pos
	// index is set for a parsed map with many fields, and else nil.
	index *fieldIndex
}

// Field is one field of a map.
type Field struct {
	Name string
	// Pos is the position of the name's first character. End is the position
	// after its last character.
	Pos, End Pos
	Value    *Value
}

// Get returns the value of a map's field, or nil if v is not a map or has no such
// field. An explicit null is a Value of kind Null, not nil.
func (v *Value) Get(name string) *Value {
	if f := v.Field(name); f != nil {
		return f.Value
	}
	return nil
}

// Field returns a map's field with the position of its name, or nil.
func (v *Value) Field(name string) *Field {
	if v == nil || v.Kind != Map {
		return nil
	}
	if v.index.covers(v.Fields) {
		if i, ok := v.index.byName[name]; ok {
			return &v.Fields[i]
		}
		return nil
	}
	for i := range v.Fields {
		if v.Fields[i].Name == name {
			return &v.Fields[i]
		}
	}
	return nil
}

// At returns the value at a path of field names below v, or nil.
func (v *Value) At(names ...string) *Value {
	for _, n := range names {
		v = v.Get(n)
	}
	return v
}

// IsNull reports whether v is nil or null. When the server decodes an object, it
// treats both alike.
func (v *Value) IsNull() bool { return v == nil || v.Kind == Null }

// StringOr returns the text of a string, or the argument if v is not a string.
func (v *Value) StringOr(or string) string {
	if v == nil || v.Kind != String {
		return or
	}
	return v.Text
}
