package scripts

import (
	"sort"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Source converts between byte offsets in a text and positions in the input
// that contains the text. It is not safe for concurrent use.
type Source struct {
	Text  []byte
	first int   // line of the input on which Text begins
	lines []int // offsets of the lines
	// last is the position that was converted last. The next one is often on
	// the same line, and a line may be as long as the text.
	last spot
}

// NewSource returns a Source for a text that begins on the line first of the
// input.
func NewSource(text []byte, first int) *Source {
	s := &Source{Text: text, first: first, lines: []int{0}, last: spot{line: -1}}
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
	p := s.begin(n)
	if s.last.line == n && s.last.offset <= at {
		p = s.last
	}
	p.column += utf8.RuneCount(s.Text[p.offset:at])
	p.offset = at
	if at == len(s.Text) || utf8.RuneStart(s.Text[at]) {
		s.last = p
	}
	return wire.Pos{Line: s.first + n, Column: p.column}
}

// Offset returns the offset of a position.
func (s *Source) Offset(p wire.Pos) int {
	n := p.Line - s.first
	if n < 0 || n >= len(s.lines) {
		return len(s.Text)
	}
	at := s.begin(n)
	if s.last.line == n && s.last.column <= p.Column {
		at = s.last
	}
	for ; at.column < p.Column && at.offset < len(s.Text); at.column++ {
		_, size := utf8.DecodeRune(s.Text[at.offset:])
		at.offset += size
	}
	s.last = at
	return at.offset
}

// begin returns the beginning of the line with index n.
func (s *Source) begin(n int) spot { return spot{n, 1, s.lines[n]} }

// spot is a position in a text: the index of its line, the column in code
// points from 1, and the offset. The line is -1 if there is no position.
type spot struct{ line, column, offset int }
