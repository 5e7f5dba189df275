package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
)

// maxShown is the maximum length, in code points, of each string in formats for people. Kubernetes
// names have at most 253 characters and file names 4,096 bytes; only a hostile manifest has longer
// ones. The machine formats have no limit.
const maxShown = 4096

// show is quote.Text for a text of any length.
func show(s string) string { return shorten(s, quote.Text) }

// showName is quote.Name for a name of any length.
func showName(s string) string { return shorten(s, quote.Name) }

// showFile is showName for the name of an input.
func showFile(file string) string {
	if file == "-" {
		return "<stdin>"
	}
	return showName(file)
}

// shorten applies safe to a string, or to its beginning if it is too long to be shown.
func shorten(s string, safe func(string) string) string {
	if len(s) <= maxShown {
		return safe(s)
	}
	n := 0
	for i := range s {
		if n == maxShown {
			return safe(s[:i]) + "..."
		}
		n++
	}
	return safe(s)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// containsWord reports whether text contains word without an adjacent letter, digit or other name
// character.
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
