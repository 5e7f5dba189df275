package lsp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// text is the text of a document with an index of its lines. It is immutable.
//
// Positions in a text have three forms:
//
//   - in the protocol: lines from 0, which end with \n, \r\n or \r, and columns in UTF-16
//     code units from 0
//   - in findings: lines from 1, which end with \n, and columns in code points from 1,
//     without byte order marks
//   - in edits: byte offsets
type text struct {
	data string
	// lines has the offset of each line as the protocol counts lines, breaks as findings
	// count them. They are the same slice, unless the text has a \r without \n.
	lines, breaks []int
}

func newText(data string) *text {
	t := &text{data: data, breaks: make([]int, 1, 1+strings.Count(data, "\n"))}
	for at := 0; ; {
		n := strings.IndexByte(data[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		t.breaks = append(t.breaks, at)
	}
	t.lines = t.breaks
	if strings.Count(data, "\r") > strings.Count(data, "\r\n") {
		t.lines = []int{0}
		for i := range len(data) {
			if data[i] == '\n' || data[i] == '\r' && !strings.HasPrefix(data[i+1:], "\n") {
				t.lines = append(t.lines, i+1)
			}
		}
	}
	return t
}

// end returns the offset of a line's end, before its line break.
func (t *text) end(lines []int, line int) int {
	end := len(t.data)
	if line+1 < len(lines) {
		end = lines[line+1]
	}
	return lines[line] + len(strings.TrimRight(t.data[lines[line]:end], "\r\n"))
}

// offset returns the offset of a position in the protocol's form. A position after the
// end of its line or of the text becomes that end, as the protocol requires.
func (t *text) offset(p position) int {
	if p.Line >= len(t.lines) {
		return len(t.data)
	}
	at, end := t.lines[max(p.Line, 0)], t.end(t.lines, max(p.Line, 0))
	for units := 0; at < end; {
		r, size := utf8.DecodeRuneInString(t.data[at:end])
		if units += utf16Len(r); units > p.Character {
			break
		}
		at += size
	}
	return at
}

// position returns the position of an offset in the protocol's form.
func (t *text) position(offset int) position {
	line, exact := slices.BinarySearch(t.lines, offset)
	if !exact {
		line--
	}
	units := 0
	for _, r := range t.data[t.lines[line]:min(offset, t.end(t.lines, line))] {
		units += utf16Len(r)
	}
	return position{line, units}
}

func utf16Len(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}

// findingOffset returns the offset of a line and column in a finding. A position after
// the end of its line or of the text becomes that end.
func (t *text) findingOffset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.breaks) {
		return len(t.data)
	}
	at, end := t.breaks[line-1], t.end(t.breaks, line-1)
	if strings.HasPrefix(t.data[at:end], "\ufeff") {
		at += len("\ufeff")
	}
	for ; column > 1 && at < end; column-- {
		_, size := utf8.DecodeRuneInString(t.data[at:end])
		at += size
	}
	return at
}

// findingRange returns the range of a finding in the protocol's form. An empty range gets
// one character, because editors do not show empty ranges.
func (t *text) findingRange(line, column, endLine, endColumn int) textRange {
	start, end := t.findingOffset(line, column), t.findingOffset(endLine, endColumn)
	if endLine == 0 || end < start {
		end = start
	}
	if start == end && start < len(t.data) {
		_, size := utf8.DecodeRuneInString(t.data[start:])
		end += size
	}
	return textRange{t.position(start), t.position(end)}
}

// edit returns the text after a range was replaced. If at is nil, the whole text is
// replaced.
func (t *text) edit(at *textRange, with string) *text {
	if at == nil {
		return newText(with)
	}
	start, end := t.offset(at.Start), t.offset(at.End)
	if end < start {
		start, end = end, start
	}
	return newText(t.data[:start] + with + t.data[end:])
}
