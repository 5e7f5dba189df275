package fix

import (
	"bytes"
	"slices"
	"strings"
)

// insertField adds a field to the map where a way ends.
func (l *layout) insertField(w way, name string, c *content, before string) ([]Edit, error) {
	m := w.at
	if len(m.entries) == 0 {
		return l.fill(w, &content{child: c, name: name})
	}
	at := len(m.entries)
	if i := slices.IndexFunc(m.entries, func(e entry) bool { return e.name == before && before != "" }); i >= 0 {
		at = i
	}
	if m.flow {
		b := l.bracketsOf(m)
		if c.noted() {
			return nil, refuse("a comment would be moved into brackets")
		}
		return l.insertFlow(m, at, l.key(name, l.keyQuote(m), true)+":"+b.colon+l.flow(c, b), b)
	}
	h := hop{m, 0}
	column, err := l.column(h)
	if err != nil {
		return nil, err
	}
	lines := l.blockField(l.key(name, l.keyQuote(m), false), c, column)
	return l.insertLines(m, at, lines, column), nil
}

// appendItem adds an item to the list where a way ends.
func (l *layout) appendItem(w way, c *content) ([]Edit, error) {
	m := w.at
	if len(m.entries) == 0 {
		return l.fill(w, &content{child: c, list: true})
	}
	if m.flow {
		b := l.bracketsOf(m)
		if c.noted() {
			return nil, refuse("a comment would be moved into brackets")
		}
		return l.insertFlow(m, len(m.entries), l.flow(c, b), b)
	}
	column, err := l.column(hop{m, 0})
	if err != nil {
		return nil, err
	}
	return l.insertLines(m, len(m.entries), l.blockItem(c, column), column), nil
}

// fill gives an empty collection, {} or [], its first entry.
func (l *layout) fill(w way, c *content) ([]Edit, error) {
	if len(w.hops) == 0 {
		if c.noted() || w.at.start != w.at.body {
			return nil, errLost
		}
		return []Edit{{w.at.body, w.at.end, l.flow(c, l.bracketsOf(w.at))}}, nil
	}
	if h := w.hops[len(w.hops)-1]; h.in.flow && !l.json {
		return []Edit{{w.at.start, w.at.end, l.flow(c, l.bracketsOf(w.at))}}, nil
	}
	return l.overwrite(w, c)
}

// insertLines writes the lines of a new entry of a block before the entry with
// an index, or after the last one. The first of the lines has no indentation.
func (l *layout) insertLines(m *node, at int, lines []string, column int) []Edit {
	indent := strings.Repeat(" ", column)
	text := strings.Join(lines, l.nl)
	if at < len(m.entries) {
		h := hop{m, at}
		if !l.leads(h) { // it stands behind a dash
			start := h.entry().start
			return []Edit{{start, start, text + l.nl + indent}}
		}
		start := l.lineStart(h.entry().start)
		if at > 0 || m != l.root {
			start = l.headFrom(start, column)
		}
		return []Edit{{start, start, indent + text + l.nl}}
	}
	_, to := l.region(hop{m, at - 1})
	if to > 0 && l.text[to-1] == '\n' {
		return []Edit{{to, to, indent + text + l.nl}}
	}
	return []Edit{{to, to, l.nl + indent + text}}
}

// replaceField writes a field in the place of another, whose value it has.
// Comments above it stay there.
func (l *layout) replaceField(h hop, name string, c *content) ([]Edit, error) {
	e := h.entry()
	end := max(e.keyEnd, e.value.end)
	if h.in.flow {
		b := l.bracketsOf(h.in)
		if c.noted() || c.anew() && l.comments(e.start, end) != nil {
			return nil, refuse("a comment inside of brackets would be lost")
		}
		return []Edit{{e.start, end, l.key(name, l.keyQuote(h.in), true) + ":" + b.colon + l.flow(c, b)}}, nil
	}
	column, err := l.column(h)
	if err != nil {
		return nil, err
	}
	from, to := l.region(h)
	if l.leads(h) {
		from += column
	}
	c.dropHead(len(l.comments(min(l.headFrom(l.lineStart(e.start), column), l.lineStart(e.start)), l.lineStart(e.start))), l.leads(h))
	lines := l.blockField(l.key(name, l.keyQuote(h.in), false), c, column)
	if c.anew() {
		for _, note := range l.comments(e.keyEnd, to) {
			lines = append(lines, strings.Repeat(" ", column+l.step)+note)
		}
	}
	return []Edit{{from, to, strings.Join(lines, l.nl) + l.breakAt(to)}}, nil
}

// dropHead forgets the comments above the text that is moved, the first n of
// its head: they stay.
func (c *content) dropHead(n int, leads bool) {
	for c.child != nil {
		c = c.child
	}
	if c.frag != nil && leads {
		c.frag.head = c.frag.head[min(n, len(c.frag.head)):]
	}
}

// anew reports whether no text is moved.
func (c *content) anew() bool {
	for c.child != nil {
		c = c.child
	}
	return c.frag == nil
}

// noted reports whether there are comments in the text that is moved.
func (c *content) noted() bool {
	for c.child != nil {
		c = c.child
	}
	return c.frag != nil && (c.frag.commented || c.frag.trail != "" || c.frag.lead != "" || len(c.frag.head) > 0)
}

// insertFlow writes an entry between brackets: before the entry with an index,
// or after the last one.
func (l *layout) insertFlow(m *node, at int, text string, b brackets) ([]Edit, error) {
	if at < len(m.entries) {
		start := m.entries[at].start
		return []Edit{{start, start, text + "," + b.between}}, nil
	}
	last := m.entries[at-1]
	end := max(last.keyEnd, last.value.end)
	if rest := l.skip(end); !l.json && rest < len(l.text) && l.text[rest] == ',' {
		if bytes.IndexByte(l.text[end:rest], '#') >= 0 {
			return nil, errLost
		}
		return []Edit{{rest + 1, rest + 1, b.between + text + ","}}, nil
	}
	return []Edit{{end, end, "," + b.between + text}}, nil
}

// keyQuote gives how the keys of a map are quoted: as its first one.
func (l *layout) keyQuote(m *node) byte {
	if l.json {
		return '"'
	}
	if len(m.entries) > 0 {
		if c := l.text[m.entries[0].start]; c == '"' || c == '\'' {
			return c
		}
	}
	return 0
}
