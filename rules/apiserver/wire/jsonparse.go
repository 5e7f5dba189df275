package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parser reads JSON by hand: the tokens of encoding/json's Decoder have no
// start, its errors no reliable offset, and both are what a finding is made
// of. A fuzz test holds it to the values and refusals of encoding/json.
type parser struct {
	data  []byte
	off   int
	text  string // data as a string of which others are pieces; empty: they are not
	dup   func(Duplicate)
	dups  int      // told so far
	all   bool     // keep repeated fields
	leave []string // fields whose values are left out

	// line is that of data[off], and begins at lineStart; wide is how many bytes
	// of it before off are no characters of their own. A line ends in white space
	// only, and only strings have such bytes. Of the first line, before are the
	// characters in front of data.
	line, lineStart, wide, before int

	steps  []step // to the value being read
	values int
	slab   []Value
	room   Room // nil: memory of their own
	// open are the fields and items of what is being read, the innermost last.
	openFields []Field
	openItems  []*Value
	names      [64]string // some that were read: most come again
}

// step is a field, or else an item of a list.
type step struct {
	name  string
	field bool
	item  int
}

// here is the place of data[off].
func (p *parser) here() Pos {
	return Pos{Line: p.line, Column: p.off - p.lineStart - p.wide + 1}
}

func (p *parser) errorAt(off int, format string, args ...any) error {
	at := Pos{Line: p.line, Column: utf8.RuneCount(p.data[p.lineStart:off]) + 1}
	if p.lineStart == 0 {
		at.Column += p.before
	}
	return &SyntaxError{Msg: fmt.Sprintf(format, args...), Offset: off, Pos: at}
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
		case ' ', '\t', '\r':
			p.off++
		case '\n':
			p.off++
			p.line, p.lineStart, p.wide = p.line+1, p.off, 0
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
	p.values, p.steps = 0, p.steps[:0]
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
	v.Pos = p.here()
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
	v.End = p.here()
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
	return p.piece(start, p.off), nil
}

// digits skips one digit or more, and reports whether there was one.
func (p *parser) digits() bool {
	start := p.off
	for p.off < len(p.data) && '0' <= p.data[p.off] && p.data[p.off] <= '9' {
		p.off++
	}
	return p.off > start
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
	from, outer := len(p.openItems), len(p.steps)
	if p.space(); p.off < len(p.data) && p.data[p.off] == ']' {
		p.off++
		return nil
	}
	for {
		p.steps = append(p.steps[:outer], step{item: len(p.openItems) - from})
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
			p.steps = p.steps[:outer]
			list.Items = p.someItems(p.openItems[from:])
			p.openItems = p.openItems[:from]
			return nil
		}
	}
}

func (p *parser) fields(m *Value, depth int) error {
	p.off++ // {
	from := len(p.openFields)
	var index map[string]int // of the fields, once they are too many to search
	if p.space(); p.off < len(p.data) && p.data[p.off] == '}' {
		p.off++
		return nil
	}
	for {
		f, err := p.field(depth)
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

// field reads a name, its colon and its value.
func (p *parser) field(depth int) (Field, error) {
	p.space()
	if p.off >= len(p.data) || p.data[p.off] != '"' {
		return Field{}, p.unexpected("looking for beginning of object key string")
	}
	f := Field{Pos: p.here()}
	var err error
	if f.Name, err = p.name(); err != nil {
		return Field{}, err
	}
	f.End = p.here()
	if p.space(); p.off >= len(p.data) || p.data[p.off] != ':' {
		return Field{}, p.unexpected("after object key")
	}
	p.off++
	if len(p.leave) > 0 && slices.Contains(p.leave, f.Name) {
		p.space()
		f.Value = p.newValue()
		f.Value.Pos = p.here()
		p.pass(valueEnd(p.data, p.off))
		f.Value.End = p.here()
		return f, nil
	}
	p.steps = append(p.steps, step{name: f.Name, field: true})
	if f.Value, err = p.value(depth); err != nil {
		return Field{}, err
	}
	p.steps = p.steps[:len(p.steps)-1]
	return f, nil
}

// A Duplicate's path may be as long as the document, and there may be as many
// as it has fields; told in full, a megabyte of them would need terabytes.
const (
	maxDuplicates    = 10_000
	maxDuplicatePath = 1024
)

// duplicate tells that a field of the map being read repeats the one that stood at
// first.
func (p *parser) duplicate(f Field, first Pos) {
	if p.dup == nil || p.dups == maxDuplicates {
		return
	}
	p.dups++
	p.dup(Duplicate{
		Path: boundedPath(appendPath(p.path(), f.Name)),
		Name: f.Name,
		Pos:  f.Pos, End: f.End, First: first,
	})
}

// path is that of the value being read, up to what a duplicate's has of it.
func (p *parser) path() []byte {
	var path []byte
	for _, s := range p.steps {
		if s.field {
			path = appendPath(path, s.name[:min(len(s.name), maxDuplicatePath+1)])
		} else {
			path = append(strconv.AppendInt(append(path, '['), int64(s.item), 10), ']')
		}
		if len(path) > maxDuplicatePath {
			break
		}
	}
	return path
}

// boundedPath gives a duplicate's path as text.
func boundedPath(path []byte) string {
	if len(path) > maxDuplicatePath {
		path = append(path[:maxDuplicatePath:maxDuplicatePath], "…"...)
	}
	return strings.ToValidUTF8(string(path), "\uFFFD")
}

// appendPath is Join for a path that grows.
func appendPath(path []byte, name string) []byte {
	if strings.ContainsAny(name, "./[ ") {
		return append(append(append(path, '['), name...), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}
