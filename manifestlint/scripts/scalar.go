package scripts

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// scalar returns a string of a YAML document with the position of each byte. If
// the positions cannot be found, each byte has the position of the whole
// string.
func (y *yamlReader) scalar(v *wire.Value) text {
	s := y.source
	start := y.doc.Offset(v.Pos)
	at := start
	for at < len(s) && (s[at] == '&' || s[at] == '!') { // skip an anchor or a tag
		n := strings.IndexAny(s[at:], " \t\n")
		if n < 0 {
			break
		}
		at += n
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\n"))
	}
	a := aligner{want: v.Text, source: s, at: at, style: ' '}
	if at < len(s) && strings.IndexByte(`|>"'`, s[at]) >= 0 {
		a.style = s[at]
		a.at++
	}
	if a.style == '|' || a.style == '>' {
		a.at += strings.IndexByte(s[a.at:], '\n') + 1
	}
	if a.align() {
		return text{v.Text, a.origins}
	}
	return textAt(v.Text, Place{Start: start, End: max(start, y.doc.Offset(v.End))})
}

// aligner finds the positions in the source of the bytes of a decoded scalar.
type aligner struct {
	want, source string
	i, at        int  // offsets of the next bytes in want and source
	style        byte // first byte of the scalar; a space for a plain scalar
	origins      []origin
}

// add adds n decoded bytes. They come from the next size bytes of the source.
func (a *aligner) add(n, size int, exact bool) {
	a.origins = append(a.origins, slices.Repeat([]origin{{from: int32(a.at), to: int32(a.at + size), exact: exact}}, n)...)
	a.i += n
	a.at += size
}

// align finds all bytes. It returns false if this fails.
func (a *aligner) align() bool {
	for a.i < len(a.want) {
		if a.at >= len(a.source) {
			a.add(len(a.want)-a.i, 0, false) // the line feed is missing at the end of the file
			return strings.Trim(a.want[a.i-1:], "\n") == ""
		}
		c, blanks := a.source[a.at], len(blanksOf(a.source[a.at:]))
		switch {
		case c == '\\' && a.style == '"':
			if !a.escape() {
				return false
			}
		case blanks > 0 && (a.style == '|' || a.style == '>'):
			a.add(len(blanksOf(a.want[a.i:])), blanks, false) // and the indentation
		case blanks > 0 && strings.Contains(a.source[a.at:a.at+blanks], "\n"):
			feeds := strings.Count(a.source[a.at:a.at+blanks], "\n")
			a.add(min(max(1, feeds-1), len(a.want)-a.i), blanks, false)
		case c != a.want[a.i]:
			return false
		default:
			a.add(1, 1, true)
			if c == '\'' && a.style == '\'' {
				a.at++
			}
		}
	}
	return true
}

// blanksOf returns the white space at the beginning of a text.
func blanksOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))] }

// escape reads an escape of a double-quoted scalar.
func (a *aligner) escape() bool {
	if a.at+1 >= len(a.source) {
		return false
	}
	size := 2
	switch a.source[a.at+1] {
	case '\n': // an escaped line break; the white space after it is skipped
		a.at += 1 + len(blanksOf(a.source[a.at+1:]))
		return true
	case 'x':
		size = 4
	case 'u':
		size = 6
	case 'U':
		size = 10
	}
	_, n := utf8.DecodeRuneInString(a.want[a.i:])
	a.add(n, size, false)
	return a.at <= len(a.source)
}
