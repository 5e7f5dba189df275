package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestTextPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, data   string
		line, column int
		want         position
	}{
		{"first", "a: b\n", 1, 1, position{0, 0}},
		{"second line", "a: b\nc: d\n", 2, 4, position{1, 3}},
		{"behind two units", "a: 😀x\n", 1, 5, position{0, 5}},
		{"behind one unit", "a: éx\n", 1, 5, position{0, 4}},
		{"behind a byte order mark", "\ufeffa: b\n", 1, 1, position{0, 1}},
		{"behind the line", "a\nb\n", 1, 99, position{0, 1}},
		{"behind the text", "a\nb", 9, 1, position{1, 1}},
		{"no line", "a\n", 0, 0, position{0, 0}},
		{"CR LF", "a\r\nb: c\r\n", 2, 4, position{1, 3}},
		{"the end of CR LF", "a\r\nb\r\n", 1, 9, position{0, 1}},
		{"CR alone ends a line of the protocol only", "a\rb: c\n", 1, 3, position{1, 0}},
	} {
		x := newText(tt.data)
		if got := x.position(x.findingOffset(tt.line, tt.column)); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTextEdit(t *testing.T) {
	at := func(l1, c1, l2, c2 int) *textRange { return &textRange{position{l1, c1}, position{l2, c2}} }
	for _, tt := range []struct {
		name, data string
		at         *textRange
		with, want string
	}{
		{"insert", "ab\ncd\n", at(1, 1, 1, 1), "X", "ab\ncXd\n"},
		{"across lines", "ab\ncd\n", at(0, 1, 1, 1), "", "ad\n"},
		{"behind an emoji", "a😀b\n", at(0, 3, 0, 4), "X", "a😀X\n"},
		{"inside a pair of units", "a😀b\n", at(0, 2, 0, 3), "X", "aXb\n"},
		{"at the end", "ab", at(7, 7, 7, 7), "X", "abX"},
		{"reversed", "abcd", at(0, 3, 0, 1), "X", "aXd"},
		{"negative", "abcd", at(-1, -1, 0, 1), "X", "Xbcd"},
		{"behind CR LF", "a\r\nb", at(0, 9, 0, 9), "X", "aX\r\nb"},
		{"all", "abcd", nil, "X", "X"},
	} {
		if got := newText(tt.data).edit(tt.at, tt.with).data; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FuzzText compares positions with those in a UTF-16 copy of the text, line by line.
func FuzzText(f *testing.F) {
	f.Add("a: 😀\r\nb\rc\n\ufeffd", 1, 2)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, data string, line, character int) {
		if !utf8.ValidString(data) || len(data) > 1<<10 {
			return
		}
		x := newText(data)
		lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\r", "\n"), "\n")
		if len(lines) != len(x.lines) {
			t.Fatalf("%q: %d lines, want %d", data, len(x.lines), len(lines))
		}
		at := x.offset(position{line, character})
		if at < 0 || at > len(data) || at < len(data) && !utf8.RuneStart(data[at]) {
			t.Fatalf("%q: offset %d of %d:%d", data, at, line, character)
		}
		if line >= 0 && line < len(lines) && character >= 0 {
			units := utf16.Encode([]rune(lines[line]))
			want := min(character, len(units))
			if want > 0 && want < len(units) && utf16.IsSurrogate(rune(units[want])) && units[want] >= 0xdc00 {
				want-- // the offset is inside a surrogate pair
			}
			if got := x.position(at); got != (position{line, want}) {
				t.Fatalf("%q: %d:%d became %v, want %d:%d", data, line, character, got, line, want)
			}
		}
		if place := x.findingOffset(line, character); place < 0 || place > len(data) {
			t.Fatalf("%q: place %d", data, place)
		}
	})
}
