package playground

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules"
)

// Place is a part of a text, in UTF-16 code units from its beginning, as JavaScript
// counts.
type Place struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// places converts lines and columns of a text. Findings come nearly in ascending
// order, but those of a long line may not, so that the beginnings of lines are known.
type places struct {
	text string
	// bytes and units are the offsets of the beginnings of lines.
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

// of returns the place of a finding. One about the whole text is at its first line. A
// place is never empty unless the text is.
func (p *places) of(f *rules.Finding) Place {
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

// offset returns the offset of a line and column, or of the end of the line.
func (p *places) offset(line, column int) int {
	line = min(max(line, 1), len(p.bytes))
	rest, _, _ := strings.Cut(p.text[p.bytes[line-1]:], "\n")
	units := p.units[line-1]
	if strings.HasPrefix(rest, "\ufeff") { // a byte order mark has no column
		rest, units = rest[len("\ufeff"):], units+1
	}
	for ; column > 1 && rest != ""; column-- {
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		units += max(utf16.RuneLen(r), 1)
	}
	return units
}
