package lsp

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// text is the text of a document with an index of its lines. It is immutable.
//
// There are three ways to name a place. The protocol counts lines from 0, which end with
// \n, \r\n or \r, and columns in UTF-16 code units. Findings count lines from 1, which end
// with \n, and columns in code points from 1, without byte order marks. Edits count bytes.
type text struct {
	data string
	// lines are the offsets of the lines of the protocol, breaks those of findings.
	// They are one slice unless there is a \r alone.
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

// end returns the offset behind a line, without its line break.
func (t *text) end(lines []int, line int) int {
	end := len(t.data)
	if line+1 < len(lines) {
		end = lines[line+1]
	}
	return lines[line] + len(strings.TrimRight(t.data[lines[line]:end], "\r\n"))
}

// offset returns the offset of a position of the protocol. Positions behind the end of a
// line or of the text are moved to that end, as the protocol wants.
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

// position returns the position of an offset.
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

// place returns the offset of a line and a column of a finding. A place outside of the
// text is moved to the end of its line or of the text.
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

// span returns the range of a part of a finding. An empty part gets one character, so
// that editors show it.
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

// edit returns the text with a part replaced. A nil range replaces all.
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
