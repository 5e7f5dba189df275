package validation

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// nameForms are the regular expressions with which the server matches names, and
// the functions that replace them here.
var nameForms = []struct {
	expression string
	good       func(string) bool
}{
	{label1123, isLabel1123},
	{subdomain, isSubdomain},
	{qualified, func(s string) bool { return matches(s, inAlphaNums, inNames) }},
	{underscored + `(\.` + underscored + ")*", func(s string) bool { return len(s) > 253 || len(underscoreErrors(lifecycle.Newest, s)) == 0 }},
	{"[a-z]([-a-z0-9]*[a-z0-9])?", func(s string) bool { return len(s) > 63 || len(label1035Errors(lifecycle.Newest, s)) == 0 }},
	{"[-._a-zA-Z0-9]+", func(s string) bool { return everyIn(s, inNames) }},
	{"[-a-z0-9]+", func(s string) bool { return everyIn(s, inLabels) }},
	{"[-A-Za-z0-9]+", func(s string) bool { return len(headerNameErrors(s)) == 0 }},
	{"[0-9]+%", func(s string) bool { return len(percentErrors(s)) == 0 }},
	{`[a-z0-9]([-_a-z0-9]*[a-z0-9])?`, func(s string) bool { return matches(s, inLowerNums, inBare) }},
}

// FuzzNames compares the functions in nameForms with the server's regular expressions.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		"", "a", "-", ".", "_", "a-b", "a-", "-a", "a.b", "a..b", ".a", "a.", "a.-b", "a-.b", "a._b", "_a.b", "A", "aB.c_d", "50%", "%", "ä", "a\x00", "a=b", "a b", "~", "\x7f",
		strings.Repeat("a", 70), strings.Repeat("a.", 130) + "a",
	} {
		f.Add(s)
	}
	forms := make([]*regexp.Regexp, len(nameForms))
	for i := range nameForms {
		forms[i] = regexp.MustCompile("^(?:" + nameForms[i].expression + ")$")
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i, re := range forms {
			if strings.HasPrefix(nameForms[i].expression, "[a-z](") && len(s) > 63 || i == 3 && len(s) > 253 {
				continue // s is also too long
			}
			if got, want := nameForms[i].good(s), re.MatchString(s); got != want {
				t.Errorf("%q by %s: %t, want %t", s, nameForms[i].expression, got, want)
			}
		}
		relaxed := s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) || r == '=' })
		if got := len(envNameErrors(s, true)) == 0; got != relaxed {
			t.Errorf("%q as the name of a variable: %t, want %t", s, got, relaxed)
		}
		if got, want := base64Size(s), base64SizeOf(s); got != want {
			t.Errorf("%q stands for %d bytes, want %d", s, got, want)
		}
	})
}

// base64SizeOf computes base64Size in a simpler way.
func base64SizeOf(s string) int {
	s = strings.NewReplacer("\n", "", "\r", "").Replace(s)
	return base64.StdEncoding.DecodedLen(len(s)) - (len(s) - len(strings.TrimRight(s, "=")))
}
