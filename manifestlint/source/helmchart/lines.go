package helmchart

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// textLines finds the lines of one text. A text with many findings is searched
// for lines only once. The zero value is ready, and safe for concurrent use.
type textLines struct {
	once   sync.Once
	starts []int // the offset of each line
}

// of returns the offsets of the lines of the text, which must always be the
// same.
func (l *textLines) of(text string) []int {
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

// offset returns the byte offset of a line and a column in code points.
func (l *textLines) offset(text string, line, column int) int {
	starts := l.of(text)
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

// position returns the line and the column in code points of a byte offset.
func (l *textLines) position(text string, at int) (line, column int) {
	starts := l.of(text)
	line, found := slices.BinarySearch(starts, at)
	if found {
		line++
	}
	return line, utf8.RuneCountInString(text[starts[line-1]:at]) + 1
}

// span converts offsets to lines and columns. A span that does not end after
// its beginning has no end.
func (l *textLines) span(place, text string, from, to int) spot {
	s := spot{place: place}
	from = min(max(from, 0), len(text))
	s.line, s.column = l.position(text, from)
	if to = min(to, len(text)); to > from {
		s.endLine, s.endColumn = l.position(text, to)
	} else {
		s.endLine, s.endColumn = s.line, s.column
	}
	return s
}
