package auditlog

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is a string of an event as it stands in the log, without its quotes and
// perhaps with JSON escapes. The zero value is an absent string. It is valid as
// long as the event.
type Text struct {
	raw     []byte
	escaped bool
}

// plainText is a Text of bytes that hold no escapes.
func plainText(b []byte) Text { return Text{raw: b} }

// IsZero reports whether the string is absent or empty.
func (t Text) IsZero() bool { return len(t.raw) == 0 }

// Is reports whether the string is s.
func (t Text) Is(s string) bool {
	if !t.escaped {
		return string(t.raw) == s
	}
	return string(t.AppendTo(nil)) == s
}

// String returns a copy without escapes.
func (t Text) String() string {
	if !t.escaped {
		return string(t.raw)
	}
	return string(t.AppendTo(nil))
}

// Bytes returns the string without escapes. It is t's own bytes where they
// hold none, otherwise appended to buf[:0]; buf may be nil.
func (t Text) Bytes(buf []byte) []byte {
	if !t.escaped {
		return t.raw
	}
	return t.AppendTo(buf[:0])
}

// AppendTo appends the string without escapes. Lone surrogates become U+FFFD,
// as encoding/json has it.
func (t Text) AppendTo(dst []byte) []byte {
	raw := t.raw
	if !t.escaped {
		return append(dst, raw...)
	}
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 || n+1 >= len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:n]...)
		c := raw[n+1]
		raw = raw[n+2:]
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
			r := hex4(raw)
			if r < 0 {
				return dst // no scanned string ends here
			}
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' {
					low = hex4(raw[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
}

// hex4 reads four hexadecimal digits, or gives -1.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
