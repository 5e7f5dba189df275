package fix

import (
	"bytes"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Literal is a string in a YAML document. Edits of the string become edits of
// the document.
type Literal struct {
	// Data is the document that contains the string. Line is the line of the
	// input on which the document begins.
	Data  []byte
	Line  int
	Value *wire.Value
}

var errNotLiteral = &Refusal{"it is in a string that is not a literal block"}

// edit converts edits of the string to one edit of the input. The edits'
// offsets count from the beginning of a line of the string. line is the number
// of this line, from 1.
//
// The string must be a literal block. The lines of other strings are not lines
// of the input.
func (s *Literal) edit(line int, edits []Edit) (rules.Edit, error) {
	old := newText([]byte(s.Value.Text))
	text := old.src[:old.line(line-1)]
	rest := old.src[len(text):]
	text = bytes.Clone(text)
	at := 0
	for _, e := range edits {
		text = append(append(text, rest[at:e.Start]...), e.New...)
		at = e.End
	}
	text = append(text, rest[at:]...)

	outer := newText(s.Data)
	before, after := splitLines(s.Value.Text), splitLines(string(text))
	block, ok := s.block(&outer, before)
	if !ok {
		return rules.Edit{}, errNotLiteral
	}
	head, tail := commonLines(before, after)
	var b strings.Builder
	for _, line := range after[head : len(after)-tail] {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			b.WriteString(block.indent + line)
		}
		b.WriteString(block.nl)
	}
	e := rules.Edit{
		New:  b.String(),
		Line: s.Value.Pos.Line + 1 + head, Column: 1,
		EndLine: s.Value.Pos.Line + 1 + len(before) - tail, EndColumn: 1,
	}
	if !s.hasText(&outer, e, string(text)) {
		return rules.Edit{}, errNotLiteral
	}
	return e, nil
}

// splitLines returns the lines of a text with their line breaks.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

// commonLines returns the number of equal lines at the start and at the end of
// two texts.
func commonLines(before, after []string) (head, tail int) {
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return head, tail
}

// literalStyle is the indentation and the line break of a literal block's
// lines.
type literalStyle struct{ indent, nl string }

// block returns the style of the literal block. It returns false if the string
// is not a literal block, or if the lines of the block differ from the string.
func (s *Literal) block(t *text, lines []string) (literalStyle, bool) {
	style := literalStyle{nl: "\n"}
	header := s.Value.Pos.Line - s.Line // index of the block's first line in t
	first := t.src[t.lines[header]:t.nextLine(t.lines[header])]
	if s.Value.Pos.Column > len(first) || first[s.Value.Pos.Column-1] != '|' {
		return style, false
	}
	off := t.nextLine(t.lines[header])
	for _, want := range lines {
		line := string(t.src[off:t.nextLine(off)])
		off += len(line)
		if !strings.HasSuffix(line, "\n") {
			return style, false // at the end of the input, no text can follow the block
		}
		if strings.HasSuffix(line, "\r\n") {
			style.nl = "\r\n"
		}
		line, want = strings.TrimRight(line, "\r\n"), strings.TrimRight(want, "\r\n")
		if want == "" && strings.TrimSpace(line) == "" {
			continue
		}
		if style.indent == "" {
			style.indent = line[:max(0, leading(line)-leading(want))]
		}
		if line != style.indent+want {
			return style, false
		}
	}
	return style, style.indent != ""
}

// leading returns the number of spaces at the beginning of a line.
func leading(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// hasText reports whether the string has this text after the edit.
func (s *Literal) hasText(t *text, e rules.Edit, text string) bool {
	from, to := t.line(e.Line-s.Line), t.line(e.EndLine-s.Line)
	now := bytes.Join([][]byte{s.Data[:from], s.Data[to:]}, []byte(e.New))
	root, _, err := parseYAML(now, s.Line)
	return err == nil && hasStringAt(root, s.Value.Pos, text)
}

// hasStringAt reports whether v, or a value in it, is a string with this
// position and text.
func hasStringAt(v *wire.Value, at wire.Pos, text string) bool {
	if v.Kind == wire.String && v.Pos == at {
		return v.Text == text
	}
	for i := range v.Fields {
		if hasStringAt(v.Fields[i].Value, at, text) {
			return true
		}
	}
	for _, item := range v.Items {
		if hasStringAt(item, at, text) {
			return true
		}
	}
	return false
}
