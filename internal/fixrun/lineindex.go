package fixrun

import (
	"bytes"
	"unicode/utf8"
)

// lineIndex converts the places of findings into offsets: lines and columns count
// code points from 1, without the byte order marks that documents begin with.
type lineIndex struct {
	raw    []byte
	starts []int // offsets of the beginnings of lines
	// seen is the offset of the last place. Most places come in ascending order, and
	// lines may be as long as the file.
	seen, seenLine, seenColumn int
	// odd is the reason if places cannot be found; empty otherwise.
	odd string
}

func newLineIndex(raw []byte) *lineIndex {
	x := &lineIndex{raw: raw}
	switch {
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}), bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		x.odd = "it is UTF-16"
	case !utf8.Valid(raw):
		x.odd = "it is not UTF-8"
	case bytes.Count(raw, []byte{'\r'}) > bytes.Count(raw, []byte("\r\n")):
		x.odd = "some of its lines end in a carriage return alone"
	}
	x.starts = append(x.starts, behindMark(raw, 0))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\n' {
			x.starts = append(x.starts, behindMark(raw, i+1))
		}
	}
	return x
}

// behindMark returns the offset behind the byte order mark at an offset, or the
// offset if there is none.
func behindMark(raw []byte, at int) int {
	if bytes.HasPrefix(raw[at:], []byte("\ufeff")) {
		return at + len("\ufeff")
	}
	return at
}

// offset returns the offset of a place; false if there is no such place.
func (x *lineIndex) offset(line, column int) (int, bool) {
	if line < 1 || line > len(x.starts) || column < 1 {
		return 0, false
	}
	at, end, from := x.starts[line-1], len(x.raw), 1
	if line < len(x.starts) {
		end = x.starts[line]
	}
	if line == x.seenLine && column >= x.seenColumn {
		at, from = x.seen, x.seenColumn
	}
	for ; from < column; from++ {
		if at >= end {
			return 0, false
		}
		_, size := utf8.DecodeRune(x.raw[at:])
		at += size
	}
	x.seen, x.seenLine, x.seenColumn = at, line, column
	return at, true
}
