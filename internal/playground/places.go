package playground

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules"
)

// Place is a part of a text. Start and End are offsets in UTF-16 code units, as
// JavaScript counts them.
type Place struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// places converts positions of findings to offsets. It stores the offsets of lines,
// because the findings in a long line may not be in ascending order.
type places struct {
	text string
	// bytes and units have the offset of each line, in bytes and in UTF-16 code units.
	bytes, units []int
}

func newPlaces(text string) *places {
	p := &places{text: text, bytes: []int{0}, units: []int{0}}
	units := 0
	for at, r := range text {
		units += max(utf16.RuneLen(r), 1)
		if r == '\n' {
			p.bytes, p.units = append(p.bytes, at+1), append(p.units, units)
		}
	}
	return p
}

// placeOf returns the place of a finding. For a finding about the whole text, it is the
// first line. A place is empty only if the text is empty.
func (p *places) placeOf(f *rules.Finding) Place {
	s := Place{p.offset(f.Line, f.Column), p.offset(f.EndLine, f.EndColumn)}
	if f.Line == 0 {
		s.End = p.offset(1, 1<<30)
	}
	if s.End <= s.Start {
		s.End = s.Start + 1
	}
	if last := p.offset(len(p.bytes), 1<<30); s.End > last {
		s.End = last
		s.Start = max(min(s.Start, last-1), 0)
	}
	return s
}

// offset returns the offset of a line and column, or the end of the line if the column
// does not exist.
func (p *places) offset(line, column int) int {
	line = min(max(line, 1), len(p.bytes))
	rest, _, _ := strings.Cut(p.text[p.bytes[line-1]:], "\n")
	units := p.units[line-1]
	if strings.HasPrefix(rest, "\ufeff") { // the byte order mark is not a column
		rest, units = rest[len("\ufeff"):], units+1
	}
	for ; column > 1 && rest != ""; column-- {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		units += max(utf16.RuneLen(r), 1)
	}
	return units
}
