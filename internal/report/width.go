package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isWide reports whether a character takes two columns of a terminal: East
// Asian Wide and Fullwidth of UAX #11, with neighbouring blocks joined, and
// the emoji that are shown as pictures by default.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, // Hangul Jamo, leading consonants
		r == 0x231a, r == 0x231b, r == 0x2329, r == 0x232a,
		r >= 0x23e9 && r <= 0x23ec, r == 0x23f0, r == 0x23f3,
		r >= 0x2e80 && r <= 0x303e, // CJK radicals, ideographic punctuation
		r >= 0x3041 && r <= 0x33ff, // kana, compatibility forms
		r >= 0x3400 && r <= 0x4dbf, // CJK extension A
		r >= 0x4e00 && r <= 0x9fff, // CJK unified ideographs
		r >= 0xa000 && r <= 0xa4cf, // Yi
		r >= 0xa960 && r <= 0xa97f, // Hangul Jamo extended A
		r >= 0xac00 && r <= 0xd7a3, // Hangul syllables
		r >= 0xf900 && r <= 0xfaff, // CJK compatibility ideographs
		r >= 0xfe30 && r <= 0xfe6f, // CJK compatibility forms
		r >= 0xff00 && r <= 0xff60, // fullwidth forms
		r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, // pictographs, emoticons
		r >= 0x1f680 && r <= 0x1f6ff, // transport
		r >= 0x1f900 && r <= 0x1f9ff, // supplemental pictographs
		r >= 0x1fa70 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd: // CJK extensions B and on
		return true
	}
	return false
}

// runeWidth is the number of terminal columns of a visible character.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

// textWidth is the number of terminal columns of sanitised text.
func textWidth(s string) int {
	ascii := 0
	for ascii < len(s) && s[ascii] < utf8.RuneSelf {
		ascii++
	}
	if ascii == len(s) {
		return ascii
	}
	n := ascii
	for _, r := range s[ascii:] {
		n += runeWidth(r)
	}
	return n
}

// wrap breaks sanitised text into lines of at most width columns, at spaces
// where it can, otherwise after one of "/.,-:" or, failing that, anywhere. A
// width of zero or less breaks nothing.
func wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var lines []string
	for textWidth(s) > width {
		cut := breakAt(s, width)
		lines = append(lines, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}

// breakAt returns where to cut text that is wider than width. The result is at
// least one character in, so that wrapping always ends.
func breakAt(s string, width int) int {
	columns, space, soft, hard := 0, 0, 0, 0
	for i, r := range s {
		if columns += runeWidth(r); columns > width {
			if r == ' ' { // the line is exactly full
				return i
			}
			break
		}
		hard = i + utf8.RuneLen(r)
		switch {
		case r == ' ' && i > 0:
			space = i
		case strings.ContainsRune("/.,-:", r):
			soft = hard
		}
	}
	switch {
	case space > 0:
		return space
	case soft > width/2:
		return soft
	case hard > 0:
		return hard
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}
