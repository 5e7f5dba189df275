package yamltree

import (
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxDepth is the largest depth of nested collections that the reader supports.
// The YAML library reads deeper collections.
const maxDepth = 64

// Reader parses documents one after the other, and reuses its buffers. The zero
// value is ready to use. It is not safe for concurrent use.
type Reader struct {
	// Reuse makes each tree in the memory of the previous tree, which becomes
	// invalid. Its strings stay valid.
	Reuse bool

	reader reader
}

// reader parses the block style of nearly all manifests. It is ten times faster
// than the YAML library and returns equal trees; FuzzRead compares the two. Its
// methods return false for anything that it does not support, such as an
// anchor, a tag, a tab or a repeated key. The library then parses the whole
// document.
type reader struct {
	src  string // the document
	next int    // offset in src of the line after the current one

	line   string // the current line, without its line break
	number int    // number of the current line in the input
	indent int    // number of spaces at the beginning of the line
	ascii  bool   // the line has only ASCII characters
	// offset is where the next node begins in the line.
	offset int
	// unread is set if the line has a node that was not read yet.
	unread bool
	// blanks and comments are the numbers of blank lines and comments before the
	// current line.
	blanks, comments int

	fields []wire.Field  // fields of all open maps
	items  []*wire.Value // items of all open lists
	memory arena
	folded []byte // buffer for scalars of several lines
}

// Read parses a document without anchors, tags or other unusual syntax. ok is
// false for other documents and for broken documents. For a document without
// content, root is nil.
func Read(doc []byte, firstLine int) (root *wire.Value, ok bool) {
	return new(Reader).Read(doc, firstLine)
}

// Read is like the function Read, and reuses the Reader's memory.
func (p *Reader) Read(doc []byte, firstLine int) (root *wire.Value, ok bool) {
	r := &p.reader
	*r = reader{
		src: string(doc), number: firstLine - 1,
		fields: r.fields[:0], items: r.items[:0], folded: r.folded[:0], memory: r.memory,
	}
	r.memory.begin(len(doc), p.Reuse)
	defer func() { r.src, r.line = "", "" }()
	if !r.nextContent() || !r.skipMarker() {
		return nil, false
	}
	if !r.unread {
		return nil, true
	}
	if r.offset != 0 {
		return nil, false
	}
	root = &r.memory.values.take(1)[0]
	if !r.collection(root, 0) || !r.nextContent() || r.unread {
		return nil, false
	}
	return root, true
}

// skipMarker skips the marker line at the beginning of the document, if any.
func (r *reader) skipMarker() bool {
	if !r.unread || r.offset > 0 || !isMarker(r.line) {
		return true
	}
	r.unread = false
	return blankOrComment(r.line[3:]) && r.nextContent()
}

// nextLine goes to the next line. more is false at the end of the document. ok
// is false if the line has a character that only the library supports.
func (r *reader) nextLine() (more, ok bool) {
	if r.next >= len(r.src) {
		return false, true
	}
	rest := r.src[r.next:]
	n := strings.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
		r.next--
	}
	r.next += n + 1
	if n > 0 && rest[n-1] == '\r' {
		n--
	}
	r.line = rest[:n]
	r.number++
	r.indent = skipSpaces(r.line, 0)
	r.ascii, ok = printable(r.line)
	return true, ok
}

// nextContent goes to the next line with content, unless the current line is
// unread. At the end of the document, r.unread is false.
func (r *reader) nextContent() bool {
	if r.unread {
		return true
	}
	r.blanks, r.comments = 0, 0
	for {
		more, ok := r.nextLine()
		if !more {
			return true
		}
		rest := r.line[r.indent:]
		switch {
		case rest != "" && rest[0] == '#':
			if !ok && !printableExceptTabs(rest) {
				return false
			}
			r.comments++
		case !ok:
			return false
		case rest == "":
			r.blanks++
		case isEnd(r.line):
			return r.next == len(r.src) && blankOrComment(r.line[3:])
		default:
			r.offset, r.unread = r.indent, true
			return true
		}
	}
}

// pos returns the position of an offset in the current line.
func (r *reader) pos(off int) wire.Pos {
	if r.ascii {
		return wire.Pos{Line: r.number, Column: off + 1}
	}
	return wire.Pos{Line: r.number, Column: utf8.RuneCountInString(r.line[:off]) + 1}
}

// null returns a null at an offset in the current line, for a field or an item
// without a value.
func (r *reader) null(off int) *wire.Value {
	v := &r.memory.values.take(1)[0]
	v.Pos = r.pos(off)
	v.End = v.Pos
	return v
}

// collection reads the map or list that begins at r.offset into v.
func (r *reader) collection(v *wire.Value, depth int) bool {
	if depth == maxDepth {
		return false
	}
	v.Pos = r.pos(r.offset)
	v.End = v.Pos
	if isDash(r.line[r.offset:]) {
		return r.blockList(v, depth)
	}
	return r.blockMap(v, depth)
}

// blockMap reads the fields of a map. All fields begin in the same column.
func (r *reader) blockMap(v *wire.Value, depth int) bool {
	column, from := r.offset, len(r.fields)
	var names nameSet
	for r.unread && r.offset == column {
		rest := r.line[r.offset:]
		name, colon, ok := scanKey(rest, true)
		if !ok {
			return false
		}
		if name, ok = fieldName(rest, name); !ok || names.repeated(r.fields[from:], name) {
			return false
		}
		value := r.null(r.offset + colon)
		r.fields = append(r.fields, wire.Field{Name: name, Pos: r.pos(r.offset), End: r.pos(r.offset + colon - 1), Value: value})
		if !r.fieldValue(value, colon, column, depth) || !r.nextContent() {
			return false
		}
	}
	if r.unread && r.offset > column {
		return false
	}
	v.Kind = wire.Map
	v.SetFields(r.memory.fields.copyOf(r.fields[from:]))
	r.fields = r.fields[:from]
	return true
}

// fieldValue reads the value of a field whose key begins in a column. colon is
// the length of the key and its colon.
func (r *reader) fieldValue(v *wire.Value, colon, column, depth int) bool {
	if off := skipSpaces(r.line, r.offset+colon); off < len(r.line) && r.line[off] != '#' {
		r.offset = off
		return r.scalar(v, column)
	}
	r.unread = false
	if !r.nextContent() {
		return false
	}
	switch {
	case !r.unread || r.offset < column:
	case r.offset > column:
		return r.nested(v, column, depth)
	case isDash(r.line[r.offset:]): // a list can begin in the column of its key
		v.Pos = r.pos(r.offset)
		v.End = v.Pos
		return depth+1 < maxDepth && r.blockList(v, depth+1)
	}
	return true
}

// blockList reads the items of a list. All dashes are in the same column.
func (r *reader) blockList(v *wire.Value, depth int) bool {
	column, from := r.offset, len(r.items)
	for r.unread && r.offset == column && isDash(r.line[r.offset:]) {
		item := r.null(r.offset + 1)
		r.items = append(r.items, item)
		if !r.item(item, column, depth) || !r.nextContent() {
			return false
		}
	}
	if r.unread && r.offset > column {
		return false
	}
	v.Kind = wire.List
	v.Items = r.memory.items.copyOf(r.items[from:])
	r.items = r.items[:from]
	return true
}

// item reads the value after a dash in a column.
func (r *reader) item(v *wire.Value, column, depth int) bool {
	off := skipSpaces(r.line, column+1)
	if off == len(r.line) || r.line[off] == '#' {
		r.unread = false
		if !r.nextContent() {
			return false
		}
		if r.unread && r.offset > column {
			return r.nested(v, column, depth)
		}
		return true
	}
	r.offset = off
	return r.nested(v, column, depth)
}

// nested reads the node at r.offset as the value of a field or an item. column
// is the column of the key or dash.
func (r *reader) nested(v *wire.Value, column, depth int) bool {
	rest := r.line[r.offset:]
	if isDash(rest) {
		return r.collection(v, depth+1)
	}
	if _, _, isKey := scanKey(rest, true); isKey {
		return r.collection(v, depth+1)
	}
	return r.scalar(v, column)
}

// nameSet finds repeated keys in a map.
type nameSet struct{ names map[string]bool }

// fewFields is the number of fields up to which a linear search is faster than
// a Go map.
const fewFields = 16

// repeated reports whether one of the fields has this name. It must be called
// before each field is added.
func (s *nameSet) repeated(fields []wire.Field, name string) bool {
	if len(fields) <= fewFields {
		for i := range fields {
			if fields[i].Name == name {
				return true
			}
		}
		return false
	}
	if s.names == nil {
		s.names = make(map[string]bool, 4*fewFields)
		for i := range fields {
			s.names[fields[i].Name] = true
		}
	}
	if s.names[name] {
		return true
	}
	s.names[name] = true
	return false
}
