package policydefinition

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
)

// display must return cel-go's text.
func TestDisplay(t *testing.T) {
	env, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a", "a +\n\tb", "(", "'é' + ü", "'日本' + 1 + x", "", "'" + strings.Repeat("é", 9000) + "' + x", strings.Repeat("x + ", 120) + "y"} {
		_, want := env.Compile(text)
		_, got := compile(env, text)
		if want == nil || got == nil {
			t.Fatalf("%q compiles", text)
		}
		if got, want := display(got, text), want.String(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Errors in a long line must not take much time or memory.
func TestDisplayIsBounded(t *testing.T) {
	env, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("x && ", 3000) + "y"
	_, issues := compile(env, text)
	if n := len(display(issues, text)); n > 2*maxDisplay {
		t.Errorf("%d bytes", n)
	}
}
