package contention

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// pathText writes a path for people.
func pathText(stack []segment) string {
	var b strings.Builder
	for _, s := range stack {
		key := string(unescape(nil, s.key))
		switch {
		case s.set:
			b.WriteString(`["` + clip(key) + `"]`)
		case s.list != "":
			b.WriteString("[" + s.list + "=" + clip(key) + "]")
		case plainKey(key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(key)
		default:
			b.WriteString(`["` + clip(key) + `"]`)
		}
		if b.Len() > maxPath {
			break
		}
	}
	return b.String()
}

// maxPath bounds the text of a path, roughly.
const maxPath = 512

// unescape appends a JSON string's contents without escapes.
func unescape(dst, s []byte) []byte {
	for {
		n := bytes.IndexByte(s, '\\')
		if n < 0 || n+1 >= len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:n]...)
		c := s[n+1]
		s = s[n+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, ok := hex4(s)
			if !ok {
				return dst
			}
			s = s[4:]
			if utf16.IsSurrogate(r) && len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				if low, ok := hex4(s[2:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						r, s = pair, s[6:]
					}
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[:4]), 16, 32)
	return rune(n), err == nil
}

// maxText bounds the names that are kept, in bytes.
const maxText = 256

func clip(s string) string {
	if len(s) > maxText {
		return s[:maxText]
	}
	return s
}

func plainKey(key string) bool {
	if key == "" || len(key) > 64 {
		return false
	}
	for _, c := range []byte(key) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// text is the path that the walker is at.
func (w *walker) text() string { return pathText(w.stack) }
