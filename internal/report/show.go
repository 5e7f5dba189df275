package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
)

// maxShown is the maximal length of each string in formats for people, in code points.
// Names in Kubernetes have at most 253 characters, and file names at most 4,096 bytes.
// Only hostile manifests have longer strings. Formats for programs have no limit.
const maxShown = 4096

// show is like quote.Text, but cuts texts longer than maxShown.
func show(s string) string { return shortenQuoted(s, quote.Text) }

// showName is like quote.Name, but cuts names longer than maxShown.
func showName(s string) string { return shortenQuoted(s, quote.Name) }

// showFile returns the name of an input for people. "-" becomes "<stdin>".
func showFile(file string) string {
	if file == "-" {
		return "<stdin>"
	}
	return showName(file)
}

// shortenQuoted applies escape to a string. It cuts a string that is longer than maxShown
// and adds a mark.
func shortenQuoted(s string, escape func(string) string) string {
	if len(s) <= maxShown {
		return escape(s)
	}
	n := 0
	for i := range s {
		if n == maxShown {
			return escape(s[:i]) + "..."
		}
		n++
	}
	return escape(s)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// containsWord reports whether text contains word as a separate word. Letters, digits and
// other characters of names must not be next to it.
func containsWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, n := utf8.DecodeRuneInString(text[end:])
		if after == '.' { // a full stop at the end of a sentence also ends the word
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
