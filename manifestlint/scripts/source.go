package scripts

import (
	"sort"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Source converts between byte offsets of a text and lines and columns of the
// input that has it.
type Source struct {
	Text  []byte
	first int   // the line on which Text begins
	lines []int // offsets
}

// NewSource returns the source for a text that begins on the given line.
func NewSource(text []byte, first int) *Source {
	s := &Source{Text: text, first: first, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// Covered returns the first and the last line that a comment covers.
func (s *Source) Covered(c Comment) (first, last int) {
	if c.Head {
		return s.first, s.first + len(s.lines) - 1
	}
	return s.Pos(c.From).Line, s.Pos(c.To).Line
}

// Pos returns the position of an offset.
func (s *Source) Pos(at int) wire.Pos {
	at = max(0, min(at, len(s.Text)))
	n := sort.SearchInts(s.lines, at+1) - 1
	return wire.Pos{Line: s.first + n, Column: utf8.RuneCount(s.Text[s.lines[n]:at]) + 1}
}

// Offset returns the offset of a position.
func (s *Source) Offset(p wire.Pos) int {
	n := p.Line - s.first
	if n < 0 || n >= len(s.lines) {
		return len(s.Text)
	}
	at := s.lines[n]
	for column := p.Column; column > 1 && at < len(s.Text); column-- {
		_, size := utf8.DecodeRune(s.Text[at:])
		at += size
	}
	return at
}
