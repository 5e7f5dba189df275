package helmchart

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// textLines finds the lines of one text, and caches their offsets. The zero
// value is ready to use. It is safe for concurrent use.
type textLines struct {
	once   sync.Once
	starts []int // offset of each line
}

// lineStarts returns the offsets of the lines of a text. All calls must pass
// the same text.
func (l *textLines) lineStarts(text string) []int {
	l.once.Do(func() {
		l.starts = append(make([]int, 0, 1+strings.Count(text, "\n")), 0)
		for i := range len(text) {
			if text[i] == '\n' {
				l.starts = append(l.starts, i+1)
			}
		}
	})
	return l.starts
}

// offset converts a line and a column to a byte offset. The column is in code
// points.
func (l *textLines) offset(text string, line, column int) int {
	starts := l.lineStarts(text)
	if line > len(starts) {
		return len(text)
	}
	at := starts[max(line, 1)-1]
	for n := 1; n < column && at < len(text) && text[at] != '\n'; n++ {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

// position converts a byte offset to a line and a column. The column is in code
// points.
func (l *textLines) position(text string, at int) (line, column int) {
	starts := l.lineStarts(text)
	line, found := slices.BinarySearch(starts, at)
	if found {
		line++
	}
	return line, utf8.RuneCountInString(text[starts[line-1]:at]) + 1
}

// span converts byte offsets to lines and columns. If to is not after from, the
// result has no end.
func (l *textLines) span(place, text string, from, to int) location {
	s := location{place: place}
	from = min(max(from, 0), len(text))
	s.line, s.column = l.position(text, from)
	if to = min(to, len(text)); to > from {
		s.endLine, s.endColumn = l.position(text, to)
	} else {
		s.endLine, s.endColumn = s.line, s.column
	}
	return s
}
