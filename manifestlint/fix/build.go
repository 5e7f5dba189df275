package fix

import (
	"bytes"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// builder converts a tree with positions to nodes of a text.
//
// The tree has the document as it is written. An alias is a Null at the
// position of its asterisk. A merge key is a field, and a repeated key is two
// fields. An omitted value is a Null without length.
type builder struct {
	*text
	json bool
	// unusual is set if the text has anchors, aliases, tags, merge keys or
	// entries that package fix cannot edit.
	unusual bool
}

// node returns the node of a value. indent is the indentation of the block that
// contains the value; -1 for the root. flow is true if the value is inside
// brackets.
func (b *builder) node(v *wire.Value, indent int, flow bool) (*node, error) {
	start, err := b.offset(v.Pos)
	if err != nil {
		return nil, err
	}
	n := &node{flow: flow, start: start, body: start, end: start}
	switch {
	case v.Kind == wire.Map || v.Kind == wire.List:
		return n, b.collection(n, v)
	case v.Kind == wire.Null && v.Pos == v.End:
		return n, nil
	}
	end, err := b.offset(v.End)
	if err != nil || end < start {
		return nil, errUnsupported
	}
	return n, b.scalar(n, end, indent)
}

// scalar completes the node of a scalar or an alias. end is the end of a plain
// scalar, or any offset in a quoted scalar or block scalar after its first
// character. indent is the indentation of the block that contains the scalar.
func (b *builder) scalar(n *node, end, indent int) error {
	b.properties(n, end)
	n.end = end
	switch c := b.byteAt(n.body); {
	case n.body >= end:
	case c == '*':
		n.shape, b.unusual = alias, true
	case c == '"' || c == '\'':
		n.quote = c
		return b.quoteEnd(n)
	case c == '|' || c == '>':
		n.quote = c
		b.blockEnd(n, indent)
	}
	return nil
}

// properties finds the anchor and the tag before a value, and moves n.body
// after them. The search stops at end.
func (b *builder) properties(n *node, end int) {
	for n.body < end && (b.src[n.body] == '&' || b.src[n.body] == '!') {
		b.unusual = true
		to := min(b.propertyEnd(n.body), end)
		if b.src[n.body] == '&' {
			n.anchor = string(b.src[n.body+1 : to])
		}
		n.body = to
		if next := b.skipBlank(to); next < end {
			n.body = next
		}
	}
}

// propertyEnd returns the end of the anchor or tag that begins at an offset.
func (t *text) propertyEnd(at int) int {
	for at < len(t.src) && !isSpace(t.src[at]) && bytes.IndexByte([]byte(",]}"), t.src[at]) < 0 {
		at++
	}
	return at
}

// collection completes the node of a map or a list.
func (b *builder) collection(n *node, v *wire.Value) error {
	n.shape = mapping
	if v.Kind == wire.List {
		n.shape = sequence
	}
	b.properties(n, len(b.src))
	first := b.byteAt(n.body)
	n.flow = n.flow || first == '{' || first == '['
	n.entries = make([]entry, 0, len(v.Items)+len(v.Fields))
	column, at := n.body-b.lineStart(n.body), n.body
	if n.flow {
		at++
	}
	for _, item := range v.Items {
		e, err := b.item(item, column, n.flow, at)
		if err != nil {
			return err
		}
		at = max(at, e.end())
		n.entries = append(n.entries, e)
	}
	for i := range v.Fields {
		e, err := b.field(&v.Fields[i], column, n.flow, at)
		if err != nil {
			return err
		}
		at = max(at, e.end())
		n.entries = append(n.entries, e)
	}
	if n.end = at; n.flow {
		return b.findClosing(n, at)
	}
	return nil
}

// item returns the list item with the value v. The item begins at the offset
// from or later. column is the indentation of the list.
func (b *builder) item(v *wire.Value, column int, flow bool, from int) (e entry, err error) {
	if !flow {
		if e.start = b.skipBlank(from); b.byteAt(e.start) != '-' {
			return e, errUnsupported
		}
		e.keyEnd = e.start + 1
	}
	if e.value, err = b.node(v, column, flow); err != nil {
		return e, err
	}
	switch {
	case flow:
		e.start, e.keyEnd = e.value.start, e.value.start
		if v.Kind == wire.Map && b.byteAt(e.value.body) != '{' {
			return e, errUnsupported // [a: b]
		}
	case e.value.empty():
		e.value.setOmitted(e.keyEnd)
	}
	return e, nil
}

// field returns a field of a map. The field begins at the offset from or later.
// column is the indentation of the map.
func (b *builder) field(f *wire.Field, column int, flow bool, from int) (e entry, err error) {
	key, err := b.node(&wire.Value{Kind: wire.String, Pos: f.Pos, End: f.End}, column, true)
	if err != nil {
		return e, err
	}
	e.start, e.keyEnd = key.start, key.end
	at := b.skipBlank(from)
	if flow && b.byteAt(at) == ',' {
		at = b.skipBlank(at + 1)
	}
	e.unusual = key.shape != scalar || key.body > key.start || key.isBlockScalar() || at != e.start
	if e.unusual && flow {
		return e, errUnsupported
	}
	if !e.unusual {
		e.name = f.Name
		e.merge = string(b.src[e.start:e.keyEnd]) == "<<"
	}
	if e.value, err = b.node(f.Value, column, flow); err != nil {
		return e, err
	}
	b.findColon(&e, flow)
	b.unusual = b.unusual || e.unusual || e.merge
	return e, nil
}

// findColon finds the colon after a field's key, and moves e.keyEnd after it.
// It also sets the position of an omitted value. flow is true for a field in
// brackets, which may have no colon.
func (b *builder) findColon(e *entry, flow bool) {
	at := e.keyEnd
	for c := b.byteAt(at); c == ' ' || c == '\t' || b.json && isSpace(c); c = b.byteAt(at) {
		at++
	}
	found := b.byteAt(at) == ':'
	if found {
		e.keyEnd = at + 1
	} else {
		e.unusual = true
	}
	if e.value.empty() && (found || flow) {
		e.value.setOmitted(e.keyEnd)
	}
}

// setOmitted sets the position of an omitted value.
func (n *node) setOmitted(at int) { n.start, n.body, n.end = at, at, at }

// findClosing finds the closing bracket of a flow collection. at is the end of
// its last entry.
func (b *builder) findClosing(n *node, at int) error {
	want := byte('}')
	if n.shape == sequence {
		want = ']'
	}
	if at = b.skipBlank(at); b.byteAt(at) == ',' {
		at = b.skipBlank(at + 1)
	}
	if b.byteAt(at) != want {
		return errUnsupported
	}
	n.end = at + 1
	return nil
}
