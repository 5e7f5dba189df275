package manifestlint

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
	"unsafe"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// A builder makes the tree of a regular document while a skimmer reads it: an
// order of magnitude faster than the parser, and the same to the last column.
// FuzzSkim holds it to that. What needs a parser's care it leaves to the parser.
//
// The zero value is ready. It can make one tree after the other; how long they
// last is for who has it to say, see room.
type builder struct {
	firstLine int
	line      []byte // the line that the skimmer is on
	number    int    // its number in the document
	known     int    // the number of the line that narrow is about
	narrow    bool   // it is ASCII, so that columns are offsets

	stack  []collection  // what is open, the innermost last
	fields []wire.Field  // of the maps that are open, as far as they are read
	items  []*wire.Value // of the lists
	slot   *wire.Value   // what the next value becomes; nil: the root
	root   *wire.Value
	bad    bool // the parser is needed
	fold   fold

	anchors []anchored

	doc  []byte
	text string // doc, of which keys and values are pieces
	room room
	most int // the size of the room's slabs
}

// collection is a map or a list that is open.
type collection struct {
	v    *wire.Value
	from int // where its fields or items begin
}

// build gives the tree of a document that was skimmed as regular, or nil where
// only the parser can make it.
func (s *skimmer) build(doc []byte, firstLine int) *wire.Value {
	return s.buildBy(&builder{most: smallSlab}, doc, firstLine)
}

// buildBy is build with a builder whose earlier trees may last or not.
func (s *skimmer) buildBy(b *builder, doc []byte, firstLine int) *wire.Value {
	b.begin(doc, firstLine, s.lasting)
	s.b = b
	ok := s.skim(doc)
	s.b, s.leave.b = nil, nil
	return b.end(ok)
}

// rebuild is build for a document that was skimmed before and found regular.
// lasting says that nobody writes to its memory, ever, so that the tree may
// refer to it.
func (s *skimmer) rebuild(doc []byte, firstLine int, lasting bool) *wire.Value {
	return s.rebuildBy(&builder{most: smallSlab}, doc, firstLine, lasting)
}

// rebuildBy is rebuild with a builder as buildBy has it.
func (s *skimmer) rebuildBy(b *builder, doc []byte, firstLine int, lasting bool) *wire.Value {
	s.proven, s.lasting = true, lasting
	root := s.buildBy(b, doc, firstLine)
	s.proven, s.lasting = false, false
	return root
}

// begin makes ready for a document. lasting says that nobody writes to its
// memory, ever.
func (b *builder) begin(doc []byte, firstLine int, lasting bool) {
	b.firstLine, b.doc, b.number, b.known = firstLine, doc[:len(doc):len(doc)], 0, 0
	b.stack, b.fields, b.items, b.anchors = b.stack[:0], b.fields[:0], b.items[:0], b.anchors[:0]
	b.slot, b.root, b.bad = nil, nil, false
	b.fold.v, b.fold.more, b.fold.escape = nil, false, false
	if lasting && len(doc) > 0 {
		b.text = unsafe.String(&doc[0], len(doc))
	} else {
		b.text = string(doc)
	}
}

// end gives the tree; nil if there is none because the document could not be
// read to its end.
func (b *builder) end(ok bool) *wire.Value {
	b.fold.close()
	b.close(0)
	b.placeAnchored()
	root := b.root
	b.doc, b.text, b.line, b.slot, b.root = nil, "", nil, nil, nil
	if !ok || b.bad {
		return nil
	}
	return root
}

// at gives the place of an offset in the line.
func (b *builder) at(off int) wire.Pos {
	if b.known != b.number {
		b.known, b.narrow = b.number, isASCII(b.line)
	}
	column := off + 1
	if !b.narrow {
		column = utf8.RuneCount(b.line[:off]) + 1
	}
	return wire.Pos{Line: b.number + b.firstLine - 1, Column: column}
}

// isASCII reports whether a text is ASCII, eight bytes at a time.
func isASCII(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// offset gives where the rest of the line begins.
func (b *builder) offset(rest []byte) int { return len(b.line) - len(rest) }

// open begins a collection at an offset of the line.
func (b *builder) open(off int, list bool) {
	v := b.value()
	v.Pos = b.at(off)
	v.End = v.Pos
	b.push(v, list)
}

// push makes a collection of a value, whose fields or items follow.
func (b *builder) push(v *wire.Value, list bool) {
	from := len(b.fields)
	v.Kind = wire.Map
	if list {
		v.Kind, from = wire.List, len(b.items)
	}
	b.stack = append(b.stack, collection{v, from})
}

// value gives what the next value becomes: the null that a field or an item is
// until then.
func (b *builder) value() *wire.Value {
	if b.slot == nil {
		b.root = b.room.values.one(b.most)
		b.slot = b.root
	}
	return b.slot
}

// empty makes the null that a field or an item is until its value is read.
func (b *builder) empty(at wire.Pos) *wire.Value {
	v := b.room.values.one(b.most)
	v.Pos, v.End = at, at
	return v
}

// string gives a piece of the document's text without a copy of its own.
func (b *builder) string(piece []byte) string {
	// A piece of the document has the document's end, and so its capacity
	// tells where it begins.
	off := cap(b.doc) - cap(piece)
	if off < 0 || off+len(piece) > len(b.doc) || len(piece) == 0 || &b.doc[off] != &piece[0] {
		return string(piece)
	}
	return b.text[off : off+len(piece)]
}

// close ends all collections but the outermost n.
func (b *builder) close(n int) {
	for len(b.stack) > n {
		b.shut()
	}
}

// shut ends the innermost collection.
func (b *builder) shut() {
	c := b.stack[len(b.stack)-1]
	b.stack = b.stack[:len(b.stack)-1]
	if c.v.Kind == wire.List {
		read := b.items[c.from:]
		c.v.Items = b.room.items.some(len(read), b.most)
		copy(c.v.Items, read)
		b.items = b.items[:c.from]
		return
	}
	read := b.fields[c.from:]
	c.v.Fields = b.room.fields.some(len(read), b.most)
	copy(c.v.Fields, read)
	b.fields = b.fields[:c.from]
}

// item begins an item of the innermost list behind its dash.
func (b *builder) item(off int) {
	b.slot = b.empty(b.at(off))
	b.items = append(b.items, b.slot)
}

// field begins a field of the innermost map: rest is the line from its key on.
func (b *builder) field(rest []byte, key []byte, colon int) {
	off := b.offset(rest)
	name := b.string(key)
	if rest[0] != '"' && rest[0] != '\'' {
		if kind, text := wire.Plain(name); kind == wire.Null {
			name = "null"
		} else {
			name = text
		}
	}
	b.slot = b.empty(b.at(off + colon))
	b.fields = append(b.fields, wire.Field{Name: name, Pos: b.at(off), End: b.at(off + colon - 1), Value: b.slot})
}

// scalar makes the value that begins a text at the end of the line, unless it
// is a block.
func (b *builder) scalar(val []byte) {
	off := b.offset(val)
	switch val[0] {
	case '|', '>':
		return
	case '[', '{':
		b.flow(val)
	case '"', '\'':
		n, closed, _ := closeQuote(val[1:], val[0])
		v := b.value()
		v.Kind, v.Pos = wire.String, b.at(off)
		if !closed {
			v.End = wire.Pos{}
			return // quoted gives its lines
		}
		v.Text, v.End = b.unquote(val[1:n], val[0]), b.at(off+n+1)
	default:
		text := val
		for from := 1; from < len(text); {
			n := bytes.IndexByte(text[from:], '#')
			if n < 0 {
				break
			}
			if from += n; text[from-1] == ' ' {
				text = text[:from]
			}
			from++
		}
		for len(text) > 0 && text[len(text)-1] == ' ' {
			text = text[:len(text)-1]
		}
		v := b.value()
		b.plain(v, text, off)
		b.fold.first(v, text)
	}
}

// plain makes a value of a plain scalar at an offset of the line.
func (b *builder) plain(v *wire.Value, text []byte, off int) {
	v.Pos, v.End = b.at(off), b.at(off+len(text))
	v.Kind, v.Text = wire.Plain(b.string(text))
}

// unquote gives the value of a quoted scalar on one line.
func (b *builder) unquote(text []byte, quote byte) string {
	if bytes.IndexByte(text, escapeOf(quote)) < 0 {
		return b.string(text)
	}
	return unquote(text, quote)
}

// unquote undoes the escapes of a quoted scalar on one line.
func unquote(text []byte, quote byte) string {
	if quote == '\'' {
		return string(bytes.ReplaceAll(text, []byte("''"), []byte("'")))
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' {
			i++
			switch c = text[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// flow makes a flow collection, which the skimmer has read already, and gives
// the offset after it.
func (b *builder) flow(val []byte) int {
	v := b.value()
	v.Pos = b.at(b.offset(val))
	v.End = v.Pos
	list := val[0] == '['
	b.push(v, list)
	shut := byte(']')
	if !list {
		shut = '}'
	}
	i := skipSpaces(val, 1)
	for i < len(val) && val[i] != shut {
		if list {
			b.item(b.offset(val[i:]))
		} else {
			key, colon, _ := scanKey(val[i:], false)
			b.field(val[i:], key, colon)
			i = skipSpaces(val, i+colon)
		}
		i = skipSpaces(val, i+b.flowItem(val[i:]))
		if i < len(val) && val[i] == ',' {
			i = skipSpaces(val, i+1)
		}
	}
	b.shut()
	return i + 1
}

// flowItem makes one value within a flow collection and gives the offset after
// it.
func (b *builder) flowItem(val []byte) int {
	off := b.offset(val)
	switch c := val[0]; c {
	case '[', '{':
		return b.flow(val)
	case '"', '\'':
		n, _, _ := closeQuote(val[1:], c)
		v := b.value()
		v.Kind, v.Pos, v.End = wire.String, b.at(off), b.at(off+n+1)
		v.Text = b.unquote(val[1:n], c)
		return n + 1
	}
	n := flowPlain(val)
	b.plain(b.value(), val[:n], off)
	return n
}

// escapeOf is the byte that begins the escapes of a quoted scalar.
func escapeOf(quote byte) byte {
	if quote == '"' {
		return '\\'
	}
	return quote
}
