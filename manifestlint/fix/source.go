package fix

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Source is the text of one document, which contains the objects to fix.
type Source struct {
	// Data is the text; nil if the text cannot be edited. It begins at Line and
	// Column of the input.
	Data         []byte
	Line, Column int
	// JSON is set if Data is JSON.
	JSON bool
	// Root is the tree of Data if its objects are items of a list.
	Root *wire.Value
	// Literal is set if Data is in a string of another document. Line then counts
	// from the beginning of the string.
	Literal *Literal
	// Budget is the number of bytes that may still be parsed to fix the document.
	Budget int
	index  *text // index of Data's lines; made when first needed
}

// Object is an object of a Source.
type Object struct {
	Root *wire.Value
	// Listed is set if the object is an item of a list.
	Listed bool
}

var (
	errNoText   = &Refusal{"its text is not in a file"}
	errListed   = &Refusal{"its list says what it is"}
	errTooLarge = &Refusal{"the document is too large"}
)

// Edits returns the edits of a file that apply the steps to an object. An error
// is a *Refusal.
func (s *Source) Edits(file string, o Object, steps []conversion.Step) ([]rules.Edit, error) {
	p, err := s.part(o)
	if err != nil {
		return nil, err
	}
	if s.Budget -= len(p.text) * (len(steps) + 2); s.Budget < 0 {
		return nil, errTooLarge
	}
	d := Document{Text: p.text, JSON: s.JSON, At: p.path}
	edits, err := d.Edits(steps)
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	if s.Literal != nil {
		e, err := s.Literal.edit(p.pos.Line, edits)
		e.File = file
		return []rules.Edit{e}, err
	}
	t := newText(p.text)
	all := make([]rules.Edit, 0, len(edits))
	for _, e := range edits {
		from, to := inInput(p.pos, t.pos(e.Start)), inInput(p.pos, t.pos(e.End))
		all = append(all, rules.Edit{File: file, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: e.New})
	}
	return all, nil
}

// inInput converts a position in a text to a position in the input. begin is
// the position in the input where the text begins.
func inInput(begin, at wire.Pos) wire.Pos {
	if at.Line == 1 {
		at.Column += begin.Column - 1
	}
	at.Line += begin.Line - 1
	return at
}

// part is the text that contains one object.
type part struct {
	text []byte
	// pos is the position in the input where text begins.
	pos wire.Pos
	// path is the path of the object in text.
	path conversion.Path
}

// part returns the text of an object, if possible without anything else.
func (s *Source) part(o Object) (part, error) {
	wholeText := part{text: s.Data, pos: wire.Pos{Line: s.Line, Column: s.Column}}
	switch {
	case s.Data == nil:
		return part{}, errNoText
	case !o.Listed:
		return wholeText, nil
	case o.Root.Get("apiVersion") == nil || o.Root.Get("kind") == nil:
		return part{}, errListed
	}
	start, ok := s.offset(o.Root.Pos)
	if !ok {
		return part{}, errNoText
	}
	if s.JSON {
		end, ok := s.offset(o.Root.End)
		if !ok || end < start {
			return part{}, errNoText
		}
		return part{text: s.Data[start:end], pos: o.Root.Pos}, nil
	}
	if text := s.itemText(start); text != nil {
		return part{text: text, pos: wire.Pos{Line: o.Root.Pos.Line, Column: 1}}, nil
	}
	if end := flowEnd(s.Data, start); end > 0 && isAlone(s.Data[start:end], o.Root) {
		return part{text: s.Data[start:end], pos: o.Root.Pos}, nil
	}
	if wholeText.path, ok = itemPath(s.Root, o.Root, 0); ok {
		return wholeText, nil
	}
	return part{}, errNoText
}

// flowEnd returns the end of the flow map that begins at an offset; 0 if the
// map has several lines or unsupported syntax.
func flowEnd(src []byte, start int) int {
	depth := 0
	for i := start; i < len(src); i++ {
		switch c := src[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			for i++; i < len(src) && src[i] != c; i++ {
				if c == '"' && src[i] == '\\' {
					i++
				}
			}
		case '\n', '&', '*', '#':
			return 0
		}
		if depth == 0 {
			return 0
		}
	}
	return 0
}

// isAlone reports whether a text contains only this object. A fix then parses
// only this text. With many objects on one line, parsing the whole line for
// each of them would take quadratic time.
func isAlone(text []byte, object *wire.Value) bool {
	root, duplicates, err := parseYAML(text, 1)
	return err == nil && len(duplicates) == 0 && conversion.Equal(root, object)
}

// maxListDepth is the largest depth of nested lists whose items are fixed. Each
// object is searched in these lists.
const maxListDepth = 16

// itemPath returns the path of an item in a list or in a list within it. It
// returns false if it is not found.
func itemPath(list, item *wire.Value, depth int) (conversion.Path, bool) {
	items := list.Get("items")
	if items == nil || depth > maxListDepth {
		return nil, false
	}
	for i, v := range items.Items {
		if v == item {
			return conversion.Fields("items").Item(i), true
		}
		if rest, ok := itemPath(v, item, depth+1); ok {
			return slices.Concat(conversion.Fields("items").Item(i), rest), true
		}
	}
	return nil, false
}

// itemText returns the lines of a list's item as a document, with a space in
// place of the dash; nil if the item is not in block style. start is the offset
// of the item's map.
func (s *Source) itemText(start int) []byte {
	from := s.index.lineStart(start)
	lead := s.Data[from:start]
	if len(bytes.Trim(lead, " -")) > 0 || bytes.IndexByte([]byte("\x00{&!"), s.index.byteAt(start)) >= 0 {
		return nil
	}
	end := s.index.nextLine(start)
	for end < len(s.Data) {
		next := s.index.nextLine(end)
		line := s.Data[end:next]
		rest := bytes.TrimLeft(line, " ")
		if len(bytes.TrimSpace(rest)) > 0 && len(line)-len(rest) < len(lead) {
			break
		}
		end = next
	}
	text := bytes.Clone(s.Data[from:end])
	copy(text, bytes.Repeat([]byte(" "), len(lead)))
	return text
}

// offset converts a position in the input to an offset in Data.
func (s *Source) offset(at wire.Pos) (int, bool) {
	if s.index == nil {
		t := newText(s.Data)
		s.index = &t
	}
	if at.Line == s.Line {
		at.Column -= s.Column - 1
	}
	at.Line -= s.Line - 1
	off, err := s.index.offset(at)
	return off, err == nil
}
