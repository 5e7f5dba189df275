package document

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestReplaceActions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: {{ b }}\n", "a: xxxxxxx\n"},
		{"  {{- if a }}\nb: c\n{{ end }}\r\n", "             \nb: c\n         \r\n"},
		{"{{ a }}, {{ b }},\n", "                ,\n"},
		{"{{ a }} {{ b }} c\n", "xxxxxxx xxxxxxx c\n"},
		{"a: {{ b\n}}{% c %}\n", "a: xxxx\nxxxxxxxxx\n"},
		{"a: ${#list}\n", "a: ${#list}\n"},
	} {
		if got := string(ReplaceActions([]byte(c.text))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestHostileText checks that the time is proportional to the size of a text.
func TestHostileText(t *testing.T) {
	const n = 1_000_000
	started := time.Now()
	for _, text := range []string{
		"a: b\n" + strings.Repeat("\ufeff", n) + "---\nc: d\n",
		"a: b" + strings.Repeat("{{a}}", n),
		"a: b" + strings.Repeat("{{a}} c ", n),
	} {
		normalizeStarts([]byte(text))
		if got := ReplaceActions([]byte(text)); bytes.Contains(got, []byte("{{")) {
			t.Error("markup is left")
		}
	}
	if spent := time.Since(started); spent > time.Minute {
		t.Errorf("%v", spent)
	}
}
