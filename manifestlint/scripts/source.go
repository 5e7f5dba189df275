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
	// lastPos is the position that was converted last. The next one is often on
	// this line, and a line may be as long as the text.
	lastPos position
}

// NewSource returns a Source for a text that begins on the line first of the
// input.
func NewSource(text []byte, first int) *Source {
	s := &Source{Text: text, first: first, lines: []int{0}, lastPos: position{line: -1}}
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
	p := s.lineStart(n)
	if s.lastPos.line == n && s.lastPos.offset <= at {
		p = s.lastPos
	}
	p.column += utf8.RuneCount(s.Text[p.offset:at])
	p.offset = at
	if at == len(s.Text) || utf8.RuneStart(s.Text[at]) {
		s.lastPos = p
	}
	return wire.Pos{Line: s.first + n, Column: p.column}
}

// Offset returns the offset of a position.
func (s *Source) Offset(p wire.Pos) int {
	n := p.Line - s.first
	if n < 0 || n >= len(s.lines) {
		return len(s.Text)
	}
	at := s.lineStart(n)
	if s.lastPos.line == n && s.lastPos.column <= p.Column {
		at = s.lastPos
	}
	for ; at.column < p.Column && at.offset < len(s.Text); at.column++ {
		_, size := utf8.DecodeRune(s.Text[at.offset:])
		at.offset += size
	}
	s.lastPos = at
	return at.offset
}

// lineStart returns the beginning of the line with index n.
func (s *Source) lineStart(n int) position { return position{n, 1, s.lines[n]} }

// position is a position in a text: the index of its line, the column in code
// points from 1, and the offset. The line is -1 if there is no position.
type position struct{ line, column, offset int }
