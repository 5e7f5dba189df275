package yamltree

import (
	"strings"
	"unicode/utf8"
)

// skipSpaces returns the offset of the first byte at i or later that is not a
// space.
func skipSpaces(line string, i int) int {
	for i < len(line) && line[i] == ' ' {
		i++
	}
	return i
}

// isDash reports whether a text begins with the dash of a list item.
func isDash(text string) bool { return text[0] == '-' && (len(text) == 1 || text[1] == ' ') }

// isMarker reports whether a line begins a document.
func isMarker(line string) bool {
	return strings.HasPrefix(line, "---") && (len(line) == 3 || line[3] == ' ')
}

// isEnd reports whether a line ends a document.
func isEnd(line string) bool {
	return strings.HasPrefix(line, "...") && (len(line) == 3 || line[3] == ' ')
}

// blankOrComment reports whether a text has only spaces and perhaps a comment.
func blankOrComment(text string) bool {
	i := skipSpaces(text, 0)
	return i == len(text) || i > 0 && text[i] == '#'
}

// printable reports whether YAML accepts all characters of a line, and whether
// all are ASCII. ok is false for tabs, control characters, line breaks of
// Unicode and byte order marks, which only the YAML library supports.
func printable(line string) (ascii, ok bool) {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c < ' ' || c >= 0x7f {
			return false, printableUnicode(line[i:])
		}
	}
	return true, true
}

func printableUnicode(text string) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < 0xa0, r == 0x2028, r == 0x2029,
			r == 0xfeff, r >= 0xfff0 && r <= 0xffff:
			return false
		}
		i += size
	}
	return true
}

// printableExceptTabs reports whether a line without its tabs is printable.
func printableExceptTabs(line string) bool {
	for part := range strings.SplitSeq(line, "\t") {
		if _, ok := printable(part); !ok {
			return false
		}
	}
	return true
}
