package apiserver

import (
	"fmt"
	"testing"
)

// TestHeaders compares Headers with the headers that a server sent when the
// warnings together exceeded the limit.
func TestHeaders(t *testing.T) {
	long := func(n, runes int) []Warning {
		var all []Warning
		for i := range n {
			all = append(all, Warning{Text: fmt.Sprintf("%0*d", runes, i)})
		}
		return all
	}
	for _, test := range []struct {
		name      string
		in        []Warning
		want, max int
	}{
		{"60 of 300", long(60, 300), 16, 256},
		{"40 of 163", long(40, 163), 26, 163},
		{"12 of 700", long(12, 700), 12, 256},
		{"4096 in all", long(16, 256), 16, 256},
		{"one that is too long", long(1, 5000), 1, 256},
		{"short ones", long(3, 10), 3, 10},
		{"said before", append(long(3, 10), long(3, 10)...), 3, 10},
		{"said before, many", append(long(30, 10), long(30, 10)...), 30, 10},
		{"not for a header", []Warning{{Text: "a\nb"}, {Text: "\xff"}, {Text: ""}, {Text: "é\ufffd"}}, 1, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Headers(test.in)
			if len(got) != test.want {
				t.Fatalf("%d headers, want %d", len(got), test.want)
			}
			for _, w := range got {
				if n := len([]rune(w.Text)); n > test.max {
					t.Errorf("%d code points, want %d at most", n, test.max)
				}
			}
		})
	}
}
