package defaults

import (
	"reflect"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// step is a step to a part of a value: the name of a field, or else an index.
type step struct {
	name  string
	index int
}

// difference is a part that differs in two values; nil is absent.
type difference struct {
	path          []step
	before, after any
}

// differences returns the parts that differ, ordered by their paths. Lists of different
// lengths differ as a whole.
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
	// Types write some empty fields.
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

// both returns two values of a type.
func both[T any](x, y any) (a, b T, ok bool) {
	a, ok1 := x.(T)
	b, ok2 := y.(T)
	return a, b, ok1 && ok2
}

// names returns the names of the fields on the path.
func (d *difference) names() (names []string) {
	for _, s := range d.path {
		if s.name != "" {
			names = append(names, s.name)
		}
	}
	return names
}

// place returns the innermost value of an object on the path, and the path with a star
// for each index.
func (d *difference) place(root *wire.Value) (*wire.Value, string) {
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
