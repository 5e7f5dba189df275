package yamltree

import (
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxDepth is how deeply the reader follows nested collections. The YAML
// library reads deeper ones.
const maxDepth = 64

// Reader parses documents one after the other and reuses its buffers. The zero
// value is ready.
type Reader struct {
	// Reuse makes each tree in the memory of the one before, which is then
	// invalid. Strings stay valid.
	Reuse bool

	reader reader
}

// reader reads the block style in which nearly all manifests are written. It
// is an order of magnitude faster than the YAML library and makes the same
// tree, positions included; FuzzRead compares the two. Each method reports
// false if it meets something that it does not support, such as an anchor, a
// tag, a tab or a repeated key. The library then reads the whole document.
type reader struct {
	src  string // the document
	next int    // offset in src of the line after the current one

	line   string // the current line, without its line break
	number int    // its number in the input
	indent int    // the number of spaces that it begins with
	ascii  bool   // it has only ASCII characters
	// at is the offset in the line of the node to read next.
	at int
	// unread reports whether the line holds a node that was not read yet.
	unread bool
	// blanks and comments count the blank lines and the comments that were
	// skipped before the current line.
	blanks, comments int

	fields []wire.Field  // of all open maps
	items  []*wire.Value // of all open lists
	memory arena
	folded []byte // buffer for scalars that span lines
}

// Read is Parse for documents without anchors, tags and other unusual
// constructs. It reports false for the others and for broken documents. The
// root of a document without content is nil.
func Read(doc []byte, firstLine int) (root *wire.Value, ok bool) {
	return new(Reader).Read(doc, firstLine)
}

// Read is the function Read.
func (p *Reader) Read(doc []byte, firstLine int) (root *wire.Value, ok bool) {
	r := &p.reader
	*r = reader{
		src: string(doc), number: firstLine - 1,
		fields: r.fields[:0], items: r.items[:0], folded: r.folded[:0], memory: r.memory,
	}
	r.memory.begin(len(doc), p.Reuse)
	defer func() { r.src, r.line = "", "" }()
	if !r.content() || !r.marker() {
		return nil, false
	}
	if !r.unread {
		return nil, true
	}
	if r.at != 0 {
		return nil, false
	}
	root = &r.memory.values.take(1)[0]
	if !r.collection(root, 0) || !r.content() || r.unread {
		return nil, false
	}
	return root, true
}

// marker skips the line that marks the beginning of the document, if there is
// one.
func (r *reader) marker() bool {
	if !r.unread || r.at > 0 || !isMarker(r.line) {
		return true
	}
	r.unread = false
	return blankOrComment(r.line[3:]) && r.content()
}

// nextLine moves to the next line. more is false at the end of the document. ok is
// false if the line has a character that only the library handles.
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

// content makes the next line with content the current one, unless the
// current one is still unread. At the end of the document r.unread stays
// false.
func (r *reader) content() bool {
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
			if !ok && !tabsOnly(rest) {
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
			r.at, r.unread = r.indent, true
			return true
		}
	}
}

// pos is the position of an offset in the current line.
func (r *reader) pos(off int) wire.Pos {
	if r.ascii {
		return wire.Pos{Line: r.number, Column: off + 1}
	}
	return wire.Pos{Line: r.number, Column: utf8.RuneCountInString(r.line[:off]) + 1}
}

// null returns a null at an offset in the current line: the value of a field
// or an item for which no value follows.
func (r *reader) null(off int) *wire.Value {
	v := &r.memory.values.take(1)[0]
	v.Pos = r.pos(off)
	v.End = v.Pos
	return v
}

// collection reads the map or list that begins at r.at into v.
func (r *reader) collection(v *wire.Value, depth int) bool {
	if depth == maxDepth {
		return false
	}
	v.Pos = r.pos(r.at)
	v.End = v.Pos
	if isDash(r.line[r.at:]) {
		return r.blockList(v, depth)
	}
	return r.blockMap(v, depth)
}

// blockMap reads the fields of a map, all of which begin at the same column.
func (r *reader) blockMap(v *wire.Value, depth int) bool {
	column, from := r.at, len(r.fields)
	var names nameSet
	for r.unread && r.at == column {
		rest := r.line[r.at:]
		name, colon, ok := scanKey(rest, true)
		if !ok {
			return false
		}
		if name, ok = fieldName(rest, name); !ok || names.repeated(r.fields[from:], name) {
			return false
		}
		value := r.null(r.at + colon)
		r.fields = append(r.fields, wire.Field{Name: name, Pos: r.pos(r.at), End: r.pos(r.at + colon - 1), Value: value})
		if !r.fieldValue(value, colon, column, depth) || !r.content() {
			return false
		}
	}
	if r.unread && r.at > column {
		return false
	}
	v.Kind = wire.Map
	v.SetFields(r.memory.fields.copyOf(r.fields[from:]))
	r.fields = r.fields[:from]
	return true
}

// fieldValue reads the value of a field whose key begins at a column. colon
// is the length of the key with its colon.
func (r *reader) fieldValue(v *wire.Value, colon, column, depth int) bool {
	if off := skipSpaces(r.line, r.at+colon); off < len(r.line) && r.line[off] != '#' {
		r.at = off
		return r.scalar(v, column)
	}
	r.unread = false
	if !r.content() {
		return false
	}
	switch {
	case !r.unread || r.at < column:
	case r.at > column:
		return r.below(v, column, depth)
	case isDash(r.line[r.at:]): // a list may begin at the column of its key
		v.Pos = r.pos(r.at)
		v.End = v.Pos
		return depth+1 < maxDepth && r.blockList(v, depth+1)
	}
	return true
}

// blockList reads the items of a list, all of whose dashes are at the same
// column.
func (r *reader) blockList(v *wire.Value, depth int) bool {
	column, from := r.at, len(r.items)
	for r.unread && r.at == column && isDash(r.line[r.at:]) {
		item := r.null(r.at + 1)
		r.items = append(r.items, item)
		if !r.item(item, column, depth) || !r.content() {
			return false
		}
	}
	if r.unread && r.at > column {
		return false
	}
	v.Kind = wire.List
	v.Items = r.memory.items.copyOf(r.items[from:])
	r.items = r.items[:from]
	return true
}

// item reads the value behind a dash at a column.
func (r *reader) item(v *wire.Value, column, depth int) bool {
	off := skipSpaces(r.line, column+1)
	if off == len(r.line) || r.line[off] == '#' {
		r.unread = false
		if !r.content() {
			return false
		}
		if r.unread && r.at > column {
			return r.below(v, column, depth)
		}
		return true
	}
	r.at = off
	return r.below(v, column, depth)
}

// below reads the node at r.at, which belongs to a field or an item at a
// column.
func (r *reader) below(v *wire.Value, column, depth int) bool {
	rest := r.line[r.at:]
	if isDash(rest) {
		return r.collection(v, depth+1)
	}
	if _, _, isKey := scanKey(rest, true); isKey {
		return r.collection(v, depth+1)
	}
	return r.scalar(v, column)
}

// nameSet finds repeated names in a map.
type nameSet struct{ names map[string]bool }

// fewFields is the number of fields up to which a linear search is faster
// than a map.
const fewFields = 16

// repeated reports whether one of the fields has a name. It must be called
// for each field of the map in turn.
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
