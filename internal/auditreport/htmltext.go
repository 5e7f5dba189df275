package auditreport

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/quote"
)

// maxText is the maximal number of characters in a text of the page.
const maxText = 300

// visible returns a value as quote.Name prints it. A text longer than maxText is cut and
// ends with a mark.
func visible(s string) string {
	if len(s) > 8*maxText {
		// quote.Name never makes a text shorter. So the bytes that are removed here would
		// be cut below, too.
		cut := 4 * maxText
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		rest := utf8.RuneCountInString(s[cut:])
		return cutText(quote.Name(s[:cut]), rest)
	}
	return cutText(quote.Name(s), 0)
}

// visibleAdvice is like visible for texts about a fight, which may be five times as long.
func visibleAdvice(s string) string {
	const most = 5 * maxText
	if s = quote.Text(s); utf8.RuneCountInString(s) > most {
		r := []rune(s)
		s = string(r[:most]) + fmt.Sprintf("… (%d more characters)", len(r)-most)
	}
	return s
}

func cutText(s string, more int) string {
	if len(s) > maxText {
		if n := utf8.RuneCountInString(s); n > maxText {
			r := []rune(s)
			s, more = string(r[:maxText]), more+n-maxText
		}
	}
	if more > 0 {
		s += fmt.Sprintf("… (%d more characters)", more)
	}
	return s
}

func visibles(list []string) []string {
	out := []string{}
	for _, s := range list {
		out = append(out, visible(s))
	}
	return out
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// clock returns a time in UTC in the form of the page.
func clock(s string) string {
	return orDash(strings.Replace(visible(s), "T", " ", 1))
}

// grouped returns a number with its thousands separated.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
