package auditlog

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// printed reads an object in the notation of Ruby, Fluent Bit or Python, with
// => instead of colons, single quotes, and nil, None, True and False. It
// returns false for other texts, and if the converted text is not JSON. Fluent
// Bit does not escape quotes.
func (d *decoder) printed(b []byte, depth int) bool {
	if depth >= maxWraps-1 || !bytes.Contains(b[:min(len(b), 4096)], []byte(`=>`)) && !pythonic(b) {
		return false
	}
	out, ok := notation(b)
	if ok {
		d.any(out, nil, depth+1)
	}
	return ok
}

// pythonic reports whether a text begins like a list or dictionary that Python printed.
func pythonic(b []byte) bool {
	inner := bytes.TrimLeft(b, "[{")
	return len(inner) < len(b) && len(inner) > 0 && inner[0] == '\''
}

// notation converts an object that Ruby or Python printed to JSON. It returns false if the result
// is not valid JSON.
func notation(b []byte) ([]byte, bool) {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		n := 1
		switch c := b[i]; {
		case c == '"' || c == '\'':
			out, n = appendQuoted(out, b[i:])
		case bytes.HasPrefix(b[i:], []byte("=>")):
			out, n = append(out, ':'), 2
		case bytes.IndexByte([]byte("{}[],: \t\r\n"), c) >= 0:
			out = append(out, c)
		default:
			n = bareLength(b[i:])
			out = appendBare(out, b[i:i+n])
		}
		if n == 0 {
			return nil, false
		}
		i += n
	}
	c := cursor{b: out}
	return out, c.skip()
}

// bareLength returns the length of the word at the beginning of a text. The
// word can be a constructor call such as datetime.datetime(2026, 11, 21).
func bareLength(b []byte) int {
	n := bytes.IndexAny(b, "{}[],: \t\r\n\"'=(")
	if n < 0 {
		return len(b)
	}
	if b[n] == ':' && b[0] >= '0' && b[0] <= '9' { // the colon is in a time
		if n = bytes.IndexAny(b, "{}[], \t\r\n\"'=("); n < 0 {
			return len(b)
		}
	}
	if b[n] != '(' {
		return n
	}
	return n + bytes.IndexByte(b[n:], ')') + 1
}

// appendQuoted appends the quoted string at the beginning of b as JSON. It
// returns the length of the string in b; 0 if the string has no end.
func appendQuoted(dst, b []byte) ([]byte, int) {
	dst = append(dst, '"')
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == b[0]:
			return append(dst, '"'), i + 1
		case c < ' ':
			return dst, 0
		case c == '"':
			dst = append(dst, '\\', '"')
		case c != '\\':
			dst = append(dst, c)
		case i+1 == len(b):
			return dst, 0
		default:
			n := 0
			dst, n = appendEscape(dst, b[i+1:])
			i += n
		}
	}
	return dst, 0
}

// appendEscape appends the character of an escape sequence as a part of a JSON
// string. b begins after the backslash. n is the length of the sequence without
// the backslash.
func appendEscape(dst, b []byte) (out []byte, n int) {
	switch c := b[0]; c {
	case '"', '\\', 'b', 'f', 'n', 'r', 't', 'u':
		return append(dst, '\\', c), 1
	case 'a', 'e', 'v':
		return append(dst, map[byte]string{'a': `\u0007`, 'e': `\u001b`, 'v': `\u000b`}[c]...), 1
	case 'x', 'U':
		digits := map[byte]int{'x': 2, 'U': 8}[c]
		if v, err := strconv.ParseUint(string(b[1:min(len(b), digits+1)]), 16, 32); err == nil {
			return appendJSON(dst, utf8.AppendRune(nil, rune(v))), digits + 1
		}
	}
	return append(dst, b[0]), 1 // such as \' and \#
}

// appendBare appends a word without quotes: a number, true, false, nil, or a time.
func appendBare(dst, word []byte) []byte {
	switch c := (cursor{b: word}); {
	case string(word) == "nil" || string(word) == "None":
		return append(dst, "null"...)
	case string(word) == "True" || string(word) == "False":
		return append(dst, bytes.ToLower(word)...)
	case c.skip() && c.i == len(word):
		return append(dst, word...)
	}
	return append(appendJSON(append(dst, '"'), word), '"')
}
