package yamltree

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// maxFlowDepth is the largest depth of nested flow collections that the reader
// supports.
const maxFlowDepth = 8

// flow reads the flow collection at an offset of the current line into v. It
// returns the offset after the collection, which must end on this line.
func (r *reader) flow(v *wire.Value, off, depth int) (end int, ok bool) {
	if depth == maxFlowDepth {
		return 0, false
	}
	v.Pos = r.pos(off)
	v.End = v.Pos
	if r.line[off] == '{' {
		return r.flowMap(v, off+1, depth)
	}
	return r.flowList(v, off+1, depth)
}

func (r *reader) flowList(v *wire.Value, off, depth int) (end int, ok bool) {
	from := len(r.items)
	off, closed := r.skipToClosing(off, ']')
	for !closed {
		if off == len(r.line) {
			return 0, false
		}
		item := r.null(off)
		r.items = append(r.items, item)
		if off, ok = r.flowValue(item, off, depth); !ok {
			return 0, false
		}
		if off, closed, ok = r.separator(off, ']'); !ok {
			return 0, false
		}
	}
	v.Kind = wire.List
	v.Items = r.memory.items.copyOf(r.items[from:])
	r.items = r.items[:from]
	return off, true
}

func (r *reader) flowMap(v *wire.Value, off, depth int) (end int, ok bool) {
	from := len(r.fields)
	var names nameSet
	off, closed := r.skipToClosing(off, '}')
	for !closed {
		if off == len(r.line) {
			return 0, false
		}
		text := r.line[off:]
		name, colon, ok := scanKey(text, false)
		if !ok {
			return 0, false
		}
		if name, ok = fieldName(text, name); !ok || names.repeated(r.fields[from:], name) {
			return 0, false
		}
		value := r.null(off + colon)
		r.fields = append(r.fields, wire.Field{Name: name, Pos: r.pos(off), End: r.pos(off + colon - 1), Value: value})
		if off = skipSpaces(r.line, off+colon); off == len(r.line) {
			return 0, false
		}
		if off, ok = r.flowValue(value, off, depth); !ok {
			return 0, false
		}
		if off, closed, ok = r.separator(off, '}'); !ok {
			return 0, false
		}
	}
	v.Kind = wire.Map
	v.SetFields(r.memory.fields.copyOf(r.fields[from:]))
	r.fields = r.fields[:from]
	return off, true
}

// skipToClosing skips spaces, and the closing bracket if the spaces end there.
// It returns the offset of the first byte that it did not skip, and whether it
// skipped the bracket.
func (r *reader) skipToClosing(off int, bracket byte) (int, bool) {
	off = skipSpaces(r.line, off)
	if off < len(r.line) && r.line[off] == bracket {
		return off + 1, true
	}
	return off, false
}

// separator reads the comma after a field or an item, or the closing bracket. A
// comma before the closing bracket is allowed. closed is true if the bracket
// was read.
func (r *reader) separator(off int, bracket byte) (next int, closed, ok bool) {
	if off, closed = r.skipToClosing(off, bracket); closed {
		return off, true, true
	}
	if off == len(r.line) || r.line[off] != ',' {
		return 0, false, false
	}
	next, closed = r.skipToClosing(off+1, bracket)
	return next, closed, true
}

// flowValue reads one value within a flow collection.
func (r *reader) flowValue(v *wire.Value, off, depth int) (end int, ok bool) {
	text := r.line[off:]
	switch c := text[0]; {
	case c == '[' || c == '{':
		return r.flow(v, off, depth+1)
	case c == '"' || c == '\'':
		n, closed, ok := closingQuote(text[1:], c)
		if !ok || !closed {
			return 0, false
		}
		v.Kind, v.Pos, v.End = wire.String, r.pos(off), r.pos(off+n+1)
		v.Text = unquote(text[1:n], c)
		return off + n + 1, true
	case !plainByte(c) || isDash(text):
		return 0, false
	}
	n := flowPlain(text)
	if wire.IsInfinite(text[:n]) {
		return 0, false
	}
	v.Pos, v.End = r.pos(off), r.pos(off+n)
	v.Kind, v.Text = wire.Plain(text[:n])
	return off + n, true
}

// flowPlain returns the length of a plain scalar within a flow collection.
func flowPlain(text string) int {
	n := 0
	for n < len(text) && (plainByte(text[n]) || (text[n] == ' ' || text[n] == ':' && n > 0) && n+1 < len(text) && plainByte(text[n+1])) {
		n++
	}
	return n
}
