package quote_test

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/quote"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "",
		"plain [0] \"text\" ~ \\x1b":         "plain [0] \"text\" ~ \\x1b",
		"日本語 é ü 🚀 e\u0301":                  "日本語 é ü 🚀 e\u0301",
		"a\nb\tc\rd":                         `a\nb\tc\rd`,
		"\x00\x1b[31m\x7f":                   `\x00\x1b[31m\x7f`,
		"\u0080\u009b":                       `\u0080\u009b`,
		"\u200e\u202a\u202e\u2066\u2069":     `\u200e\u202a\u202e\u2066\u2069`,
		"\u200b\u200d\u2060\ufeff\u00ad":     `\u200b\u200d\u2060\ufeff\u00ad`,
		"\u00a0\u3000\u2028\u2029":           `\u00a0\u3000\u2028\u2029`,
		"\u3164\u115f\u2800\ufe0f":           `\u3164\u115f\u2800\ufe0f`,
		"\U000e0041\U000f0000":               `\U000e0041\U000f0000`,
		"\xff\xc3(\xed\xa0\x80":              `\xff\xc3(\xed\xa0\x80`,
		"\ufffd":                             "\ufffd",
		"::error::x":                         `\x3a:error::x`,
		" ::stop-commands::x":                ` \x3a:stop-commands::x`,
		"x ::error::":                        `x \x3a:error::`,
		"::1 a::b fe80::1 :: x":              "::1 a::b fe80::1 :: x",
		"##[error]":                          `#\x23[error]`,
		"a ##vso[task.complete]":             `a #\x23vso[task.complete]`,
		"###[x]":                             `##\x23[x]`,
		"## heading [x]":                     "## heading [x]",
		"C# ## ##":                           "C# ## ##",
		"\u00e9##[group]":                    "\u00e9#\\x23[group]",
		strings.Repeat("a", 5000) + "\x1b[m": strings.Repeat("a", 5000) + `\x1b[m`,
	} {
		if got := quote.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
		if got := quote.Text(quote.Text(in)); got != quote.Text(in) {
			t.Errorf("Text is not idempotent on %q: %q", in, got)
		}
	}
}
