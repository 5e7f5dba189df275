package fix

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// content is what an edit writes: a new value, a moved text, or a new
// collection with one entry, whose value is again a content.
type content struct {
	value *wire.Value
	// frag is the text of value in the document; nil if the value is new.
	frag *fragment
	// child is the only entry of a collection; nil for other content. The
	// collection is a list if list is set, and otherwise a map with the field
	// name.
	child *content
	name  string
	list  bool
}

// wrap returns the content in new collections, one for each step of the path.
func (c *content) wrap(p conversion.Path) *content {
	for i := len(p) - 1; i >= 0; i-- {
		c = &content{child: c, name: p[i].Name, list: p[i].Item}
	}
	return c
}

// isScalar reports whether the content is a new scalar.
func (c *content) isScalar() bool {
	return c.child == nil && c.frag == nil && c.value.Kind != wire.Map && c.value.Kind != wire.List
}

// movedText returns the moved text in the content; nil for none.
func (c *content) movedText() *fragment {
	for c.child != nil {
		c = c.child
	}
	return c.frag
}

func (c *content) hasComments() bool {
	f := c.movedText()
	return f != nil && (f.commented || f.valueComment != "" || f.keyComment != "" || len(f.head) > 0)
}

// fragment is the text of a value that is moved to another place.
type fragment struct {
	// lines are the lines of the value's text without their old indentation.
	lines []string
	// block is set for a map or list in block style.
	block bool
	shape shape
	// flow is set for a map or list in brackets, and for a value in one.
	flow bool
	// field is set if the value is in a field of a map. relative is the
	// indentation of the value's block minus the indentation of the key.
	field    bool
	relative int
	// head are the comments above the value. keyComment is the comment after the
	// key, and valueComment the comment after a value on one line. Both begin
	// with the spaces before the comment.
	head                     []string
	keyComment, valueComment string
	// commented is set if there are comments in lines.
	commented bool
	quote     byte
}

// entryText returns the text of an entry's value; nil if the value is omitted.
// If head is set, the text includes the comments above the entry.
func (l *layout) entryText(r ref, head bool) (*fragment, error) {
	e, v := r.entry(), r.entry().value
	f := &fragment{field: r.in.shape == mapping, shape: v.shape, flow: r.in.flow, quote: v.quote}
	if r.in.flow {
		f.commented = l.comments(v.start, v.end) != nil
		f.lines = l.dedent(v.start, v.end, l.indentation(e.start))
		return f, nil
	}
	column, err := l.column(r)
	if err != nil {
		return nil, err
	}
	from, to := l.entryRange(r)
	if head && l.isFirstOnLine(r) && !r.isFirst(l.root) {
		f.head = l.comments(l.headStart(from, column), from)
	}
	onLine := l.lineOf(v.body) == l.lineOf(e.keyEnd-1)
	switch {
	case v.empty():
		return nil, nil
	case !v.flow && len(v.entries) > 0 && (!onLine || r.in.shape == sequence):
		return f, l.setBlock(f, e, column, to)
	}
	l.setInline(f, e, column, to)
	return f, nil
}

// setBlock stores the text of a map or list in block style. column is the
// indentation of its entry, and to is the end of the entry's lines.
func (l *layout) setBlock(f *fragment, e *entry, column, to int) error {
	v := e.value
	onLine := l.lineOf(v.body) == l.lineOf(e.keyEnd-1)
	switch {
	case v.start != v.body && onLine:
		return errUnsupported // such as - &anchor {…}
	case v.start != v.body:
		return refuse("an anchor or a tag is before the moved value")
	}
	f.block = true
	base := v.body - l.lineStart(v.body)
	f.relative = base - column
	if !onLine {
		gap := l.comments(e.keyEnd, v.body)
		if first := l.comments(e.keyEnd, l.lineEnd(e.keyEnd)); len(first) > 0 {
			f.keyComment, gap = " "+first[0], gap[1:]
		}
		f.lines = gap
	}
	f.lines = append(f.lines, l.dedent(v.body, l.withoutBreak(0, to), spaces(base))...)
	f.commented = l.comments(e.keyEnd, to) != nil
	return nil
}

// setInline stores the text of a value that begins on the line of its key or
// dash. column and to are as in setBlock.
func (l *layout) setInline(f *fragment, e *entry, column, to int) {
	v := e.value
	f.lines = l.dedent(v.start, v.end, spaces(column))
	f.commented = l.comments(v.start, v.end) != nil
	if !v.isBlockScalar() {
		if rest := string(l.src[v.end:l.lineEnd(v.end)]); strings.TrimSpace(rest) != "" {
			f.valueComment = strings.TrimRight(rest, " \t\r")
		}
	}
	f.head = append(f.head, l.comments(min(l.nextLine(v.end), to), to)...)
	f.head = append(f.head, l.comments(e.keyEnd, v.start)...)
}
