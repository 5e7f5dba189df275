package lsp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// text is the text of a document with an index of its lines. It is immutable.
//
// A position in a text has three forms. In the protocol, lines count from 0 and end with
// \n, \r\n or \r. Columns count UTF-16 code units. In findings, lines count from 1 and
// end with \n. Columns count code points from 1, without byte order marks. Edits use byte
// offsets.
type text struct {
	data string
	// lines has the offset of each line of the protocol. breaks has the offset of each
	// line of findings. Both are the same slice, unless the text has a \r without \n.
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

// end returns the offset of the end of a line, before its line break.
func (t *text) end(lines []int, line int) int {
	end := len(t.data)
	if line+1 < len(lines) {
		end = lines[line+1]
	}
	return lines[line] + len(strings.TrimRight(t.data[lines[line]:end], "\r\n"))
}

// offset returns the offset of a position in the protocol's form. If the position is
// after the end of its line or of the text, offset returns this end, as the protocol
// requires.
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

// place returns the offset of a line and a column in a finding. If the position does not
// exist, place returns the end of the line or of the text.
func (t *text) place(line, column int) int {
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

// span returns the range of a finding in the protocol's form. An empty range is extended
// by one character, because editors do not show empty ranges.
func (t *text) span(line, column, endLine, endColumn int) textRange {
	start, end := t.place(line, column), t.place(endLine, endColumn)
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
