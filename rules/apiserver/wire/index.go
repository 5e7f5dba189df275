package wire

// maxLinearSearch is the number of fields up to which a map is searched without
// an index.
const maxLinearSearch = 16

// fieldIndex finds the fields of a map by name in constant time.
type fieldIndex struct {
	first  *Field // address of the first indexed field
	byName map[string]int
}

// SetFields sets the fields of a map and builds an index if there are many. Later
// changes must be made in a copy of Fields. The index is used only for the slice
// for which it was built, so a copy is searched without it.
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

// covers reports whether the index was built for exactly these fields. It is
// false if the map has repeated names.
func (x *fieldIndex) covers(fields []Field) bool {
	return x != nil && len(x.byName) == len(fields) && x.first == &fields[0]
}
