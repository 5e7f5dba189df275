package defaults

import (
	"reflect"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// step is one step of a path in a value: a field or, if name is empty, the index of a
// list item.
type step struct {
	name  string
	index int
}

// difference is a path whose values differ between two objects. nil means that an object
// does not have the path.
type difference struct {
	path          []step
	before, after any
}

// differences returns the differences between two values, ordered by path. Lists with
// different lengths are one difference.
func differences(path []step, before, after any) (all []difference) {
	if a, b, ok := both[map[string]any](before, after); ok {
		names := make([]string, 0, len(a))
		for name := range a {
			names = append(names, name)
		}
		for name := range b {
			if _, twice := a[name]; !twice {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			all = append(all, differences(append(slices.Clip(path), step{name: name}), a[name], b[name])...)
		}
		return all
	}
	if a, b, ok := both[[]any](before, after); ok && len(a) == len(b) {
		for i := range a {
			all = append(all, differences(append(slices.Clip(path), step{index: i}), a[i], b[i])...)
		}
		return all
	}
	// Go types write some empty fields, so an empty string means no field.
	if before == "" {
		before = nil
	}
	if after == "" {
		after = nil
	}
	if reflect.DeepEqual(before, after) {
		return nil
	}
	return []difference{{path, before, after}}
}

// both converts two values to one type. ok is false if a value has another type.
func both[T any](x, y any) (a, b T, ok bool) {
	a, ok1 := x.(T)
	b, ok2 := y.(T)
	return a, b, ok1 && ok2
}

// names returns the names of the fields on the path, without indices.
func (d *difference) names() (names []string) {
	for _, s := range d.path {
		if s.name != "" {
			names = append(names, s.name)
		}
	}
	return names
}

// deepestValue follows the path in an object as far as it exists, and returns the last
// value. It also returns the path as text, with a star for each index.
func (d *difference) deepestValue(root *wire.Value) (*wire.Value, string) {
	at, inside := root, true
	var text strings.Builder
	for _, s := range d.path {
		next := at.Get(s.name)
		if s.name == "" {
			text.WriteString("[*]")
			if next = nil; s.index < len(at.Elements()) {
				next = at.Elements()[s.index]
			}
		} else {
			text.WriteString("." + s.name)
		}
		if inside = inside && next != nil; inside {
			at = next
		}
	}
	return at, strings.TrimPrefix(text.String(), ".")
}
