// Package wire defines the JSON value that a client sends to a kube-apiserver,
// with the source position of each part.
//
// Checks need the value that the server receives, and findings need positions in
// the text that the user wrote. A Value has both. As in the JSON that kubectl
// makes of YAML, aliases are followed, merge keys are applied, the last of
// repeated keys counts, and scalars have the JSON types of YAML 1.1.
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

// Value is one JSON value. A nil *Value is an absent field. All methods accept
// nil.
type Value struct {
	Kind Kind
	// Text is a string's value, a number's literal as the server receives it,
	// or true or false.
	Text string
	// Fields are a map's fields in source order, each name once.
	Fields []Field
	// Items are a list's items.
	Items []*Value
	// Pos is the position of the value's first character, and End that after
	// its last. For maps and lists in YAML, End equals Pos.
	Pos, End Pos
	// index is for maps that a parser made, if they have many fields.
	index *fieldIndex
}

// Field is one field of a map.
type Field struct {
	Name string
	// Pos and End enclose the name.
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
		if i, ok := v.index.at[name]; ok {
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

// IsNull reports whether v is absent or null. In a decoded object, the server
// treats both alike.
func (v *Value) IsNull() bool { return v == nil || v.Kind == Null }

// StringOr returns the text of a string, or or if v is not a string.
func (v *Value) StringOr(or string) string {
	if v == nil || v.Kind != String {
		return or
	}
	return v.Text
}
