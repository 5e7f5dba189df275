package fix

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// hop is one step of the way from the root: an entry of a collection.
type hop struct {
	in    *node
	index int
}

func (h hop) entry() *entry { return &h.in.entries[h.index] }

// way is how a path leads through the text.
type way struct {
	hops []hop
	// at is the last value on the way that exists.
	at *node
	// rest is what of the path leads on from there to nothing.
	rest conversion.Path
}

// find follows a path through the text. It refuses to pass where a change
// would show in other places too.
func (l *layout) find(p conversion.Path) (way, error) {
	w := way{hops: make([]hop, 0, len(p)), at: l.root}
	value := l.tree // of w.at
	for i := range p {
		s := &p[i]
		if w.at.shape == alias {
			return w, refuse("%s is an alias: its text stands elsewhere, and may be used elsewhere", nameOf(p[:i]))
		}
		index := -1
		next := p[i : i+1].Value(value)
		switch {
		case value.IsNull():
		case s.Item:
			if s.Index < len(w.at.entries) {
				index = s.Index
			}
		default:
			twice := false
			for k := range w.at.entries {
				if e := &w.at.entries[k]; e.name == s.Name && !e.merge && (!e.odd || e.name != "") {
					twice = index >= 0
					index = k
				}
			}
			if twice {
				return w, refuse("%s is set twice", nameOf(p[:i+1]))
			}
			if index < 0 && next != nil {
				if slices.ContainsFunc(w.at.entries, func(e entry) bool { return e.merge }) {
					return w, refuse("%s comes from a merge key", nameOf(p[:i+1]))
				}
				return w, errLost
			}
		}
		if index < 0 {
			w.rest = p[i:]
			return w, nil
		}
		w.hops = append(w.hops, hop{w.at, index})
		if e := &w.at.entries[index]; e.odd {
			return w, errLost
		}
		w.at, value = w.at.entries[index].value, next
	}
	return w, nil
}

func nameOf(p conversion.Path) string {
	if len(p) == 0 {
		return "the object"
	}
	return p.String()
}

// edits gives the edits of one step: sorted, and not overlapping.
func (l *layout) edits(s conversion.Step) ([]Edit, error) {
	w, err := l.find(s.Path)
	if err != nil {
		return nil, err
	}
	switch s.Op {
	case conversion.Set:
		return l.put(w, &content{value: s.Value}, s.Before)
	case conversion.Delete:
		if len(w.rest) > 0 {
			return nil, nil
		}
		return l.remove(w, keepComments)
	case conversion.Rename:
		return l.rename(w, s.Name)
	case conversion.Move, conversion.Copy:
		return l.move(w, s)
	}
	return nil, errLost
}

func (l *layout) rename(w way, name string) ([]Edit, error) {
	if len(w.rest) > 0 || len(w.hops) == 0 {
		return nil, errLost
	}
	e := w.hops[len(w.hops)-1].entry()
	end := e.start
	quote := byte(0)
	switch l.text[e.start] {
	case '"', '\'':
		n := node{body: e.start}
		quote = l.text[e.start]
		if err := l.quoteEnd(&n, quote); err != nil {
			return nil, err
		}
		end = n.end
	default:
		end = e.start + len(strings.TrimRight(strings.TrimSuffix(string(l.text[e.start:e.keyEnd]), ":"), " \t"))
	}
	return []Edit{{e.start, end, l.key(name, quote, w.hops[len(w.hops)-1].in.flow)}}, nil
}

// put writes a value where a way ends: over what is there, or as a new field
// or item of the last collection that is.
func (l *layout) put(w way, c *content, before string) ([]Edit, error) {
	if len(w.rest) == 0 {
		return l.overwrite(w, c)
	}
	first := w.rest[0]
	c = c.under(w.rest[1:])
	if w.at.shape == alias {
		return nil, refuse("%s would be added behind an alias", nameOf(w.rest))
	}
	if w.at.shape == scalar { // null: Apply has seen to that
		return l.overwrite(w, c.under(w.rest[:1]))
	}
	if first.Item {
		return l.appendItem(w, c)
	}
	return l.insertField(w, first.Name, c, before)
}

// overwrite replaces the value where a way ends.
func (l *layout) overwrite(w way, c *content) ([]Edit, error) {
	if len(w.hops) == 0 {
		return nil, refuse("the whole object would be replaced")
	}
	h := w.hops[len(w.hops)-1]
	e, v := h.entry(), w.at
	if v.anchor != "" {
		return nil, refuse("the value has the anchor &%s, and may be used elsewhere", v.anchor)
	}
	if h.in.flow {
		if l.comments(v.start, v.end) != nil {
			return nil, refuse("a comment inside of brackets would be lost")
		}
		text := l.flow(c, l.bracketsOf(h.in))
		if v.empty() {
			text = " " + text
		}
		return []Edit{{v.start, v.end, text}}, nil
	}
	if c.isScalar() && v.shape == scalar && v.quote != '|' && v.quote != '>' {
		text := l.scalarLike(c.value, v.quote)
		if v.empty() {
			text = " " + text
		}
		return []Edit{{v.start, v.end, text}}, nil
	}
	return l.overwriteBlock(h, e, c)
}

// overwriteBlock replaces a field or an item of a block as a whole, and keeps
// the comments that are lost with its value.
func (l *layout) overwriteBlock(h hop, e *entry, c *content) ([]Edit, error) {
	column, err := l.column(h)
	if err != nil {
		return nil, err
	}
	_, to := l.region(h)
	end := max(e.keyEnd, e.value.end)
	notes := l.comments(e.keyEnd, to)
	var lines []string
	if h.in.shape == sequence {
		lines = l.blockItem(c, column)
	} else {
		lines = l.blockField(string(l.text[e.start:e.keyEnd-1]), c, column)
	}
	for _, note := range notes {
		lines = append(lines, strings.Repeat(" ", column+l.step)+note)
	}
	if len(notes) == 0 {
		return []Edit{{e.start, end, strings.Join(lines, l.nl)}}, nil
	}
	return []Edit{{e.start, to, strings.Join(lines, l.nl) + l.breakAt(to)}}, nil
}

// breakAt is the line break that a text needs that ends where whole lines
// ended: none at the end of a text that has none.
func (l *layout) breakAt(to int) string {
	if to > 0 && l.text[to-1] == '\n' {
		return l.nl
	}
	return ""
}

// move takes what is at the end of a way to another place.
func (l *layout) move(w way, s conversion.Step) ([]Edit, error) {
	if len(w.rest) > 0 {
		return nil, errLost
	}
	source := w.hops[len(w.hops)-1]
	value := s.Path.Value(l.tree)
	if placeholder(value) {
		return nil, refuse("%s is a placeholder that something else fills in", s.Path)
	}
	c := &content{value: s.Value}
	if s.Value == nil {
		f, err := l.fragment(source, value, s.Op == conversion.Move)
		if err != nil {
			return nil, err
		}
		if s.Op == conversion.Copy && l.anchored(w.at) {
			f = nil // an anchor must not be set twice
		}
		c = &content{value: value, frag: f}
	}
	to := s.To
	if at := len(s.Path) - 1; s.Op == conversion.Move && s.Path[at].Item && len(to) > at && slices.Equal(to[:at], s.Path[:at]) && to[at].Item && to[at].Index >= s.Path[at].Index {
		to = slices.Clone(to)
		to[at].Index++
	}
	dest, err := l.find(to)
	if err != nil {
		return nil, err
	}
	if s.Op == conversion.Copy {
		return l.put(dest, c, s.Before)
	}
	if dest.at == source.in && source.in.shape == mapping && s.Before == "" && len(dest.rest) > 0 {
		return l.replaceField(source, dest.rest[0].Name, c.under(dest.rest[1:]))
	}
	added, err := l.put(dest, c, s.Before)
	if err != nil {
		return nil, err
	}
	notes := takeComments
	if s.Value != nil {
		notes = keepComments // they are not in what is written
	}
	taken, err := l.remove(w, notes)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(taken, added)
	slices.SortStableFunc(all, func(x, y Edit) int {
		if x.Start != y.Start {
			return x.Start - y.Start
		}
		return x.End - y.End
	})
	for i := range all[1:] {
		if all[i].End > all[i+1].Start {
			return nil, refuse("%s is moved too close to where it is", s.Path)
		}
	}
	return all, nil
}

// anchored reports whether a value has an anchor anywhere.
func (l *layout) anchored(n *node) bool {
	return n.anchor != "" || slices.ContainsFunc(n.entries, func(e entry) bool { return l.anchored(e.value) })
}

// placeholder reports whether a value is a string that a template or envsubst
// fills in, so that nobody knows what it will be.
func placeholder(v *wire.Value) bool {
	if v == nil || v.Kind != wire.String {
		return false
	}
	for _, mark := range []string{"{{", "{%", "${", "$("} {
		if strings.Contains(v.Text, mark) {
			return true
		}
	}
	return false
}

// aliased reports whether a value has an alias or a merge key anywhere.
func (l *layout) aliased(n *node) bool {
	return n.shape == alias || slices.ContainsFunc(n.entries, func(e entry) bool { return e.merge || l.aliased(e.value) })
}
