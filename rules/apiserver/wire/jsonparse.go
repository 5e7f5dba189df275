package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parser parses JSON. encoding/json reports neither the positions of values nor
// reliable positions of errors.
type parser struct {
	data         []byte
	text         string // data as a string; strings without escapes are substrings of it
	off          int
	dup          func(Duplicate)
	dups         int  // duplicates reported so far
	keepRepeated bool // whether to keep repeated fields

	// line is the line of data[off], and lineStart is the offset of its first
	// byte. wide is the number of bytes between lineStart and off that do not
	// count as columns, because they continue a character.
	line, lineStart, wide int

	steps  []step // the path of the current value
	values int
	slab   []Value
	// openFields and openItems are the fields and items of all maps and lists
	// that are not yet complete, those of the innermost last.
	openFields []Field
	openItems  []*Value
}

func newParser(data []byte, firstLine int) *parser {
	return &parser{data: data, text: string(data), line: firstLine}
}

// step is one step of a path: a field if isField is set, else an item of a list.
type step struct {
	name    string
	isField bool
	item    int
}

// position returns the position of data[off].
func (p *parser) position() Pos {
	return Pos{Line: p.line, Column: p.off - p.lineStart - p.wide + 1}
}

func (p *parser) errorAt(off int, format string, args ...any) error {
	at := Pos{Line: p.line, Column: utf8.RuneCount(p.data[p.lineStart:off]) + 1}
	return &SyntaxError{Msg: fmt.Sprintf(format, args...), Offset: off, Pos: at}
}

// unexpected returns an error about the byte at p.off, or about the end of the
// text.
func (p *parser) unexpected(context string) error {
	if p.off >= len(p.data) {
		return p.errorAt(len(p.data), "unexpected end of JSON input")
	}
	// strconv escapes control characters.
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

// newValue returns a new Value. It allocates many values at a time, which halves
// the work of the garbage collector. All values of a document have the same
// lifetime.
func (p *parser) newValue() *Value {
	if len(p.slab) == 0 {
		p.slab = make([]Value, min(max(8, p.values), 256))
	}
	v := &p.slab[0]
	p.slab = p.slab[1:]
	return v
}

// document parses one value after optional white space.
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
	v.Pos = p.position()
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
		v.Text, err = p.stringValue()
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
	v.End = p.position()
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

// number parses a number by the grammar of RFC 8259 and returns its text.
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
	return p.text[start:p.off], nil
}

// digits skips digits. It returns false if there are none.
func (p *parser) digits() bool {
	start := p.off
	for p.off < len(p.data) && '0' <= p.data[p.off] && p.data[p.off] <= '9' {
		p.off++
	}
	return p.off > start
}

func (p *parser) items(list *Value, depth int) error {
	p.off++ // skip [
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
			list.Items = slices.Clone(p.openItems[from:])
			p.openItems = p.openItems[:from]
			return nil
		}
	}
}

func (p *parser) fields(m *Value, depth int) error {
	p.off++ // skip {
	from := len(p.openFields)
	var index map[string]int // set if there are too many fields to search
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
		if !p.keepRepeated {
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
			m.SetFields(slices.Clone(p.openFields[from:]))
			p.openFields = p.openFields[:from]
			return nil
		}
	}
}

// findField returns the index in openFields of a field of the innermost map, or
// -1. from is the index of this map's first field.
func (p *parser) findField(name string, from int, index *map[string]int) int {
	fields := p.openFields[from:]
	if len(fields) <= maxLinearSearch {
		for i := range fields {
			if fields[i].Name == name {
				return from + i
			}
		}
		return -1
	}
	if *index == nil {
		*index = make(map[string]int, 4*maxLinearSearch)
	}
	for i := len(*index); i < len(fields); i++ {
		(*index)[fields[i].Name] = from + i
	}
	if i, ok := (*index)[name]; ok {
		return i
	}
	return -1
}

// field parses a name, the colon and the value.
func (p *parser) field(depth int) (Field, error) {
	p.space()
	if p.off >= len(p.data) || p.data[p.off] != '"' {
		return Field{}, p.unexpected("looking for beginning of object key string")
	}
	f := Field{Pos: p.position()}
	var err error
	if f.Name, err = p.stringValue(); err != nil {
		return Field{}, err
	}
	f.End = p.position()
	if p.space(); p.off >= len(p.data) || p.data[p.off] != ':' {
		return Field{}, p.unexpected("after object key")
	}
	p.off++
	p.steps = append(p.steps, step{name: f.Name, isField: true})
	if f.Value, err = p.value(depth); err != nil {
		return Field{}, err
	}
	p.steps = p.steps[:len(p.steps)-1]
	return f, nil
}

// Limits for duplicates. Every field can be a duplicate, with a path as long as
// the document. Without limits, a document of a megabyte could need terabytes.
const (
	maxDuplicates    = 10_000
	maxDuplicatePath = 1024
)

// duplicate reports a field that repeats an earlier field. first is the position
// of the earlier field.
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

// path returns the path of the current value. It stops soon after
// maxDuplicatePath bytes.
func (p *parser) path() []byte {
	var path []byte
	for _, s := range p.steps {
		if s.isField {
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

// boundedPath returns the path of a duplicate as text, cut to maxDuplicatePath
// bytes.
func boundedPath(path []byte) string {
	if len(path) > maxDuplicatePath {
		path = append(path[:maxDuplicatePath:maxDuplicatePath], "…"...)
	}
	return strings.ToValidUTF8(string(path), "\uFFFD")
}

// appendPath appends a field name to a path, as Join does.
func appendPath(path []byte, name string) []byte {
	if strings.ContainsAny(name, "./[ ") {
		return append(append(append(path, '['), name...), ']')
	}
	if len(path) > 0 {
		path = append(path, '.')
	}
	return append(path, name...)
}
