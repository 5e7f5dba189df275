// Package wire holds the JSON value that a client sends to a kube-apiserver,
// with the place in the source that each part came from.
//
// A verdict must be about what the server receives, and a finding must point
// at what the user wrote. A Value is both: aliases are followed, merge keys
// applied, duplicate keys decided (the last one counts, as in the JSON that
// kubectl makes of YAML), scalars have the JSON type that YAML 1.1 gives them.
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

// Pos is a place in the source. Line and Column count from 1, Column in code
// points. The zero Pos is no place.
type Pos struct{ Line, Column int }

// Value is one JSON value. A nil *Value stands for an absent field; every
// method accepts it.
type Value struct {
	Kind Kind
	// Text is a string's value, a number's literal as the server receives it,
	// or true or false.
	Text string
	// Fields are a map's fields in source order, each name once.
	Fields []Field
	// Items are a list's items.
	Items []*Value
	// Pos is the first character of the value, End the place after its last
	// (for a map or list: of its opening line where nothing better is known).
	Pos, End Pos
}

// Field is one field of a map.
type Field struct {
	Name string
	// Pos and End enclose the name.
	Pos, End Pos
	Value    *Value
}

// Get returns a map's field, or nil if v is no map or has no such field. An
// explicit null is a Value of kind Null, not nil.
func (v *Value) Get(name string) *Value {
	if f := v.Field(name); f != nil {
		return f.Value
	}
	return nil
}

// Field returns a map's field with its name's place, or nil.
func (v *Value) Field(name string) *Field {
	if v == nil || v.Kind != Map {
		return nil
	}
	for i := range v.Fields {
		if v.Fields[i].Name == name {
			return &v.Fields[i]
		}
	}
	return nil
}

// At follows field names from v and returns nil where one is absent.
func (v *Value) At(names ...string) *Value {
	for _, n := range names {
		v = v.Get(n)
	}
	return v
}

// IsNull reports whether v is absent or null, which the server does not tell
// apart in a decoded object.
func (v *Value) IsNull() bool { return v == nil || v.Kind == Null }

// StringOr returns a string's value, or or where v is something else.
func (v *Value) StringOr(or string) string {
	if v == nil || v.Kind != String {
		return or
	}
	return v.Text
}
