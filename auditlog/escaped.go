package auditlog

import (
	"bytes"
	"html"
)

// escaping is how a text file escapes what it holds, over and above JSON's own escapes.
// The zero value is not at all.
type escaping uint8

const (
	// byBackslash: databases, Python and others print \ as \\.
	byBackslash escaping = iota + 1
	// byEntity: XML and HTML have &lt; for <, and maybe &quot; for quotes.
	byEntity
)

// maxEscaped bounds the lines that are tried to find out whether a text is escaped.
const maxEscaped = 200

// escapingOf returns how a text is escaped: lines within which JSON begins tell it, as
// that is broken unless they are unescaped.
func escapingOf(b []byte) escaping {
	if len(b) > 1 && b[0] == '<' && (b[1] == '?' || b[1] == '!' || b[1]|0x20 >= 'a' && b[1]|0x20 <= 'z') {
		return byEntity
	}
	for tried := 0; len(b) > 0 && tried < maxEscaped; {
		line, rest, more := bytes.Cut(b, []byte{'\n'})
		b = rest
		if len(line) > 0 && (line[0] == '{' || line[0] == '[') && !begins(line, `'`) {
			return 0
		}
		if !more || bytes.IndexByte(line, '\\') < 0 || bytes.IndexByte(line, '{') < 0 {
			continue
		}
		tried++
		if !holdsJSON(line) && holdsJSON(byBackslash.undo(nil, line)) {
			return byBackslash
		}
	}
	return 0
}

// holdsJSON reports whether the first object in JSON within a text is sound. A string
// that is one counts.
func holdsJSON(b []byte) bool {
	at, kind := jsonIn(b)
	if at < 0 {
		return false
	}
	c := cursor{b: b, i: at}
	return kind == doubledJSON || c.skip()
}

// undo appends a line without its escapes.
func (x escaping) undo(dst, line []byte) []byte {
	if x == byEntity {
		return append(dst, html.UnescapeString(string(line))...)
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == '\\' && i+1 < len(line) {
			i++
			switch c = line[i]; c {
			case 'n', 'r', 't', 'b', 'f', '0':
				c = ' ' // JSON has none of them as they are, but between its values
			}
		}
		dst = append(dst, c)
	}
	return dst
}
