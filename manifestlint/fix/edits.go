package fix

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
)

// edits returns the edits of one step. They are sorted and do not overlap.
func (l *layout) edits(s conversion.Step) ([]Edit, error) {
	t, err := l.find(s.Path)
	if err != nil {
		return nil, err
	}
	switch s.Op {
	case conversion.Set:
		return l.write(t, &content{value: s.Value}, s.Before)
	case conversion.Delete:
		if len(t.missing) > 0 {
			return nil, nil
		}
		return l.remove(t, keepComments)
	case conversion.Rename:
		return l.rename(t, s.Name)
	case conversion.Copy:
		return l.copy(t, s)
	case conversion.Move:
		return l.move(t, s)
	}
	return nil, errUnsupported
}

// rename replaces the key of the field t.
func (l *layout) rename(t target, name string) ([]Edit, error) {
	if len(t.missing) > 0 || len(t.refs) == 0 {
		return nil, errUnsupported
	}
	e := t.last().entry()
	key := node{body: e.start, quote: l.src[e.start]}
	if key.quote != '"' && key.quote != '\'' {
		text := strings.TrimSuffix(string(l.src[e.start:e.keyEnd]), ":")
		return []Edit{{e.start, e.start + len(strings.TrimRight(text, " \t")), l.key(name, 0)}}, nil
	}
	if err := l.quoteEnd(&key); err != nil {
		return nil, err
	}
	return []Edit{{e.start, key.end, l.key(name, key.quote)}}, nil
}

// write writes content at a path. It replaces the value at the path. If there
// is none, it adds an entry to the last collection on the path. A new field is
// put before the field named before, or last if before is "".
func (l *layout) write(t target, c *content, before string) ([]Edit, error) {
	if len(t.missing) == 0 {
		return l.overwrite(t, c)
	}
	switch t.value.shape {
	case alias:
		return nil, refuse("%s would be added behind an alias", nameOf(t.missing))
	case scalar: // the value is null, and becomes a collection
		return l.overwrite(t, c.wrap(t.missing))
	}
	c = c.wrap(t.missing[1:])
	if t.missing[0].Item {
		return l.appendItem(t, c)
	}
	return l.insertField(t, t.missing[0].Name, c, before)
}

// overwrite replaces the value at a path.
func (l *layout) overwrite(t target, c *content) ([]Edit, error) {
	if len(t.refs) == 0 {
		return nil, refuse("the whole object would be replaced")
	}
	r, v := t.last(), t.value
	text := ""
	switch {
	case v.anchor != "":
		return nil, refuse("the value has the anchor &%s, and may be used elsewhere", v.anchor)
	case r.in.flow && l.comments(v.start, v.end) != nil:
		return nil, errCommentLost
	case r.in.flow:
		text = l.flow(c, l.bracketsOf(r.in))
	case c.isScalar() && v.shape == scalar && !v.isBlockScalar():
		text = l.scalar(c.value, v.quote)
	default:
		return l.overwriteBlock(r, c)
	}
	if v.empty() {
		text = " " + text
	}
	return []Edit{{v.start, v.end, text}}, nil
}

// overwriteBlock replaces the value of an entry in a block. It keeps the
// value's comments.
func (l *layout) overwriteBlock(r ref, c *content) ([]Edit, error) {
	column, err := l.column(r)
	if err != nil {
		return nil, err
	}
	e := r.entry()
	_, to := l.entryRange(r)
	comments := l.comments(e.keyEnd, to)
	var lines []string
	if r.in.shape == sequence {
		lines = l.blockItem(c)
	} else {
		lines = l.blockField(string(l.src[e.start:e.keyEnd-1]), c)
	}
	if len(comments) == 0 {
		return []Edit{{e.start, e.end(), l.join(lines, column)}}, nil
	}
	lines = append(lines, indent(comments, l.step)...)
	return []Edit{{e.start, to, l.join(lines, column) + l.breakBefore(to)}}, nil
}

// join returns lines as one text that begins in this column.
func (l *layout) join(lines []string, column int) string {
	indent(lines[1:], column)
	return strings.Join(lines, l.nl)
}

// copy also writes the value of t to the path s.To.
func (l *layout) copy(t target, s conversion.Step) ([]Edit, error) {
	c, err := l.movedContent(t, s)
	if err != nil {
		return nil, err
	}
	if t.value.hasAnchor() {
		c.frag = nil // two values must not have the same anchor
	}
	to, err := l.find(s.To)
	if err != nil {
		return nil, err
	}
	return l.write(to, c, s.Before)
}

// move moves the value of t to the path s.To.
func (l *layout) move(t target, s conversion.Step) ([]Edit, error) {
	c, err := l.movedContent(t, s)
	if err != nil {
		return nil, err
	}
	to, err := l.find(beforeRemoval(s))
	if err != nil {
		return nil, err
	}
	from := t.last()
	if to.value == from.in && to.value.shape == mapping && s.Before == "" && len(to.missing) > 0 {
		return l.replaceField(from, to.missing[0].Name, c.wrap(to.missing[1:]))
	}
	added, err := l.write(to, c, s.Before)
	if err != nil {
		return nil, err
	}
	comments := removeComments
	if s.Value != nil {
		comments = keepComments // the new value is written without the old comments
	}
	removed, err := l.remove(t, comments)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(removed, added)
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

// movedContent returns the content that a Move or Copy writes.
func (l *layout) movedContent(t target, s conversion.Step) (*content, error) {
	if len(t.missing) > 0 {
		return nil, errUnsupported
	}
	value := s.Path.Value(l.tree)
	if isPlaceholder(value) {
		return nil, refuse("%s is a placeholder that something else fills in", s.Path)
	}
	if s.Value != nil {
		return &content{value: s.Value}, nil
	}
	f, err := l.entryText(t.last(), s.Op == conversion.Move)
	return &content{value: value, frag: f}, err
}

// beforeRemoval returns the destination of a move as a path in the current
// tree. s.To is a path in the tree without the moved value. If list[0] is moved
// into s.To list[1].a, for example, the result is list[2].a.
func beforeRemoval(s conversion.Step) conversion.Path {
	last := len(s.Path) - 1
	if !s.Path[last].Item || len(s.To) <= last || !slices.Equal(s.To[:last], s.Path[:last]) ||
		!s.To[last].Item || s.To[last].Index < s.Path[last].Index {
		return s.To
	}
	to := slices.Clone(s.To)
	to[last].Index++
	return to
}

func containsAny(text string, marks ...string) bool {
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(text, mark) })
}
