package fix

import (
	"bytes"
	"slices"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Source is a document of an input: the text that objects are written in.
type Source struct {
	// Data is the text, nil if it cannot be edited. It begins at Line and Column
	// of the input.
	Data         []byte
	Line, Column int
	// JSON reports whether Data is JSON.
	JSON bool
	// Root is the tree of Data if its objects are items of a list.
	Root *wire.Value
	// Literal is set if Data is in a string of another document. Line then counts
	// from the start of the string.
	Literal *Literal
	// Budget is the number of bytes that may still be parsed to fix the document.
	Budget int
	index  *text // of Data, made on first use
}

// Object is an object of a Source.
type Object struct {
	Root *wire.Value
	// Listed reports whether it is an item of a list.
	Listed bool
}

var (
	errNoText   = &Refusal{"its text is not in a file"}
	errListed   = &Refusal{"its list says what it is"}
	errTooLarge = &Refusal{"the document is too large"}
)

// Edits returns the edits of a file that make the steps on an object. The error
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
		from, to := behind(p.pos, t.pos(e.Start)), behind(p.pos, t.pos(e.End))
		all = append(all, rules.Edit{File: file, Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: e.New})
	}
	return all, nil
}

// behind returns the position in the input of a position in a text that begins at
// another one.
func behind(begin, at wire.Pos) wire.Pos {
	if at.Line == 1 {
		at.Column += begin.Column - 1
	}
	at.Line += begin.Line - 1
	return at
}

// part is the text that an object is written in.
type part struct {
	text []byte
	// pos is where the text begins in the input.
	pos wire.Pos
	// path leads to the object in the text.
	path conversion.Path
}

// part returns the text of an object, as a document of its own if possible.
func (s *Source) part(o Object) (part, error) {
	whole := part{text: s.Data, pos: wire.Pos{Line: s.Line, Column: s.Column}}
	switch {
	case s.Data == nil:
		return part{}, errNoText
	case !o.Listed:
		return whole, nil
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
	if whole.path, ok = itemPath(s.Root, o.Root, 0); ok {
		return whole, nil
	}
	return part{}, errNoText
}

// flowEnd returns the end of the flow map that begins at an offset, or 0 if it
// spans lines or is not a plain one.
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

// isAlone reports whether a text is an object on its own. Parsing only this text
// for each fix keeps the time for a long line of objects proportional to it.
func isAlone(text []byte, object *wire.Value) bool {
	root, duplicates, err := parseYAML(text, 1)
	return err == nil && len(duplicates) == 0 && conversion.Equal(root, object)
}

// maxListDepth limits the lists in lists whose items are fixed: each object
// costs a search.
const maxListDepth = 16

// itemPath returns the path of an item of a list, or of a list in a list.
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

// itemText returns the lines of a list's item as a document: with a space in
// place of the dash. start is the offset of the item's map. The result is nil if
// the item is not in block style.
func (s *Source) itemText(start int) []byte {
	from := s.index.lineStart(start)
	lead := s.Data[from:start]
	if len(bytes.Trim(lead, " -")) > 0 || bytes.IndexByte([]byte("\x00{&!"), s.index.at(start)) >= 0 {
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

// offset returns the offset in Data of a position in the input.
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
