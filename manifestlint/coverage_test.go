package manifestlint

import (
	"math/rand/v2"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// TestCoverage checks that coverage.use finds the same directives as a search
// through all directives.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b"}
	for range 2000 {
		var all []directive
		for range random.IntN(8) {
			from := 1 + random.IntN(10)
			all = append(all, directive{rule: names[random.IntN(2)], from: from, to: from + random.IntN(4), wholeFile: random.IntN(8) == 0})
		}
		want := append([]directive(nil), all...)
		index := newCoverage(all)
		for range 10 {
			f := rules.Finding{Rule: names[random.IntN(2)], Line: 1 + random.IntN(14)}
			covered := false
			for i := range want {
				if want[i].covers(&f) {
					want[i].used, covered = true, true
				}
			}
			if got := index.use(&f); got != covered {
				t.Fatalf("%+v, line %d: got %v, want %v", want, f.Line, got, covered)
			}
		}
		for i := range want {
			if all[i] != want[i] {
				t.Fatalf("got %+v, want %+v", all[i], want[i])
			}
		}
	}
}
