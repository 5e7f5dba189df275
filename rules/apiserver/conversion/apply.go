package conversion

import (
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Apply applies the steps and returns the resulting object. root is not changed;
// the result shares unchanged values with it. If YAML aliases share a value
// between several places, a step changes only the place that it names. The error
// names the first step that cannot be applied.
func Apply(root *wire.Value, steps []Step) (*wire.Value, error) {
	t := newTree(root)
	for _, s := range steps {
		if err := t.apply(s); err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
	}
	return t.root, nil
}

// tree is an object that is being changed. A value is copied before its first
// change and not again before later changes.
type tree struct {
	root *wire.Value
	// copies are the values that tree copied. A copy is in only one place of the
	// object, and all values above it are copies, too.
	copies map[*wire.Value]struct{}
}

func newTree(root *wire.Value) *tree {
	return &tree{root: root, copies: map[*wire.Value]struct{}{}}
}

// apply applies a step. If it returns an error, the object is unchanged.
func (t *tree) apply(s Step) error {
	switch s.Op {
	case Set:
		if s.Value == nil {
			return fmt.Errorf("no value")
		}
		if err := fits(t.root, s.Path, false); err != nil {
			return err
		}
		t.put(s.Path, s.Value)
		return nil
	case Delete:
		if len(s.Path) == 0 {
			return fmt.Errorf("the root cannot be taken out")
		}
		if s.Path.Value(t.root) != nil {
			t.detach(s.Path)
		}
		return nil
	case Move, Copy:
		v := s.Path.Value(t.root)
		switch {
		case len(s.Path) == 0 || v == nil:
			return fmt.Errorf("there is no %s", s.Path)
		case len(s.To) >= len(s.Path) && slices.Equal(s.To[:len(s.Path)], s.Path):
			return fmt.Errorf("%s is moved into itself", s.Path)
		}
		at := s.Path
		if s.Op == Move {
			t.detach(at)
		}
		if err := fits(t.root, s.To, true); err != nil {
			if s.Op == Move {
				t.reattach(at, v)
			}
			return err
		}
		if s.Value != nil {
			v = s.Value
		}
		t.put(s.To, v)
		return nil
	case Rename:
		return t.rename(s)
	}
	return fmt.Errorf("unknown operation")
}

func (t *tree) rename(s Step) error {
	last := s.Path.Last()
	parent := s.Path.Parent().Value(t.root)
	if len(s.Path) == 0 || last.Item || parent.Field(last.Name) == nil {
		return fmt.Errorf("there is no field %s", s.Path)
	}
	if parent.Field(s.Name) != nil {
		return fmt.Errorf("%s has a field %s already", s.Path.Parent(), s.Name)
	}
	t.container(s.Path.Parent()).Field(last.Name).Name = s.Name
	return nil
}

// copyOf returns a copy of v that may be changed: v itself if it is in copies.
func (t *tree) copyOf(v *wire.Value) *wire.Value {
	if _, ok := t.copies[v]; ok {
		return v
	}
	clone := *v
	clone.Fields, clone.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
	t.copies[&clone] = struct{}{}
	return &clone
}

// forgetCopies removes a value and its parts from copies, because the object may
// now have the value in two places.
func (t *tree) forgetCopies(v *wire.Value) {
	if _, ok := t.copies[v]; !ok || v == nil {
		return
	}
	delete(t.copies, v)
	for i := range v.Fields {
		t.forgetCopies(v.Fields[i].Value)
	}
	for _, item := range v.Items {
		t.forgetCopies(item)
	}
}

// container returns the map or list at a path, ready to be changed. It creates
// missing maps and lists on the way.
func (t *tree) container(p Path) *wire.Value {
	t.root = t.copyOf(t.root)
	v := t.root
	for i, s := range p {
		next := child(v, s)
		if next.IsNull() {
			next = &wire.Value{Kind: wire.Map}
			if i+1 < len(p) && p[i+1].Item {
				next.Kind = wire.List
			}
		}
		next = t.copyOf(next)
		place(v, s, next)
		v = next
	}
	return v
}

// detach removes the value at a path, which must exist.
func (t *tree) detach(p Path) {
	v, last := t.container(p.Parent()), p.Last()
	if last.Item {
		v.Items = slices.Delete(v.Items, last.Index, last.Index+1)
		return
	}
	at := slices.IndexFunc(v.Fields, func(f wire.Field) bool { return f.Name == last.Name })
	v.Fields = slices.Delete(v.Fields, at, at+1)
}

// reattach puts the value back that detach removed.
func (t *tree) reattach(p Path, value *wire.Value) {
	if last := p.Last(); last.Item {
		v := t.container(p.Parent())
		v.Items = slices.Insert(v.Items, last.Index, value)
		return
	}
	t.put(p, value)
}

// put sets the value at a path. Callers must check first that fits returns no
// error for the path.
func (t *tree) put(p Path, value *wire.Value) {
	t.forgetCopies(value)
	if len(p) == 0 {
		t.root = value
		return
	}
	parent := p.Parent()
	if p.Last().Item && parent.Value(t.root).IsNull() {
		t.put(parent, &wire.Value{Kind: wire.List})
	}
	place(t.container(parent), p.Last(), value)
}

// place sets a field of a map or an item of a list.
func place(v *wire.Value, s Segment, value *wire.Value) {
	switch {
	case s.Item && s.Index == len(v.Items):
		v.Items = append(v.Items, value)
	case s.Item:
		v.Items[s.Index] = value
	default:
		if f := v.Field(s.Name); f != nil {
			f.Value = value
		} else {
			v.Fields = append(v.Fields, wire.Field{Name: s.Name, Value: value})
		}
	}
}

// fits returns an error if a value cannot be set at a path. If mustBeUnset is
// set, it also returns an error if the path has a value other than null.
func fits(v *wire.Value, p Path, mustBeUnset bool) error {
	for i := range p {
		kind := wire.Map
		if p[i].Item {
			kind = wire.List
		}
		if !v.IsNull() && v.Kind != kind {
			return fmt.Errorf("%s is looked for in a value of another type", p[i:i+1])
		}
		if p[i].Item {
			n := 0
			if !v.IsNull() {
				n = len(v.Items)
			}
			if p[i].Index < 0 || p[i].Index > n {
				return fmt.Errorf("a list of %d items has no place for item %d", n, p[i].Index)
			}
		}
		v = child(v, p[i])
	}
	if mustBeUnset && !v.IsNull() {
		return fmt.Errorf("its place is taken")
	}
	return nil
}

// Equal reports whether two values are the same JSON. The order of items counts,
// but not the order of fields. Numbers are compared as text. A missing field is
// not equal to null.
func Equal(a, b *wire.Value) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Fields) != len(b.Fields) || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !Equal(a.Items[i], b.Items[i]) {
			return false
		}
	}
	if len(a.Fields) > minIndexed {
		return equalWide(a, b)
	}
	for i := range a.Fields {
		if !Equal(a.Fields[i].Value, b.Get(a.Fields[i].Name)) {
			return false
		}
	}
	return true
}

// minIndexed is the smallest number of fields for which Equal finds fields by an
// index instead of a search.
const minIndexed = 16

func equalWide(a, b *wire.Value) bool {
	values := make(map[string]*wire.Value, len(b.Fields))
	for i := range b.Fields {
		values[b.Fields[i].Name] = b.Fields[i].Value
	}
	for i := range a.Fields {
		if !Equal(a.Fields[i].Value, values[a.Fields[i].Name]) {
			return false
		}
	}
	return true
}
