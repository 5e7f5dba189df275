package auditlog

// valueState finds the end of a JSON value. The beginning of the value may be in memory already.
type valueState struct {
	depth  int
	string bool
	escape bool
	atom   bool
	begun  bool
}

// scan continues at b. It returns the number of bytes of b that belong to the value, and whether
// the value ends there.
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
