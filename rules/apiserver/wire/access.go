package wire

import "strconv"

// Elements returns a list's items, or nil if v is not a list.
func (v *Value) Elements() []*Value {
	if v == nil || v.Kind != List {
		return nil
	}
	return v.Items
}

// Strings returns the strings of a list. It returns "" for an item that is not a
// string.
func (v *Value) Strings() []string {
	var all []string
	for _, item := range v.Elements() {
		all = append(all, item.StringOr(""))
	}
	return all
}

// Entries returns a map's fields, or nil if v is not a map.
func (v *Value) Entries() []Field {
	if v == nil || v.Kind != Map {
		return nil
	}
	return v.Fields
}

// Given returns the field of a map if it is set and not null, and nil otherwise.
func (v *Value) Given(name string) *Field {
	if f := v.Field(name); f != nil && !f.Value.IsNull() {
		return f
	}
	return nil
}

// IsTrue reports whether v is the boolean true.
func (v *Value) IsTrue() bool { return v != nil && v.Kind == Bool && v.Text == "true" }

// Int returns v as an integer. ok is false for 5.0 and 1e1, which are not written
// as integers, and for other types.
func (v *Value) Int() (n int64, ok bool) {
	if v == nil || v.Kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Key returns the field's name as a value with its position, for findings that
// point to the name.
func (f *Field) Key() *Value {
	return &Value{Kind: String, Text: f.Name, Pos: f.Pos, End: f.End}
}

// Index returns the step of a path to the item i of a list, in the server's
// notation, such as [3].
func Index(i int) string { return "[" + strconv.Itoa(i) + "]" }
