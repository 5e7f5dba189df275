package tally

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

func target(t *testing.T, text string) lifecycle.Target {
	t.Helper()
	made, err := lifecycle.NewTarget(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// uses returns the old APIs with their users, counts and verdicts, as text.
func uses(r *Report) []string {
	counts := map[string]int64{}
	for _, g := range r.Groups {
		counts[fmt.Sprintf("%s %s %s removed at %s, deprecated at %s", g.Client.Who(), g.Client.Agent, g.API, g.RemovedAt, g.DeprecatedAt)] += g.Count
	}
	var all []string
	for what, n := range counts {
		all = append(all, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(all)
	return all
}

// TestMergeOther merges states into tallies for the same and for other targets.
// The tallies must report the same uses as tallies that read the logs.
func TestMergeOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range 400 {
		b.WriteString(line(r, i) + "\n")
	}
	logs := map[string]string{"a": b.String()}
	for _, of := range []string{"1.20", "1.24", "1.37", "1.24..1.26"} {
		for _, want := range []string{"1.20", "1.24..1.26", "1.31..1.37"} {
			s, _ := encoded(t, counted(t, Config{Target: target(t, of), Judge: oddBodies()}, []string{"a"}, logs))
			anew := New(Config{Target: target(t, want), Judge: oddBodies(), Keep: true})
			left, err := anew.MergeOther(s, "a.kvs")
			if err != nil {
				t.Fatal(err)
			}
			if left != (of != want) {
				t.Errorf("%s for %s: bodies left out: %v", of, want, left)
			}
			got := anew.Report()
			if left && len(got.Bodies) > 0 || !left && len(got.Bodies) == 0 {
				t.Errorf("%s for %s: %d bodies", of, want, len(got.Bodies))
			}
			direct := counted(t, Config{Target: target(t, want)}, []string{"a"}, logs).Report()
			if a, b := uses(got), uses(direct); !slices.Equal(onlyOfTarget(a), onlyOfTarget(b)) {
				t.Errorf("%s for %s:\n%s\nwant:\n%s", of, want, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
		}
	}
}

// onlyOfTarget returns the uses that depend on the target. It leaves out
// requests that a server marked as deprecated, because they are reported for
// all targets.
func onlyOfTarget(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.Contains(s, "removed at , deprecated at :") })
}

func TestMergeOtherRefuses(t *testing.T) {
	tl := New(Config{Target: target(t, "1.37"), Keep: true})
	if _, err := tl.MergeOther(&State{}, "a.kvs"); err == nil {
		t.Error("a state without clients was taken")
	}
}

func TestAPIsOf(t *testing.T) {
	logs := map[string]string{"a": strings.Join([]string{line(rand.New(rand.NewPCG(3, 4)), 1), line(rand.New(rand.NewPCG(5, 6)), 2)}, "\n")}
	report := counted(t, Config{}, []string{"a"}, logs).Report()
	var all []string
	for _, c := range report.Clients {
		for _, a := range report.APIsOf(c) {
			all = append(all, a.String())
		}
	}
	var together []string
	for _, a := range report.APIsOf(report.Clients...) {
		together = append(together, a.String())
	}
	slices.Sort(all)
	slices.Sort(together)
	if all = slices.Compact(all); len(all) == 0 || !slices.Equal(all, together) {
		t.Errorf("%q, together %q", all, together)
	}
}
