package manifestlint

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// next gives the next line without its line break, and how far it is indented.
// It reports false where the line holds bytes that only the parser can judge.
func (s *skimmer) next() (line []byte, indent int, ok bool) {
	rest := s.doc[s.pos:]
	if len(rest) >= 8 {
		if other := binary.LittleEndian.Uint64(rest) ^ ones*' '; other != 0 {
			indent = bits.TrailingZeros64(other) / 8
		} else {
			indent = skipSpaces(rest, 8)
		}
	} else {
		indent = skipSpaces(rest, 0)
	}
	n, odd := scanLine(rest, indent)
	s.line++
	if !odd {
		s.pos += n + 1
		if n == len(rest) {
			s.pos--
		}
		return rest[:n], indent, true
	}
	if n = bytes.IndexByte(rest, '\n'); n < 0 {
		n = len(rest)
		s.pos += n
	} else {
		s.pos += n + 1
	}
	line = rest[:n]
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, indent, clean(line)
}

// Eight bytes are looked at at a time: each of a word's bytes is one of them.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// scanLine finds the end of a line from an offset in it on. odd reports that
// there is a byte before it that is not printable ASCII.
func scanLine(b []byte, n int) (end int, odd bool) {
	for ; n+8 <= len(b); n += 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		// A byte below 0x20 borrows its high bit, 0x7f carries into it. The
		// first byte that has it is certain: nothing before it did either.
		if mark := (w | (w - ones*0x20) | (w + ones)) & highs; mark != 0 {
			n += bits.TrailingZeros64(mark) / 8
			return n, b[n] != '\n'
		}
	}
	for ; n < len(b); n++ {
		if c := b[n]; c < 0x20 || c >= 0x7f {
			return n, c != '\n'
		}
	}
	return n, false
}

// skipSpaces gives the offset, from i on, of the first byte that is no space.
func skipSpaces(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if other := binary.LittleEndian.Uint64(b[i:]) ^ ones*' '; other != 0 {
			return i + bits.TrailingZeros64(other)/8
		}
	}
	for i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}

// indexAny2 gives the offset, from i on, of the first byte that is one of two;
// the length of the text if there is none. It reads words that go on behind the
// text where its memory does.
func indexAny2(b []byte, i int, c, d byte) int {
	cs, ds := ones*uint64(c), ones*uint64(d)
	whole := b[:cap(b)]
	for i < len(b) {
		if i+8 > len(whole) {
			for i < len(b) && b[i] != c && b[i] != d {
				i++
			}
			return i
		}
		w := binary.LittleEndian.Uint64(whole[i:])
		x, y := w^cs, w^ds
		// A byte that is zero borrows its high bit: of those that have it the
		// first is certain.
		if mark := ((x-ones)&^x | (y-ones)&^y) & highs; mark != 0 {
			return min(i+bits.TrailingZeros64(mark)/8, len(b))
		}
		i += 8
	}
	return len(b)
}

// clean reports whether a line has only characters that YAML takes as they
// are: no control characters (tabs neither), and of those beyond ASCII none
// that is a line break, a byte order mark or not printable.
func clean(line []byte) bool {
	for i := 0; i < len(line); {
		if b := line[i]; b < utf8.RuneSelf {
			if b < 0x20 || b == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029,
			r == 0xfeff, r >= 0xfff0 && r <= 0xffff:
			return false
		}
		i += size
	}
	return true
}

func isDash(b []byte) bool { return b[0] == '-' && (len(b) == 1 || b[1] == ' ') }

// isMarker reports whether a line is a document marker.
func isMarker(line []byte) bool {
	return len(line) >= 3 && line[0] == '-' && line[1] == '-' && line[2] == '-' &&
		(len(line) == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r')
}
