package auditlog

import (
	"bytes"
	"html"
)

// escaping says how a text file escapes its contents, in addition to the
// escapes of JSON. The zero value means no escaping.
type escaping uint8

const (
	// byBackslash doubles backslashes, as databases, Python and other programs
	// do.
	byBackslash escaping = iota + 1
	// byEntity writes &lt; for <, as XML and HTML do. It may also write &quot;
	// for quotes.
	byEntity
)

// maxEscaped is the largest number of lines that are read to find out how a
// text is escaped.
const maxEscaped = 200

// escapingOf returns how a text is escaped. It searches for lines whose JSON is
// valid only after the escapes are removed.
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

// holdsJSON reports whether the first JSON object within a text is valid. A string that contains an
// object counts.
func holdsJSON(b []byte) bool {
	at, kind := jsonIn(b)
	if at < 0 {
		return false
	}
	c := cursor{b: b, i: at}
	return kind == doubledJSON || c.skip()
}

// undo appends a line with the escapes removed.
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
				c = ' ' // in JSON, such characters are only between values
			}
		}
		dst = append(dst, c)
	}
	return dst
}
