package manifestlint

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// next gives the next line without its line break. It reports false where the
// line holds bytes that only the parser can judge.
func (s *skimmer) next() ([]byte, bool) {
	rest := s.doc[s.pos:]
	n, odd := scanLine(rest)
	s.line++
	if !odd {
		s.pos += n + 1
		if n == len(rest) {
			s.pos--
		}
		return rest[:n], true
	}
	if n = bytes.IndexByte(rest, '\n'); n < 0 {
		n = len(rest)
		s.pos += n
	} else {
		s.pos += n + 1
	}
	line := rest[:n]
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, clean(line)
}

// scanLine finds the end of a line, eight bytes at a time. odd reports that
// there is a byte before it that is not printable ASCII.
func scanLine(b []byte) (n int, odd bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
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
