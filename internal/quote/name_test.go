package quote_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/quote/quotetest"
)

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"dir/web-1.yaml":            "dir/web-1.yaml",
		"a b.yaml":                  "a b.yaml",
		"日本語 é.yaml":                "日本語 é.yaml",
		`CORP\alice`:                `CORP\alice`,
		`{{ include "x" . }}`:       `{{ include "x" . }}`,
		"-rf":                       "-rf",
		"system:serviceaccount:a:b": "system:serviceaccount:a:b",
		`"a"`:                       `"\"a\""`,
		" a":                        `" a"`,
		"a ":                        `"a "`,
		"a\n\t\\\"b":                `"a\n\t\\\"b"`,
		"\a\b\v\f\r":                `"\a\b\v\f\r"`,
		"\x00\x1b[2J\x7f":           `"\000\033[2J\177"`,
		"\u202e":                    `"\342\200\256"`,
		"\xff1":                     `"\3771"`,
		"é\n":                       `"é\n"`,
		"::error::x":                `"\072:error::x"`,
		"##vso[x]":                  `"#\043vso[x]"`,
	} {
		if got := quote.Name(in); got != want {
			t.Errorf("Name(%q) = %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{`a\b`: `"a\\b"`, `a"b`: `"a\"b"`, "a b": "a b", "a": "a"} {
		if got := quote.PatchName(in); got != want {
			t.Errorf("PatchName(%q) = %s, want %s", in, got, want)
		}
	}
}

// unquote parses a quoted name like git (unquote_c_style in quote.c).
func unquote(t *testing.T, s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	s, ok := strings.CutSuffix(s[1:], `"`)
	if !ok {
		t.Fatalf("no quotation mark at the end of %q", s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if at := strings.IndexByte(`abfnrtv\"`, s[i]); at >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v\\\""[at])
			continue
		}
		n, err := strconv.ParseUint(s[i:i+3], 8, 8)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String()
}

// FuzzName checks that a printed name can be parsed again, and is safe to print.
func FuzzName(f *testing.F) {
	for _, s := range quotetest.Strings() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{quote.Name(s), quote.PatchName(s)} {
			quotetest.Check(t, "name", []byte(name), false)
			if strings.Contains(name, "\n") {
				t.Errorf("%q has a line break", name)
			}
			if back := unquote(t, name); back != s {
				t.Errorf("%q is read back as %q", s, back)
			}
			if quote.Text(name) != name {
				t.Errorf("Text changes the name %q", name)
			}
		}
		quotetest.Check(t, "text", []byte(quote.Text(s)), false)
		quotetest.Check(t, "lines", []byte(quote.Lines(s)), false)
		if quote.HasCommand(quote.Code(s)) {
			t.Errorf("code has a command: %q", quote.Code(s))
		}
		b, err := quote.JSON(map[string]any{s: []string{s}}, nil)
		if err != nil || !json.Valid(b) {
			t.Errorf("JSON: %q, %v", b, err)
		}
		quotetest.Check(t, "json", b, false)
	})
}

func TestHasCommand(t *testing.T) {
	for text, want := range map[string]bool{
		"":                              false,
		" a\n-b\n+c\n":                  false,
		"  ::error::x\n":                true,
		" \t ::error::x\n":              true,
		"+::error::x\n":                 false,
		" a\r::error::x\n":              true,
		" echo ::error::x\n":            false,
		" ip: fe80::1\n":                false,
		" ::1\n":                        false,
		"+ a ##vso[task.complete]\n":    true,
		"- a ##[error]x\n":              true,
		" # heading\n## not a [link]\n": false,
	} {
		if got := quote.HasCommand(text); got != want {
			t.Errorf("HasCommand(%q) = %t", text, got)
		}
	}
}
