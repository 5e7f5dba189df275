package manifestlint

import (
	"bytes"
	"unicode/utf8"
	"unsafe"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// A builder makes the tree of a regular document while a skimmer reads it: an
// order of magnitude faster than the parser, and the same to the last column.
// FuzzBuild holds it to that. What would need a parser's care, such as an alias,
// it leaves to the parser.
type builder struct {
	firstLine int
	line      []byte // the line that the skimmer is on
	number    int    // its number in the document
	stack     []*wire.Value
	slot      **wire.Value // where the next value goes
	root      *wire.Value
	bad       bool // the parser is needed
	fold      fold
	doc       []byte
	text      string       // doc, of which keys and values are pieces
	slab      []wire.Value // room for values: a document has hundreds
}

// build gives the tree of a document that was skimmed as regular, or nil where
// only the parser can make it.
func (s *skimmer) build(doc []byte, firstLine int) *wire.Value {
	b := &builder{firstLine: firstLine, doc: doc[:len(doc):len(doc)]}
	if s.lasting && len(doc) > 0 {
		b.text = unsafe.String(&doc[0], len(doc))
	} else {
		b.text = string(doc)
	}
	b.slot = &b.root
	s.b = b
	ok := s.skim(doc)
	s.b, s.leave.b = nil, nil
	b.fold.close()
	if !ok || b.bad {
		return nil
	}
	return b.root
}

// rebuild is build for a document that was skimmed before and found regular.
// lasting says that nobody writes to its memory, ever, so that the tree may
// refer to it.
func (s *skimmer) rebuild(doc []byte, firstLine int, lasting bool) *wire.Value {
	s.proven, s.lasting = true, lasting
	root := s.build(doc, firstLine)
	s.proven, s.lasting = false, false
	return root
}

// tree gives the tree of a text that is one document, or nil where only the
// parser can make it.
func (s *skimmer) tree(text []byte) *wire.Value {
	root := s.build(text, 1)
	if root == nil || s.end != len(text) || s.head.empty {
		return nil
	}
	return root
}

// at gives the place of an offset in the line.
func (b *builder) at(off int) wire.Pos {
	return wire.Pos{Line: b.number + b.firstLine - 1, Column: utf8.RuneCount(b.line[:off]) + 1}
}

// offset gives where the rest of the line begins.
func (b *builder) offset(rest []byte) int { return len(b.line) - len(rest) }

// open begins a collection at an offset of the line.
func (b *builder) open(off int, list bool) {
	pos := b.at(off)
	v := b.set(wire.Value{Kind: wire.Map, Pos: pos, End: pos})
	if list {
		v.Kind = wire.List
		v.Items = make([]*wire.Value, 0, 2)
	} else {
		v.Fields = make([]wire.Field, 0, 2)
	}
	b.stack = append(b.stack, v)
}

// set gives the slot its value, in the place of the null that a field or an
// item has until then.
func (b *builder) set(v wire.Value) *wire.Value {
	if *b.slot == nil {
		*b.slot = b.value()
	}
	**b.slot = v
	return *b.slot
}

// value makes room for a value.
func (b *builder) value() *wire.Value {
	if len(b.slab) == cap(b.slab) {
		b.slab = make([]wire.Value, 0, min(max(8, 2*cap(b.slab)), 128))
	}
	b.slab = b.slab[:len(b.slab)+1]
	return &b.slab[len(b.slab)-1]
}

// empty makes the null that a field or an item is until its value is read.
func (b *builder) empty(at wire.Pos) *wire.Value {
	v := b.value()
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
func (b *builder) close(n int) { b.stack = b.stack[:n] }

// item begins an item of the innermost list behind its dash.
func (b *builder) item(off int) {
	list := b.stack[len(b.stack)-1]
	pos := b.at(off)
	list.Items = append(list.Items, b.empty(pos))
	b.slot = &list.Items[len(list.Items)-1]
}

// field begins a field of the innermost map: rest is the line from its key on.
func (b *builder) field(rest []byte, key []byte, colon int) {
	m := b.stack[len(b.stack)-1]
	m.Fields = append(m.Fields, b.fieldOf(rest, key, colon))
	b.slot = &m.Fields[len(m.Fields)-1].Value
}

func (b *builder) fieldOf(rest, key []byte, colon int) wire.Field {
	off := b.offset(rest)
	name := b.string(key)
	if rest[0] != '"' && rest[0] != '\'' {
		if kind, text := wire.Plain(name); kind == wire.Null {
			name = "null"
		} else {
			name = text
		}
	}
	pos := b.at(off + colon)
	return wire.Field{Name: name, Pos: b.at(off), End: b.at(off + colon - 1), Value: b.empty(pos)}
}

// scalar makes the value that begins a text at the end of the line, unless it
// is a block.
func (b *builder) scalar(val []byte) {
	off := b.offset(val)
	switch val[0] {
	case '|', '>':
		return
	case '[', '{':
		v, _ := b.flow(val)
		*b.slot = v
	case '"', '\'':
		n, closed, _ := closeQuote(val[1:], val[0])
		if !closed {
			b.set(wire.Value{Kind: wire.String, Pos: b.at(off)})
			return // quoted gives its lines
		}
		b.set(wire.Value{Kind: wire.String, Text: b.unquote(val[1:n], val[0]), Pos: b.at(off), End: b.at(off + n + 1)})
	default:
		text := val
		for i := 1; i < len(text); i++ {
			if text[i] == '#' && text[i-1] == ' ' {
				text = text[:i]
			}
		}
		text = bytes.TrimRight(text, " ")
		b.fold.first(b.set(b.plain(text, off)), text)
	}
}

func (b *builder) plain(text []byte, off int) wire.Value {
	v := wire.Value{Pos: b.at(off), End: b.at(off + len(text))}
	v.Kind, v.Text = wire.Plain(b.string(text))
	return v
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
func (b *builder) flow(val []byte) (*wire.Value, int) {
	v := &wire.Value{Kind: wire.List, Pos: b.at(b.offset(val)), Items: []*wire.Value{}}
	v.End = v.Pos
	shut := byte(']')
	if val[0] == '{' {
		v.Kind, v.Items, v.Fields, shut = wire.Map, nil, []wire.Field{}, '}'
	}
	i := skipSpaces(val, 1)
	for i < len(val) && val[i] != shut {
		var f wire.Field
		if v.Kind == wire.Map {
			key, colon, _ := scanKey(val[i:], false)
			f = b.fieldOf(val[i:], key, colon)
			i = skipSpaces(val, i+colon)
		}
		item, n := b.flowItem(val[i:])
		if v.Kind == wire.Map {
			f.Value = item
			v.Fields = append(v.Fields, f)
		} else {
			v.Items = append(v.Items, item)
		}
		i = skipSpaces(val, i+n)
		if i < len(val) && val[i] == ',' {
			i = skipSpaces(val, i+1)
		}
	}
	return v, i + 1
}

func (b *builder) flowItem(val []byte) (*wire.Value, int) {
	off := b.offset(val)
	switch c := val[0]; c {
	case '[', '{':
		return b.flow(val)
	case '"', '\'':
		n, _, _ := closeQuote(val[1:], c)
		return &wire.Value{Kind: wire.String, Text: b.unquote(val[1:n], c), Pos: b.at(off), End: b.at(off + n + 1)}, n + 1
	}
	n := flowPlain(val)
	v := b.plain(val[:n], off)
	return &v, n
}

// escapeOf is the byte that begins the escapes of a quoted scalar.
func escapeOf(quote byte) byte {
	if quote == '"' {
		return '\\'
	}
	return quote
}
