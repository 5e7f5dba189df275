package wire

// maxLinearSearch is the number of fields up to which a map is searched linearly.
const maxLinearSearch = 16

// fieldIndex finds the fields of a map by name. Without it, code that looks up
// each field of one map in another takes time with the square of their number.
type fieldIndex struct {
	first *Field // of the indexed fields
	at    map[string]int
}

// SetFields sets the fields of a map that is complete. Look-ups in a large map are
// then independent of its size. Code that changes a map's fields later must copy
// them first: the index is not used for copies.
func (v *Value) SetFields(fields []Field) {
	v.Fields, v.index = fields, nil
	if len(fields) <= maxLinearSearch {
		return
	}
	at := make(map[string]int, len(fields))
	for i := range fields {
		at[fields[i].Name] = i
	}
	v.index = &fieldIndex{&fields[0], at}
}

// covers reports whether the index is one of these fields. The names of a map
// with repeated fields are not indexed.
func (x *fieldIndex) covers(fields []Field) bool {
	return x != nil && len(x.at) == len(fields) && x.first == &fields[0]
}
