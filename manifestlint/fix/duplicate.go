package fix

import (
	"bytes"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// RemoveDuplicate returns the fix for a repeated key in a YAML document. It
// removes the first of the two fields, which parsers ignore. The fix is safe if
// both fields have the same value. The result is nil if the first field shares
// a line with other text, or has a comment.
//
// root is the tree of the document, and duplicates is the number of repeated
// keys in it.
func (s *Source) RemoveDuplicate(file string, root *wire.Value, duplicates int, dup *wire.Duplicate) *rules.CodeFix {
	if s.Data == nil || s.JSON || s.Literal != nil {
		return nil
	}
	if s.Budget -= 16 * len(s.Data); s.Budget < 0 { // the YAML library is slower than the fast parser
		return nil
	}
	if bytes.IndexByte(s.Data, '&') >= 0 {
		return nil
	}
	t := newText(s.Data)
	lines, last := t.fieldLines(dup.First.Line-s.Line, dup.First.Column-1)
	if lines.from == lines.to || dup.Pos.Line <= last+s.Line {
		return nil
	}
	field := s.Data[lines.from:lines.to]
	if bytes.HasPrefix(bytes.TrimLeft(field, " "), []byte("#")) || bytes.Contains(field, []byte(" #")) || bytes.Contains(field, []byte("\t#")) {
		return nil
	}
	without := append(bytes.Clone(s.Data[:lines.from]), s.Data[lines.to:]...)
	after, left, err := parseYAML(without, s.Line)
	if err != nil || len(left) >= duplicates || !conversion.Equal(after, root) {
		return nil
	}
	return &rules.CodeFix{
		Message: "remove the one that does not count",
		Safe:    conversion.Equal(onlyValue(field, dup.Name), valueOf(root, dup.Pos, 0)),
		Edits:   []rules.Edit{{File: file, Line: dup.First.Line, Column: 1, EndLine: last + s.Line + 1, EndColumn: 1}},
	}
}

// fieldLines returns the lines of a field in a block style map, and the index
// of the last line. line is the index of the key's line, and indent the
// indentation of the map. lines is empty if other text is before the key on its
// line.
func (t *text) fieldLines(line, indent int) (lines extent, last int) {
	from := t.line(line)
	if lead := t.src[from:min(from+indent, len(t.src))]; len(lead) < indent || len(bytes.Trim(lead, " ")) > 0 {
		return extent{from, from}, line
	}
	to, last := t.line(line+1), line
	for n := line + 1; t.line(n) < len(t.src); n++ {
		text := bytes.TrimRight(t.src[t.line(n):t.line(n+1)], " \t\r\n")
		rest := bytes.TrimLeft(text, " ")
		column := len(text) - len(rest)
		isItem := bytes.HasPrefix(rest, []byte("- ")) || bytes.Equal(rest, []byte("-"))
		switch {
		case len(rest) == 0:
		case column > indent || column == indent && isItem:
			to, last = t.line(n+1), n
		default:
			return extent{from, to}, last
		}
	}
	return extent{from, to}, last
}

// onlyValue returns the value of the field name, if a text has only this field;
// nil otherwise.
func onlyValue(field []byte, name string) *wire.Value {
	root, _, err := parseYAML(field, 1)
	if err != nil || len(root.Fields) != 1 {
		return nil
	}
	return root.Get(name)
}

// maxDepth is the largest depth of values that are searched. With aliases, a
// small document can have any depth.
const maxDepth = 200

// valueOf returns the value of the field whose key has this position; nil for
// none.
func valueOf(v *wire.Value, key wire.Pos, depth int) *wire.Value {
	if v == nil || depth > maxDepth {
		return nil
	}
	for i := range v.Fields {
		f := &v.Fields[i]
		if f.Pos == key {
			return f.Value
		}
		if found := valueOf(f.Value, key, depth+1); found != nil {
			return found
		}
	}
	for _, item := range v.Items {
		if found := valueOf(item, key, depth+1); found != nil {
			return found
		}
	}
	return nil
}
