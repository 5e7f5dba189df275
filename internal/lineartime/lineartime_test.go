package lineartime

import (
	"strings"
	"testing"
)

// TestLinearTime runs each shape with four sizes. Each size is double the previous one.
func TestLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a kubevet with counters")
	}
	c := newCounting(t)
	t.Run("planted", func(t *testing.T) { checkPlanted(t, c) })
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			g, worst := c.grow(t, s)
			t.Log(g)
			if g.exceeds() {
				t.Errorf("the work grows by more than %v when the input doubles: %v%s", maxGrowth, g, worst)
			}
		})
	}
}

// checkPlanted checks the test itself with code whose work grows with the square of the
// input. The test must find this growth in every kind of code.
func checkPlanted(t *testing.T, c *countingBinary) {
	text := shape{
		name: "planted", n: 1000, args: []string{"a.txt"},
		files: func(n int) map[string]string { return map[string]string{"a.txt": strings.Repeat("a\n", n)} },
	}
	for kind, want := range map[string]bool{"linear": false, "loop": true, "scan": true, "shift": true, "allocate": true} {
		t.Run(kind, func(t *testing.T) {
			g, worst := c.grow(t, text, "KUBEVET_PLANTED="+kind)
			t.Log(g, worst)
			if g.exceeds() != want {
				t.Errorf("got %v, want %v: %v", g.exceeds(), want, g)
			}
		})
	}
}
