package fixrun

import (
	"bytes"
	"unicode/utf8"
)

// lineIndex finds in the bytes of a file the places that findings name: lines
// and columns in code points, from 1, without a byte order mark.
type lineIndex struct {
	raw    []byte
	starts []int // where lines begin
	// seen is the offset of a place that was asked for: most are asked for in
	// ascending order, and a line may be as long as the file.
	seen, seenLine, seenColumn int
	// odd says why places cannot be found; empty: they can.
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
	begin := 0
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		begin = 3
	}
	x.starts = append(x.starts, begin)
	for i := begin; i < len(raw); i++ {
		if raw[i] == '\n' {
			x.starts = append(x.starts, i+1)
		}
	}
	return x
}

// offset gives the byte at a place; false where there is no such place.
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
