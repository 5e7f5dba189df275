package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sanitize makes a string from an input safe to show: every character that
// does not print as itself becomes a visible escape such as \n, \x1b or
// \u202e. That covers control characters (C0 with line breaks, DEL, C1),
// bidirectional overrides, zero-width and other invisible characters, spaces
// that are not U+0020, private and unassigned code points, and bytes that are
// no UTF-8. The result is one line that moves no cursor, changes no colour and
// reads in the order in which it is written.
//
// It also defuses what a CI system would obey if it found it in a log: GitHub's
// ::command at the start of a line or word, and the ##[command], ##vso[ and
// ##teamcity[ of GitHub, Azure Pipelines and TeamCity, which are recognised
// anywhere in a line.
//
// Backslashes are left alone, so that an escape cannot be told from the same
// text written out; the machine formats are there for exactness.
func Sanitize(s string) string {
	i := firstUnsafe(s)
	if i < 0 {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	out = append(out, s[:i]...)
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			out = appendHex(out, 'x', uint32(s[i]), 2)
		case !isVisible(r):
			out = appendEscape(out, r)
		case isCommandAt(s, i):
			out = appendHex(out, 'x', uint32(s[i]), 2)
		default:
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return string(out)
}

// firstUnsafe returns the index of the first character that Sanitize must look
// at closely, or -1. It exists because nearly every string is plain ASCII.
func firstUnsafe(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || ((c == ':' || c == '#') && isCommandAt(s, i)) {
			return i
		}
	}
	return -1
}

// isVisible reports whether a character prints as something a reader can see,
// from left to right or in its script's own direction.
func isVisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r <= '~'
	}
	// IsPrint is false for all of Cc, Cf (bidi controls, zero width), Zl, Zp,
	// Zs but U+0020, Co, Cs and unassigned code points. The two tables are the
	// letters and marks that print as nothing: Hangul fillers, variation
	// selectors and their like.
	return unicode.IsPrint(r) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
		!unicode.Is(unicode.Variation_Selector, r) &&
		r != 0x2800 // BRAILLE PATTERN BLANK
}

// isCommandAt reports whether the byte at i must be escaped so that no CI
// system takes what follows for a command.
func isCommandAt(s string, i int) bool {
	switch s[i] {
	case ':':
		// actions/runner trims white space and wants "::", a command's name
		// and a second "::", which a later part of the line may bring.
		return (i == 0 || s[i-1] == ' ') && i+2 < len(s) && s[i+1] == ':' && isLetter(s[i+2])
	case '#':
		if i == 0 || s[i-1] != '#' {
			return false
		}
		for j := i + 1; j < len(s); j++ {
			if s[j] == '[' {
				return true
			}
			if !isLetter(s[j]) {
				return false
			}
		}
	}
	return false
}

// wrappable defuses the ::command of GitHub anywhere in sanitised text and not
// only where a line or word starts, for text that is broken into lines later.
func wrappable(s string) string {
	if !strings.Contains(s, "::") {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		if s[i] == ':' && i+2 < len(s) && s[i+1] == ':' && isLetter(s[i+2]) {
			out = appendHex(out, 'x', ':', 2)
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// appendEscape appends the visible form of a character: \n, \x1b, \u202e or
// \U000e0001.
func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf:
		return appendHex(dst, 'x', uint32(r), 2)
	case r <= 0xffff:
		return appendHex(dst, 'u', uint32(r), 4)
	}
	return appendHex(dst, 'U', uint32(r), 8)
}

// appendHex appends a backslash, a letter and the given number of digits.
func appendHex(dst []byte, letter byte, v uint32, digits int) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '\\', letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hex[v>>shift&0xf])
	}
	return dst
}

// maxShown bounds, in code points, each string that a format for people shows.
// Kubernetes names have at most 253 characters and file names 4,096 bytes;
// only a hostile manifest has more. The machine formats are not bounded.
const maxShown = 4096

// show is Sanitize for a string of any length.
func show(s string) string {
	if len(s) <= maxShown {
		return Sanitize(s)
	}
	n := 0
	for i := range s {
		if n == maxShown {
			return Sanitize(s[:i]) + "..."
		}
		n++
	}
	return Sanitize(s)
}

// showFile is show for the name of an input.
func showFile(file string) string {
	if file == "-" {
		return "<stdin>"
	}
	return show(file)
}

// escapeJSON returns encoded JSON in which every character that Sanitize would
// not show is written as \uXXXX, so that a document is exact and still harmless
// when it is printed. Such characters occur in JSON only inside strings. The
// result is the argument itself where there is nothing to do.
func escapeJSON(b []byte) []byte {
	i := 0
	for i < len(b) && b[i] < 0x7f && (b[i] != '#' || i == 0 || b[i-1] != '#') {
		i++
	}
	if i == len(b) {
		return b
	}
	s := string(b)
	out := append(make([]byte, 0, len(b)+32), b[:i]...)
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '#' && isCommandAt(s, i), r >= 0x7f && r <= 0xffff && !isVisible(r):
			out = appendHex(out, 'u', uint32(r), 4)
		case r > 0xffff && !isVisible(r):
			r -= 0x10000
			out = appendHex(out, 'u', 0xd800+uint32(r>>10), 4)
			out = appendHex(out, 'u', 0xdc00+uint32(r&0x3ff), 4)
		default:
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	return out
}

// containsWord reports whether text has word with no letter, digit or other
// name character on either side.
func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, n := utf8.DecodeRuneInString(text[end:])
		if after == '.' { // the end of a sentence is the end of a word
			after, _ = utf8.DecodeRuneInString(text[end+n:])
		}
		if !isNameRune(before) && !isNameRune(after) {
			return true
		}
		from = start + 1
	}
}

func isNameRune(r rune) bool {
	return r == '-' || r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
