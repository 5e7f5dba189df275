package fix

import (
	"bytes"
	"slices"
)

var (
	errCommentLost  = &Refusal{"a comment inside of brackets would be lost"}
	errCommentMoved = &Refusal{"a comment would be moved into brackets"}
)

// insertField adds a field to the map at a path. before is the name of the
// field that follows the new field; "" for a new last field.
func (l *layout) insertField(t target, name string, c *content, before string) ([]Edit, error) {
	m := t.value
	if len(m.entries) == 0 {
		return l.fillEmpty(t, &content{child: c, name: name})
	}
	at := slices.IndexFunc(m.entries, func(e entry) bool { return e.name == before && before != "" })
	if at < 0 {
		at = len(m.entries)
	}
	key := l.key(name, l.keyQuote(m))
	if m.flow {
		return l.insertFlow(m, at, key, c)
	}
	return l.insertBlock(m, at, func() []string { return l.blockField(key, c) })
}

// appendItem adds an item to the list at a path.
func (l *layout) appendItem(t target, c *content) ([]Edit, error) {
	m := t.value
	switch {
	case len(m.entries) == 0:
		return l.fillEmpty(t, &content{child: c, list: true})
	case m.flow:
		return l.insertFlow(m, len(m.entries), "", c)
	}
	return l.insertBlock(m, len(m.entries), func() []string { return l.blockItem(c) })
}

// fillEmpty replaces an empty collection, {} or [], by a collection with one
// entry.
func (l *layout) fillEmpty(t target, c *content) ([]Edit, error) {
	edit := func() []Edit { return []Edit{{t.value.start, t.value.end, l.flow(c, l.bracketsOf(t.value))}} }
	switch {
	case len(t.refs) == 0 && (c.hasComments() || t.value.start != t.value.body):
		return nil, errUnsupported
	case len(t.refs) == 0, t.last().in.flow && !l.json:
		return edit(), nil
	}
	return l.overwrite(t, c)
}

// insertBlock writes a new entry of a block before the entry with the index at.
// If at is the number of entries, the new entry is the last one.
func (l *layout) insertBlock(m *node, at int, write func() []string) ([]Edit, error) {
	column, err := l.column(ref{m, 0})
	if err != nil {
		return nil, err
	}
	text := l.join(write(), column)
	if at == len(m.entries) {
		_, to := l.entryRange(ref{m, at - 1})
		if l.breakBefore(to) != "" {
			return []Edit{{to, to, spaces(column) + text + l.nl}}, nil
		}
		return []Edit{{to, to, l.nl + spaces(column) + text}}, nil
	}
	r := ref{m, at}
	start := r.entry().start
	if !l.isFirstOnLine(r) { // a dash is before it on the line
		return []Edit{{start, start, text + l.nl + spaces(column)}}, nil
	}
	if start = l.lineStart(start); !r.isFirst(l.root) {
		start = l.headStart(start, column)
	}
	return []Edit{{start, start, spaces(column) + text + l.nl}}, nil
}

// insertFlow writes a new entry of a collection in brackets before the entry
// with the index at. If at is the number of entries, the new entry is the last
// one. For a list, key is "".
func (l *layout) insertFlow(m *node, at int, key string, c *content) ([]Edit, error) {
	if c.hasComments() {
		return nil, errCommentMoved
	}
	b := l.bracketsOf(m)
	text := l.flow(c, b)
	if key != "" {
		text = key + ":" + b.afterColon + text
	}
	if at < len(m.entries) {
		start := m.entries[at].start
		return []Edit{{start, start, text + "," + b.afterComma}}, nil
	}
	end := m.entries[at-1].end()
	if comma := l.skipBlank(end); !l.json && l.byteAt(comma) == ',' {
		if bytes.IndexByte(l.src[end:comma], '#') >= 0 {
			return nil, errUnsupported
		}
		return []Edit{{comma + 1, comma + 1, b.afterComma + text + ","}}, nil
	}
	return []Edit{{end, end, "," + b.afterComma + text}}, nil
}

// replaceField replaces the field r by a field with this name and content. The
// comments above the field stay.
func (l *layout) replaceField(r ref, name string, c *content) ([]Edit, error) {
	e := r.entry()
	key := l.key(name, l.keyQuote(r.in))
	if r.in.flow {
		if c.hasComments() || c.movedText() == nil && l.comments(e.start, e.end()) != nil {
			return nil, errCommentLost
		}
		b := l.bracketsOf(r.in)
		return []Edit{{e.start, e.end(), key + ":" + b.afterColon + l.flow(c, b)}}, nil
	}
	column, err := l.column(r)
	if err != nil {
		return nil, err
	}
	from, to := l.entryRange(r)
	if l.isFirstOnLine(r) {
		if f := c.movedText(); f != nil {
			above := l.comments(l.headStart(from, column), from)
			f.head = f.head[min(len(above), len(f.head)):]
		}
		from += column
	}
	lines := l.blockField(key, c)
	if c.movedText() == nil {
		lines = append(lines, indent(l.comments(e.keyEnd, to), l.step)...)
	}
	return []Edit{{from, to, l.join(lines, column) + l.breakBefore(to)}}, nil
}

// keyQuote returns the quote of a map's first key; 0 for none.
func (l *layout) keyQuote(m *node) byte {
	if len(m.entries) > 0 {
		if c := l.src[m.entries[0].start]; c == '"' || c == '\'' {
			return c
		}
	}
	return 0
}
