// Package quotetest has functions for tests of outputs. They put hostile names into every
// field of the input, and check the printed text.
package quotetest

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Strings returns names and texts that an attacker could choose. Each attacks a format, a
// terminal, a CI system, or a program that reads the output.
func Strings() []string {
	all := []string{
		// These texts attack terminals.
		"\x1b[31mred", "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "\x1bP+q\x1b\\", "\x1b", "\u009b31m", "\u009d0;x\u009c",
		"a\bb", "a\x7fb", "bell\x07", "\x00", "nul\x00nul", "\x0e\x0f", "\r", "a\rb", "a\r\nb", "line one\nline two", "\n", "\n\n", "tab\tbed", "\v\f", "\u0085next", "\u2028", "a\u2029b",
		// These texts mislead human readers.
		"\u202egpj.exe\u202c", "\u202aa\u202bb", "\u2066a\u2067b\u2068c\u2069", "\u200e\u200f", "\u061c", "zero\u200bwidth\u200d\u2060", "\ufeffmark", "soft\u00adhyphen", "no\u00a0break", "\u3000", "\u3164", "\u2800", "\ufe0f", "\U000e0041\U000e0042", "\ue000",
		"e\u0301", "日本語 é 🚀",
		// These texts attack CI systems.
		"::error::x", "  ::set-output name=a::b", "::error file=a,line=1::pwned", "x\n::error::x", "a\r::error::x", "x ::add-mask::y", "a::b", "fe80::1", "::1", "::stop-commands::token", "\t::debug::x",
		"##vso[task.setvariable variable=x]y", "a ##[error]b", "##[group]x", "###[x]", "##teamcity[buildStop]", "x\n##vso[task.complete]", "%0A::error::x", "%0D%0A", "100%, 50%25", "section_start:1:x\r\x1b[0K",
		// These texts attack markup.
		"```", "a|b", "|||", "`c`", "**b**", "# h", "- item", "[x](https://evil.example)", "https://evil.example", "www.evil.example", "@everyone", "#1", "<!-- -->", "<script>alert(1)</script>", "</script><script>", "<img src=x onerror=alert(1)>", "]]>", "]]></failure>", "&lt;&amp;", "\" onclick=\"x", "' x='", "{{.}}", "${x}", "$(x)",
		// These texts attack spreadsheets, shells and patches.
		"=cmd|' /c calc'!A0", "+1", "-2", "@SUM(1)", "\t=1", "-rf", "--flag", "~", "~root", "a,b", "a;b", "\"", "\"\"", "\"a\"", "a\"b", "a\\b", "\\", "\\n", "\\x1b", "\"\\033\"",
		"--- a/x", "+++ b/x", "diff --git a/x b/x", "@@ -1 +1 @@", "x\n--- victim\n+++ victim\n@@ -1 +1 @@\n-a\n+b",
		// These texts attack labels of metrics.
		"a\"} 1\nfake{x=\"", "a{b=\"c\"} 1", "# HELP x", "x\n# TYPE x",
		// These texts have invalid or unusual encodings.
		"\xff", "\xff\xfe", "a\xc3(", "\xed\xa0\x80", "\xed\xa0\x80\xed\xb0\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xf8\x88\x80\x80\x80", "\xf4\x90\x80\x80", "\x80", "\x9b31m", "\x85", "\ufffd", "\ufffe", "\U0010ffff", "\xe2\x80",
		// These texts have unusual spaces, sizes or words.
		" ", "   ", " lead", "trail ", ".", "..", "../..", "/", "-", "null", "true", "0", "a: b", "a.yaml:1:2: error: x [syntax]",
	}
	return append(all, strings.Repeat("long", 1100), strings.Repeat("\x1b[1m", 100), strings.Repeat("\xff", 100))
}

// Fill sets every exported field that can be reached from the pointer v, including fields
// that are added later. Strings are set to text, lists to two elements, maps to one pair,
// numbers to 1, and booleans to true.
func Fill(v any, text string) { fill(reflect.ValueOf(v).Elem(), text) }

func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text)
		fill(value, text)
		v.SetMapIndex(key, value)
	default:
		panic(fmt.Sprintf("quotetest: no value for %v", v.Type()))
	}
}

var (
	lineCommand   = regexp.MustCompile(`(?m)(^|\r)\s*::[A-Za-z]`)
	inlineCommand = regexp.MustCompile(`##[A-Za-z]*\[`)
)

// Check fails the test if an output has characters that a terminal does not print as
// themselves, or commands of a CI system. If commands is true, commands of GitHub are
// allowed.
func Check(t testing.TB, name string, out []byte, commands bool) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Errorf("%s: not UTF-8: %q", name, out)
	}
	for _, r := range string(out) {
		if r != '\n' && (!unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("%s: has %U: %.200q", name, r, out)
			break
		}
	}
	if at := lineCommand.Find(out); at != nil && !commands {
		t.Errorf("%s: has the command %q: %.200q", name, at, out)
	}
	if at := inlineCommand.Find(out); at != nil {
		t.Errorf("%s: has the command %q: %.200q", name, at, out)
	}
}

// Records returns the number of lines that are not indented by at least four spaces. A
// hostile name must not increase it.
func Records(out []byte) int {
	n := 0
	for line := range strings.Lines(string(out)) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "    ") {
			n++
		}
	}
	return n
}
