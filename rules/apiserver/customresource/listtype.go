package customresource

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// listCauses returns the errors about repeated items in lists of type set or map.
// Source: ValidateListSetsAndMaps in
// apiextensions-apiserver/pkg/apiserver/schema/listtype (1.18–1.37).
func listCauses(m lifecycle.Minor, obj *wire.Value, s *Schema) []apiserver.Cause {
	if m < 18 || s == nil || !s.lists {
		return nil
	}
	l := lists{report: report{minor: m}}
	l.fields(nil, obj, s)
	return l.causes
}

type lists struct{ report }

func (l *lists) fields(path []byte, v *wire.Value, s *Schema) {
	for i := range v.Fields {
		f := &v.Fields[i]
		if scalar(f.Value) {
			continue
		}
		// The server checks a field twice if both a property and
		// additionalProperties describe it.
		if s.Additional != nil {
			l.value(keyPath(path, f.Name), f.Value, s.Additional)
		}
		if p := s.Property(f.Name); p != nil {
			l.value(childPath(path, f.Name), f.Value, p)
		}
	}
}

func (l *lists) value(path []byte, v *wire.Value, s *Schema) {
	if v == nil || s == nil || !s.lists {
		return
	}
	switch v.Kind {
	case wire.Map:
		l.fields(path, v, s)
	case wire.List:
		switch s.ListType {
		case "set":
			for _, i := range repeated(len(v.Items), func(i int) string { return valueKey(v.Items[i]) }) {
				l.addWithValue(errDuplicate, string(indexPath(path, i)), quotable(v.Items[i]), "", v.Items[i])
			}
		case "map":
			l.listMap(path, v, s)
		}
		if s.Items != nil {
			for i, item := range v.Items {
				if !scalar(item) {
					l.value(indexPath(path, i), item, s.Items)
				}
			}
		}
	}
}

func (l *lists) listMap(path []byte, v *wire.Value, s *Schema) {
	for i, item := range v.Items {
		if !item.IsNull() && item.Kind != wire.Map {
			l.invalid(string(indexPath(path, i)), quotable(item), "must be an object for an array of list-type map", item)
			return
		}
	}
	for _, i := range repeated(len(v.Items), func(i int) string { return listKey(v.Items[i], s.ListMapKeys) }) {
		key := &wire.Value{Kind: wire.Map}
		for _, name := range s.ListMapKeys {
			if f := v.Items[i].Field(name); f != nil {
				key.Fields = append(key.Fields, *f)
			}
		}
		l.addWithValue(errDuplicate, string(indexPath(path, i)), key, "", v.Items[i])
	}
}

// repeated compares the keys of n items. For each key that several items have, it
// returns the index of the second of these items.
func repeated(n int, key func(int) string) []int {
	if n < 2 {
		return nil
	}
	var again []int
	seen := make(map[string]int, n)
	for i := range n {
		k := key(i)
		if seen[k]++; seen[k] == 2 {
			again = append(again, i)
		}
	}
	return again
}

// valueKey returns a text that is the same for values that are equal on the
// server.
func valueKey(v *wire.Value) string {
	if v != nil && v.Kind == wire.Number {
		if f, ok := number(v.Text).(float64); ok {
			return "f" + strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return jsonText(plainValue(v))
}

// quotable returns a value for use in an error. It returns nil if the value is
// absent or null.
func quotable(v *wire.Value) any {
	if v.IsNull() {
		return nil
	}
	return v
}

// childPath, keyPath and indexPath append a step to a path in the form of
// field.Path. The result may share the path's memory. This is safe because a walk
// finishes one child before it begins the next child.
func childPath(path []byte, name string) []byte {
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}

func keyPath(path []byte, key string) []byte {
	return append(append(append(path, '['), key...), ']')
}

func indexPath(path []byte, i int) []byte {
	return append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
}

// pathCapacity is the initial capacity of a path in bytes.
const pathCapacity = 512

// pathFrom returns a path to which steps can be appended.
func pathFrom(path string) []byte { return append(make([]byte, 0, pathCapacity), path...) }
