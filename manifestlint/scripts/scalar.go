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
	a := aligner{want: v.Text, source: s, offset: at, style: ' '}
	if at < len(s) && strings.IndexByte(`|>"'`, s[at]) >= 0 {
		a.style = s[at]
		a.offset++
	}
	if a.style == '|' || a.style == '>' {
		a.offset += strings.IndexByte(s[a.offset:], '\n') + 1
	}
	if a.align() {
		return text{v.Text, a.origins}
	}
	return textAt(v.Text, Place{Start: start, End: max(start, y.doc.Offset(v.End))})
}

// aligner finds where each byte of a decoded scalar comes from in the source.
type aligner struct {
	want, source       string
	wantOffset, offset int  // offsets of the next bytes in want and source
	style              byte // first byte of the scalar; a space for a plain scalar
	origins            []origin
}

// add adds n decoded bytes, which come from the next size bytes of the source.
// exact is true if the bytes are equal.
func (a *aligner) add(n, size int, exact bool) {
	a.origins = append(a.origins, slices.Repeat([]origin{{from: int32(a.offset), to: int32(a.offset + size), exact: exact}}, n)...)
	a.wantOffset += n
	a.offset += size
}

// align finds all bytes. It returns false if this fails.
func (a *aligner) align() bool {
	for a.wantOffset < len(a.want) {
		if a.offset >= len(a.source) {
			a.add(len(a.want)-a.wantOffset, 0, false) // the line feed is missing at the end of the file
			return strings.Trim(a.want[a.wantOffset-1:], "\n") == ""
		}
		c, blanks := a.source[a.offset], len(blanksOf(a.source[a.offset:]))
		switch {
		case c == '\\' && a.style == '"':
			if !a.escape() {
				return false
			}
		case blanks > 0 && (a.style == '|' || a.style == '>'):
			a.add(len(blanksOf(a.want[a.wantOffset:])), blanks, false) // also skip the indentation
		case blanks > 0 && strings.Contains(a.source[a.offset:a.offset+blanks], "\n"):
			feeds := strings.Count(a.source[a.offset:a.offset+blanks], "\n")
			a.add(min(max(1, feeds-1), len(a.want)-a.wantOffset), blanks, false)
		case c != a.want[a.wantOffset]:
			return false
		default:
			a.add(1, 1, true)
			if c == '\'' && a.style == '\'' {
				a.offset++
			}
		}
	}
	return true
}

// blanksOf returns the white space at the beginning of a text.
func blanksOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t\r\n"))] }

// escape reads an escape of a double-quoted scalar.
func (a *aligner) escape() bool {
	if a.offset+1 >= len(a.source) {
		return false
	}
	size := 2
	switch a.source[a.offset+1] {
	case '\n': // an escaped line break; the white space after it is skipped
		a.offset += 1 + len(blanksOf(a.source[a.offset+1:]))
		return true
	case 'x':
		size = 4
	case 'u':
		size = 6
	case 'U':
		size = 10
	}
	_, n := utf8.DecodeRuneInString(a.want[a.wantOffset:])
	a.add(n, size, false)
	return a.offset <= len(a.source)
}
