package fix

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// fromTree lays out a text whose tree is known, with places that count from a
// line, as read does by way of the parser. It reports false where that has to
// be asked.
func (l *layout) fromTree(tree *wire.Value, line int) bool {
	if tree == nil {
		return false
	}
	l.before = line - 1
	root, ok := l.fromValue(tree, -1, false)
	l.before = 0
	l.seen, l.seenLine, l.seenColumn = 0, 0, 0
	if !ok {
		return false
	}
	l.tree, l.root, l.plain = tree, root, true
	l.tally(root, 1)
	l.settle()
	return true
}

// fromValue gives the node of a value, as fromYAML does of the parser's. It
// reports false for what only that can tell.
func (l *layout) fromValue(v *wire.Value, indent int, flow bool) (*node, bool) {
	start, err := l.offset(v.Pos.Line, v.Pos.Column)
	if err != nil {
		return nil, false
	}
	n := l.room.node()
	n.flow, n.start, n.body, n.end = flow, start, start, start
	first := byte(0)
	if start < len(l.text) {
		first = l.text[start]
	}
	switch first {
	case '&', '!', '*':
		if v.Kind != wire.Null || v.Pos != v.End {
			return nil, false // only the parser knows where the value begins
		}
	}
	switch v.Kind {
	case wire.Map:
		n.shape, n.flow = mapping, flow || first == '{'
	case wire.List:
		n.shape, n.flow = sequence, flow || first == '['
	case wire.Null:
		if v.Pos == v.End {
			return n, true
		}
		fallthrough
	default:
		return n, l.valueEnd(n, v, first, indent)
	}
	if !l.entriesOf(n, v) {
		return nil, false
	}
	if n.flow {
		return n, l.closing(n) == nil
	}
	if len(n.entries) > 0 {
		last := n.entries[len(n.entries)-1]
		n.end = max(last.value.end, last.keyEnd)
	}
	return n, true
}

// valueEnd finds where a scalar ends that begins with a byte.
func (l *layout) valueEnd(n *node, v *wire.Value, first byte, indent int) bool {
	switch first {
	case '"', '\'':
		return l.quoteEnd(n, first) == nil
	case '|', '>':
		return l.blockEnd(n, indent) == nil
	}
	var err error
	if n.end, err = l.offset(v.End.Line, v.End.Column); err != nil || n.end < n.body {
		return false
	}
	// Words may end at white space that is not ASCII.
	return l.ascii || bytes.IndexFunc(l.text[n.body:n.end], func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsSpace(r) }) < 0
}

// entriesOf gives a collection its entries.
func (l *layout) entriesOf(n *node, v *wire.Value) bool {
	column := n.body - l.lineStart(n.body)
	at := n.body
	if n.flow {
		at++
	}
	n.entries = l.room.list(len(v.Items) + len(v.Fields))
	for _, item := range v.Items {
		e := entry{}
		if !n.flow {
			var err error
			if e.start, err = l.dashFrom(at); err != nil {
				return false
			}
			e.keyEnd = e.start + 1
		}
		var ok bool
		if e.value, ok = l.fromValue(item, column, n.flow); !ok {
			return false
		}
		switch {
		case n.flow && (e.value.empty() || item.Kind == wire.Map && l.text[e.value.body] != '{'):
			return false
		case n.flow:
			e.start, e.keyEnd = e.value.start, e.value.start
		case e.value.empty():
			e.value.start, e.value.body, e.value.end = e.keyEnd, e.keyEnd, e.keyEnd
		}
		at = max(at, e.keyEnd, e.value.end)
		n.entries = append(n.entries, e)
	}
	for i := range v.Fields {
		e, ok := l.fieldOf(&v.Fields[i], column, n.flow, at)
		if !ok {
			return false
		}
		at = max(at, e.keyEnd, e.value.end)
		n.entries = append(n.entries, e)
	}
	return true
}

// fieldOf gives a field of a map. from is where it can begin at the earliest.
func (l *layout) fieldOf(f *wire.Field, column int, flow bool, from int) (entry, bool) {
	e := entry{name: f.Name}
	var err, failed error
	e.start, err = l.offset(f.Pos.Line, f.Pos.Column)
	if e.keyEnd, failed = l.offset(f.End.Line, f.End.Column); err != nil || failed != nil {
		return e, false
	}
	at := l.skip(from)
	if flow && at < len(l.text) && l.text[at] == ',' {
		at = l.skip(at + 1)
	}
	var ok bool
	if e.value, ok = l.fromValue(f.Value, column, flow); !ok || at != e.start || e.keyEnd <= e.start || l.text[e.keyEnd] != ':' {
		return e, false
	}
	switch l.text[e.start] {
	case '&', '!', '*', '?', '<', '|', '>':
		return e, false
	}
	l.colon(&e, flow)
	return e, !e.odd
}
