package auditlog

// valueState finds the end of a JSON value that is read in parts. It has the
// state after the last part.
type valueState struct {
	depth  int
	string bool
	escape bool
	atom   bool
	begun  bool
}

// scan reads the next part of the value. n is the number of bytes of b that
// belong to the value. done reports whether the value ends in b.
func (s *valueState) scan(b []byte) (n int, done bool) {
	for i := 0; i < len(b); i++ {
		if s.string {
			if s.escape {
				s.escape = false
				continue
			}
			if i += plainRun(b[i:]); i == len(b) {
				return i, false
			}
			switch b[i] {
			case '\\':
				s.escape = true
			case '"':
				s.string = false
				if s.depth == 0 {
					return i + 1, true
				}
			}
			continue
		}
		switch c := b[i]; c {
		case '"':
			s.string, s.begun = true, true
		case '{', '[':
			if s.atom {
				return i, true
			}
			s.depth++
			s.begun = true
		case '}', ']':
			if s.depth == 0 {
				return i, true
			}
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if s.depth == 0 && s.begun {
				return i, true
			}
		default:
			if s.depth == 0 {
				s.atom, s.begun = true, true
			}
		}
	}
	return len(b), false
}
