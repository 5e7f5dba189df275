package fix

import "testing"

func TestFlowEnd(t *testing.T) {
	for text, want := range map[string]int{
		"{a: b}, {c: d}": 6, "{a: [b, {c: d}]}]": 16, `{a: "}\"", b: 'it''s }'} x`: 24,
		"{a: b": 0, "{a:\n b}": 0, "{a: *b}": 0, "{a: &b c}": 0, "{a: b # c}": 0, `{a: "b`: 0, "a": 0, "": 0,
	} {
		if got := flowEnd([]byte(text), 0); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
