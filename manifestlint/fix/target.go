package fix

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// ref is an entry of a collection: its node and its index in entries.
type ref struct {
	in    *node
	index int
}

func (r ref) entry() *entry { return &r.in.entries[r.index] }

// isFirst reports whether the entry is the first entry of n.
func (r ref) isFirst(n *node) bool { return r.index == 0 && r.in == n }

// target is the place in the text to which a path leads.
type target struct {
	// refs are the entries on the path, from the root.
	refs []ref
	// value is the last value on the path that exists.
	value *node
	// missing is the part of the path after value; empty if value is at the path.
	missing conversion.Path
}

// last returns the entry whose value is t.value. It panics if t.value is the
// root.
func (t *target) last() ref { return t.refs[len(t.refs)-1] }

// find returns the target of a path. It returns an error if a change would also
// affect other places, as in an alias.
func (l *layout) find(p conversion.Path) (target, error) {
	t := target{value: l.root}
	value := l.tree // the tree's value for t.value
	for i := range p {
		if t.value.shape == alias {
			return t, refuse("%s is an alias: its text is in another place, which others may use", nameOf(p[:i]))
		}
		next := p[i : i+1].Value(value)
		index := -1
		if !value.IsNull() {
			var err error
			if index, err = t.value.entryIndex(p[:i+1], next != nil); err != nil {
				return t, err
			}
		}
		if index < 0 {
			t.missing = p[i:]
			return t, nil
		}
		t.refs = append(t.refs, ref{t.value, index})
		if t.value.entries[index].unusual {
			return t, errUnsupported
		}
		t.value, value = t.value.entries[index].value, next
	}
	return t, nil
}

// entryIndex returns the index of the entry that the last element of a path
// names; -1 for none. exists is true if the tree has this entry.
func (n *node) entryIndex(p conversion.Path, exists bool) (int, error) {
	last := p.Last()
	if last.Item {
		if last.Index < len(n.entries) {
			return last.Index, nil
		}
		return -1, nil
	}
	named := func(e entry) bool { return e.name == last.Name && !e.merge && (!e.unusual || e.name != "") }
	index := slices.IndexFunc(n.entries, named)
	switch {
	case index >= 0 && slices.ContainsFunc(n.entries[index+1:], named):
		return -1, refuse("%s is set twice", nameOf(p))
	case index >= 0 || !exists:
		return index, nil
	case slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge }):
		return -1, refuse("%s comes from a merge key", nameOf(p))
	}
	return -1, errUnsupported
}

// nameOf returns the name of the value at a path for messages.
func nameOf(p conversion.Path) string {
	if len(p) == 0 {
		return "the object"
	}
	return p.String()
}

// isPlaceholder reports whether a value is a string that a template or envsubst
// replaces.
func isPlaceholder(v *wire.Value) bool {
	return v != nil && v.Kind == wire.String && containsAny(v.Text, "{{", "{%", "${", "$(")
}
