package wire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parser reads JSON by hand: the tokens of encoding/json's Decoder have no
// start, its errors no reliable offset, and both are what a finding is made
// of. A fuzz test holds it to the values and refusals of encoding/json.
type parser struct {
	data []byte
	off  int
	dup  func(Duplicate)
	dups int  // told so far
	all  bool // keep repeated fields

	// line and column are the place of data[seen]. Offsets are asked for in
	// ascending order, so that each byte is counted once.
	seen, line, column int

	path   []byte // the server's notation of the value being read
	values int
	slab   []Value
	room   Room // nil: memory of their own
	// open are the fields and items of what is being read, the innermost last.
	openFields []Field
	openItems  []*Value
}

// pos is the place of the byte at off, which must not be before an earlier one.
func (p *parser) pos(off int) Pos {
	for p.seen < off {
		switch c := p.data[p.seen]; {
		case c == '\n':
			p.line++
			p.column = 1
			p.seen++
		case c < utf8.RuneSelf:
			p.column++
			p.seen++
		default:
			_, n := utf8.DecodeRune(p.data[p.seen:])
			p.column++
			p.seen += n
		}
	}
	return Pos{Line: p.line, Column: p.column}
}

func (p *parser) errorAt(off int, format string, args ...any) error {
	return &SyntaxError{Msg: fmt.Sprintf(format, args...), Offset: off, Pos: p.pos(off)}
}

// unexpected blames the byte at p.off, or the end.
func (p *parser) unexpected(context string) error {
	if p.off >= len(p.data) {
		return p.errorAt(len(p.data), "unexpected end of JSON input")
	}
	// strconv quotes what a terminal would not survive.
	return p.errorAt(p.off, "invalid character %s %s", strconv.QuoteRune(rune(p.data[p.off])), context)
}

func (p *parser) space() {
	for p.off < len(p.data) {
		switch p.data[p.off] {
		case ' ', '\t', '\r', '\n':
			p.off++
		default:
			return
		}
	}
}

// newValue hands out Values from slabs, which halves the work of the garbage
// collector: a document's values live and die together.
func (p *parser) newValue() *Value {
	if p.room != nil {
		return p.room.Value()
	}
	if len(p.slab) == 0 {
		p.slab = make([]Value, min(max(8, p.values), 256))
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	return v
}

// document reads one value from white space on.
func (p *parser) document() (*Value, error) {
	p.values, p.path = 0, p.path[:0]
	return p.value(0)
}

func (p *parser) value(depth int) (*Value, error) {
	p.space()
	if p.off >= len(p.data) {
		return nil, p.unexpected("")
	}
	if p.values++; p.values > maxValues {
		return nil, p.errorAt(p.off, "more than %d values in one document", maxValues)
	}
	v := p.newValue()
	v.Pos = p.pos(p.off)
	var err error
	switch c := p.data[p.off]; {
	case c == '{' || c == '[':
		if depth >= MaxDepth {
			return nil, p.errorAt(p.off, "exceeded max depth")
		}
		if c == '{' {
			v.Kind, err = Map, p.fields(v, depth+1)
		} else {
			v.Kind, err = List, p.items(v, depth+1)
		}
	case c == '"':
		v.Kind = String
		v.Text, err = p.str()
	case c == '-' || '0' <= c && c <= '9':
		v.Kind = Number
		v.Text, err = p.number()
	case c == 't':
		v.Kind, v.Text, err = Bool, "true", p.literal("true")
	case c == 'f':
		v.Kind, v.Text, err = Bool, "false", p.literal("false")
	case c == 'n':
		err = p.literal("null")
	default:
		err = p.unexpected("looking for beginning of value")
	}
	if err != nil {
		return nil, err
	}
	v.End = p.pos(p.off)
	return v, nil
}

func (p *parser) literal(word string) error {
	for i := range len(word) {
		if p.off >= len(p.data) || p.data[p.off] != word[i] {
			return p.unexpected(fmt.Sprintf("in literal %s (expecting %s)", word, strconv.QuoteRune(rune(word[i]))))
		}
		p.off++
	}
	return nil
}

// number reads a number by the grammar of RFC 8259, and leaves its value to
// those who know what it is for.
func (p *parser) number() (string, error) {
	start := p.off
	if p.data[p.off] == '-' {
		p.off++
	}
	if p.off < len(p.data) && p.data[p.off] == '0' {
		p.off++
	} else if !p.digits() {
		return "", p.unexpected("in numeric literal")
	}
	if p.off < len(p.data) && p.data[p.off] == '.' {
		p.off++
		if !p.digits() {
			return "", p.unexpected("after decimal point in numeric literal")
		}
	}
	if p.off < len(p.data) && p.data[p.off]|0x20 == 'e' {
		p.off++
		if p.off < len(p.data) && (p.data[p.off] == '+' || p.data[p.off] == '-') {
			p.off++
		}
		if !p.digits() {
			return "", p.unexpected("in exponent of numeric literal")
		}
	}
	return string(p.data[start:p.off]), nil
}

// digits skips one digit or more, and reports whether there was one.
func (p *parser) digits() bool {
	start := p.off
	for p.off < len(p.data) && '0' <= p.data[p.off] && p.data[p.off] <= '9' {
		p.off++
	}
	return p.off > start
}

// str reads a string from its opening quote on.
func (p *parser) str() (string, error) {
	start := p.off
	p.off++
	plain := true
	for p.off < len(p.data) {
		switch c := p.data[p.off]; {
		case c == '"':
			p.off++
			if body := p.data[start+1 : p.off-1]; plain && utf8.Valid(body) {
				return string(body), nil
			}
			if !plain {
				// Go's escapes are JSON's, of those that Go has.
				if s, err := strconv.Unquote(string(p.data[start:p.off])); err == nil && utf8.ValidString(s) {
					return s, nil
				}
			}
			// Other escapes, lone surrogates and broken UTF-8 are encoding/json's.
			var s string
			if err := json.Unmarshal(p.data[start:p.off], &s); err != nil {
				return "", p.errorAt(start, "%s", err.Error())
			}
			return s, nil
		case c < ' ':
			return "", p.unexpected("in string literal")
		case c == '\\':
			plain = false
			p.off++
			if err := p.escape(); err != nil {
				return "", err
			}
		default:
			p.off++
		}
	}
	return "", p.unexpected("")
}

// escape reads what follows a backslash.
func (p *parser) escape() error {
	if p.off >= len(p.data) {
		return p.unexpected("")
	}
	switch p.data[p.off] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.off++
		return nil
	case 'u':
		p.off++
		for range 4 {
			if p.off >= len(p.data) || !isHex(p.data[p.off]) {
				return p.unexpected("in \\u hexadecimal character escape")
			}
			p.off++
		}
		return nil
	}
	return p.unexpected("in string escape code")
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// someFields gives fields that stay.
func (p *parser) someFields(open []Field) []Field {
	if p.room == nil {
		return append(make([]Field, 0, len(open)), open...)
	}
	fields := p.room.Fields(len(open))
	copy(fields, open)
	return fields
}

// someItems gives items that stay.
func (p *parser) someItems(open []*Value) []*Value {
	if p.room == nil {
		return append(make([]*Value, 0, len(open)), open...)
	}
	items := p.room.Items(len(open))
	copy(items, open)
	return items
}

func (p *parser) items(list *Value, depth int) error {
	p.off++ // [
	parent, from := len(p.path), len(p.openItems)
	if p.space(); p.off < len(p.data) && p.data[p.off] == ']' {
		p.off++
		return nil
	}
	for {
		p.path = append(strconv.AppendInt(append(p.path[:parent], '['), int64(len(p.openItems)-from), 10), ']')
		item, err := p.value(depth)
		if err != nil {
			return err
		}
		p.openItems = append(p.openItems, item)
		p.space()
		if p.off >= len(p.data) || p.data[p.off] != ',' && p.data[p.off] != ']' {
			return p.unexpected("after array element")
		}
		p.off++
		if p.data[p.off-1] == ']' {
			p.path = p.path[:parent]
			list.Items = p.someItems(p.openItems[from:])
			p.openItems = p.openItems[:from]
			return nil
		}
	}
}

func (p *parser) fields(m *Value, depth int) error {
	p.off++ // {
	parent, from := len(p.path), len(p.openFields)
	var index map[string]int // of the fields, once they are too many to search
	if p.space(); p.off < len(p.data) && p.data[p.off] == '}' {
		p.off++
		return nil
	}
	for {
		f, err := p.field(parent, depth)
		if err != nil {
			return err
		}
		at := -1
		if !p.all {
			at = p.findField(f.Name, from, &index)
		}
		if at < 0 {
			p.openFields = append(p.openFields, f)
		} else {
			first := p.openFields[at].Pos
			p.openFields[at] = f
			p.duplicate(f, first)
		}
		p.space()
		if p.off >= len(p.data) || p.data[p.off] != ',' && p.data[p.off] != '}' {
			return p.unexpected("after object key:value pair")
		}
		p.off++
		if p.data[p.off-1] == '}' {
			p.path = p.path[:parent]
			m.Fields = p.someFields(p.openFields[from:])
			p.openFields = p.openFields[:from]
			return nil
		}
	}
}

// findField gives where the field of a name stands among those of the innermost
// map, which begin at from; less than 0 if it does not.
func (p *parser) findField(name string, from int, index *map[string]int) int {
	fields := p.openFields[from:]
	if len(fields) <= searchable {
		for i := range fields {
			if fields[i].Name == name {
				return from + i
			}
		}
		return -1
	}
	if *index == nil {
		*index = make(map[string]int, 4*searchable)
	}
	for i := len(*index); i < len(fields); i++ {
		(*index)[fields[i].Name] = from + i
	}
	if i, ok := (*index)[name]; ok {
		return i
	}
	return -1
}

// field reads a name, its colon and its value, and leaves its path in p.path.
func (p *parser) field(parent, depth int) (Field, error) {
	p.space()
	if p.off >= len(p.data) || p.data[p.off] != '"' {
		return Field{}, p.unexpected("looking for beginning of object key string")
	}
	f := Field{Pos: p.pos(p.off)}
	var err error
	if f.Name, err = p.str(); err != nil {
		return Field{}, err
	}
	f.End = p.pos(p.off)
	if p.space(); p.off >= len(p.data) || p.data[p.off] != ':' {
		return Field{}, p.unexpected("after object key")
	}
	p.off++
	p.path = appendPath(p.path[:parent], f.Name)
	here := len(p.path)
	if f.Value, err = p.value(depth); err != nil {
		return Field{}, err
	}
	p.path = p.path[:here]
	return f, nil
}

// A Duplicate's path may be as long as the document, and there may be as many
// as it has fields; told in full, a megabyte of them would need terabytes.
const (
	maxDuplicates    = 10_000
	maxDuplicatePath = 1024
)

// duplicate tells that the field at p.path repeats the one that stood at first.
func (p *parser) duplicate(f Field, first Pos) {
	if p.dup == nil || p.dups == maxDuplicates {
		return
	}
	p.dups++
	p.dup(Duplicate{
		Path: boundedPath(p.path),
		Name: f.Name,
		Pos:  f.Pos, End: f.End, First: first,
	})
}

// boundedPath gives a duplicate's path as text.
func boundedPath(path []byte) string {
	if len(path) > maxDuplicatePath {
		path = append(path[:maxDuplicatePath:maxDuplicatePath], "…"...)
	}
	return strings.ToValidUTF8(string(path), "\uFFFD")
}

// appendPath is Join for the path that the parser carries along.
func appendPath(path []byte, name string) []byte {
	if strings.ContainsAny(name, "./[ ") {
		return append(append(append(path, '['), name...), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}
