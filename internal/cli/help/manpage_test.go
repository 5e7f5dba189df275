package help

import "testing"

// TestRoff checks that no text becomes a request or an escape of roff.
func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		".kubevet.yaml is read": `\&.kubevet.yaml is read`,
		"'kubevet lint'":        `\&'kubevet lint'`,
		`a\nb --c`:              `a\enb \-\-c`,
		"":                      "",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
