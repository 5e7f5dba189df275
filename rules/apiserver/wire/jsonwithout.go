package wire

import (
	"encoding/binary"
	"math/bits"
)

// StreamWithout counts the values of a stream as JSONStream has them, if none of
// them is a map that has all of some fields. It makes no trees, and is several
// times as fast. It reports false where there is such a map, where the stream is
// not valid, and where it is not sure of one or the other.
func StreamWithout(data []byte, names ...string) (values int, ok bool) {
	s := reader{data: data, names: names}
	for {
		if s.space(); s.off >= len(data) {
			return values, true
		}
		if s.values = 0; !s.value(0) {
			return 0, false
		}
		values++
	}
}

// reader reads JSON as parser does, and keeps nothing of it.
type reader struct {
	data   []byte
	off    int
	names  []string
	values int // of the document so far
}

// next gives the byte at s.off; 0, which begins nothing, at the end.
func (s *reader) next() byte {
	if s.off < len(s.data) {
		return s.data[s.off]
	}
	return 0
}

func (s *reader) space() {
	for s.off < len(s.data) {
		switch s.data[s.off] {
		case ' ', '\t', '\r', '\n':
			s.off++
		default:
			return
		}
	}
}

// value reads a value that begins at s.off.
func (s *reader) value(depth int) bool {
	if s.values++; s.values > maxValues || depth >= MaxDepth {
		return false
	}
	switch s.next() {
	case '{':
		return s.fields(depth + 1)
	case '[':
		return s.items(depth + 1)
	case '"':
		_, ok := s.str()
		return ok
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		return s.number()
	}
}

func (s *reader) literal(word string) bool {
	end := s.off + len(word)
	if end > len(s.data) || string(s.data[s.off:end]) != word {
		return false
	}
	s.off = end
	return true
}

func (s *reader) number() bool {
	if s.next() == '-' {
		s.off++
	}
	if s.next() == '0' {
		s.off++
	} else if !s.digits() {
		return false
	}
	if s.next() == '.' {
		if s.off++; !s.digits() {
			return false
		}
	}
	if s.next()|0x20 == 'e' {
		s.off++
		if c := s.next(); c == '+' || c == '-' {
			s.off++
		}
		return s.digits()
	}
	return true
}

// digits reads one digit or more.
func (s *reader) digits() bool {
	start := s.off
	for c := s.next(); '0' <= c && c <= '9'; c = s.next() {
		s.off++
	}
	return s.off > start
}

// Eight bytes are looked at at a time: each of a word's bytes is one of them.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str reads a string. plain reports that it has no escapes.
func (s *reader) str() (plain, ok bool) {
	s.off++
	plain = true
	for {
		for s.off+8 <= len(s.data) {
			w := binary.LittleEndian.Uint64(s.data[s.off:])
			// A byte below 0x20 borrows a high bit that it has not, and so does a
			// quote or a backslash that was made zero. The first is certain.
			quote, slash := w^ones*'"', w^ones*'\\'
			mark := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
			if mark == 0 {
				s.off += 8
				continue
			}
			s.off += bits.TrailingZeros64(mark) / 8
			break
		}
		if s.off >= len(s.data) {
			return false, false
		}
		switch c := s.data[s.off]; {
		case c == '"':
			s.off++
			return plain, true
		case c < ' ':
			return false, false
		case c == '\\':
			plain = false
			if s.off++; !s.escape() {
				return false, false
			}
		default: // one of the last bytes
			s.off++
		}
	}
}

// escape reads what follows a backslash.
func (s *reader) escape() bool {
	switch s.next() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.off++
		return true
	case 'u':
		s.off++
		for range 4 {
			if !isHex(s.next()) {
				return false
			}
			s.off++
		}
		return true
	}
	return false
}

func (s *reader) items(depth int) bool {
	s.off++ // [
	if s.space(); s.next() == ']' {
		s.off++
		return true
	}
	for {
		if s.space(); !s.value(depth) {
			return false
		}
		s.space()
		switch s.next() {
		case ',':
			s.off++
		case ']':
			s.off++
			return true
		default:
			return false
		}
	}
}

// fields reads a map. The outermost must not have all the fields that are looked
// for.
func (s *reader) fields(depth int) bool {
	s.off++ // {
	if s.space(); s.next() == '}' {
		s.off++
		return depth > 1 || len(s.names) > 0
	}
	left := uint64(1)<<len(s.names) - 1
	for {
		s.space()
		start := s.off + 1
		if s.next() != '"' {
			return false
		}
		plain, ok := s.str()
		if !ok {
			return false
		}
		if depth == 1 {
			if !plain {
				return false // it may spell a name
			}
			for i, name := range s.names {
				if string(s.data[start:s.off-1]) == name {
					left &^= 1 << i
				}
			}
			if left == 0 {
				return false
			}
		}
		if s.space(); s.next() != ':' {
			return false
		}
		s.off++
		if s.space(); !s.value(depth) {
			return false
		}
		s.space()
		switch s.next() {
		case ',':
			s.off++
		case '}':
			s.off++
			return true
		default:
			return false
		}
	}
}
