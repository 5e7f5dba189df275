package webpage

import (
	"html/template"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
)

// Funcs returns the functions for all templates:
//
//	soft   a text that wraps at punctuation if it has long words
//	name   a name, quoted if it has unusual characters, that wraps like soft
//	count  a number and its noun: count 2 "owner" is "2 owners"
//	group  a number with separated thousands
//	clean  a text for an attribute
func Funcs() template.FuncMap {
	return template.FuncMap{
		"soft":  func(s string) template.HTML { return Soft(quote.Text(s)) },
		"name":  func(s string) template.HTML { return Soft(quote.Name(s)) },
		"count": Count,
		"group": Grouped,
		"clean": quote.Text,
	}
}

// maxText is the maximal number of characters of a text in a page.
const maxText = 2000

// longWord is the number of characters from which on a word may wrap at punctuation.
// hugeWord is the number of characters after which it wraps anywhere.
const longWord, hugeWord = 24, 48

// Soft escapes a text for HTML. Long words may be broken after punctuation. A very long
// text is cut and gets a mark.
func Soft(s string) template.HTML {
	if utf8.RuneCountInString(s) > maxText {
		r := []rune(s)
		s = string(r[:maxText]) + "… (" + Count(len(r)-maxText, "more character") + ")"
	}
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		if isTime(word) {
			b.WriteString(`<span class="nb">` + template.HTMLEscapeString(word) + "</span>")
			continue
		}
		if utf8.RuneCountInString(word) <= longWord {
			template.HTMLEscape(&b, []byte(word))
			continue
		}
		run := 0
		runes := []rune(word)
		for i, r := range runes {
			template.HTMLEscape(&b, []byte(string(r)))
			run++
			last := i >= len(runes)-5
			if !last && (run >= minRun(r) && breaksAfter(r, runes[i+1]) || run >= hugeWord) {
				b.WriteString("<wbr>")
				run = 0
			}
		}
	}
	return template.HTML(b.String())
}

// isTime reports whether a word is a time such as 2026-11-21T10:00:00Z, which must not be
// broken at its hyphens.
func isTime(word string) bool {
	const layout = "0000-00-00T00:00:00"
	if len(word) < len(layout) || len(word) > len(layout)+2 {
		return false
	}
	for i := range len(layout) {
		if c := word[i]; layout[i] == '0' && (c < '0' || c > '9') || layout[i] != '0' && c != layout[i] {
			return false
		}
	}
	return true
}

// minRun returns the minimal number of characters between two breaks of a word, if the
// second break is after the character r. The number is high for a dot, so that short
// domain names are not broken.
func minRun(r rune) int {
	if r == '.' {
		return 28
	}
	return 4
}

// breaksAfter reports whether a line may end between two characters of a word. It does
// not break versions.
func breaksAfter(r, next rune) bool {
	return strings.ContainsRune("/:.-_@,;=|)]}", r) && !((r == '.' || r == '-') && '0' <= next && next <= '9')
}

// Count returns a number with its noun. The plural ends with s or -ies.
func Count(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return Grouped(n) + " " + noun
}

// Plural returns the plural of a regular noun.
func Plural(noun string) string {
	stem, found := strings.CutSuffix(noun, "y")
	if found && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}

// Grouped returns a number with its thousands separated.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
