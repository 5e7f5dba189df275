package fixrun

import (
	"bytes"
	"unicode/utf8"
)

// lineIndex converts positions of findings to byte offsets. Lines and columns count from
// 1. Columns count code points. Byte order marks at the beginning of documents have no
// column.
type lineIndex struct {
	raw    []byte
	starts []int // offset of each line
	// seen is the offset of the position at seenLine and seenColumn, which was converted
	// last. The next search begins there if possible, because most positions are in
	// ascending order and lines may be long.
	seen, seenLine, seenColumn int
	// unsupported is the reason why positions in this text cannot be converted, or "".
	unsupported string
}

func newLineIndex(raw []byte) *lineIndex {
	x := &lineIndex{raw: raw}
	switch {
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}), bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		x.unsupported = "it is UTF-16"
	case !utf8.Valid(raw):
		x.unsupported = "it is not UTF-8"
	case bytes.Count(raw, []byte{'\r'}) > bytes.Count(raw, []byte("\r\n")):
		x.unsupported = "some of its lines end in a carriage return alone"
	}
	x.starts = append(x.starts, afterMark(raw, 0))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\n' {
			x.starts = append(x.starts, afterMark(raw, i+1))
		}
	}
	return x
}

// afterMark returns the offset after a byte order mark at the offset at. Without a mark,
// it returns at.
func afterMark(raw []byte, at int) int {
	if bytes.HasPrefix(raw[at:], []byte("\ufeff")) {
		return at + len("\ufeff")
	}
	return at
}

// offset returns the byte offset of a position. It returns false if the position does not
// exist.
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
