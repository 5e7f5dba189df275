package differential

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/oracle"
	"github.com/kubevet/kubevet/internal/oracle/strategies"
)

var (
	questions = flag.Int("questions", 5000, "how many questions TestGenerated makes up")
	seed      = flag.Uint64("seed", 1, "what TestGenerated makes them up from")
	unseens   = flag.Bool("unseen", false, "show what is refused and kubevet does not see")
)

func cases(tb testing.TB) []oracle.Case {
	tb.Helper()
	all, err := oracle.ReadCases(filepath.Join("..", "cases"))
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func TestCases(t *testing.T) {
	o := strategies.New()
	var count [differs + 1]int
	for _, c := range cases(t) {
		if strings.HasPrefix(c.File, "server/") {
			continue
		}
		outcome, text, err := compare(o, &c)
		if err != nil {
			continue
		}
		count[outcome]++
		if outcome == differs && known[c.ID] {
			count[differs]--
			continue
		}
		show(t, &c, outcome, text)
	}
	report(t, count)
}

// known has the cases with known differences. Package checks has the reasons.
var known = map[string]bool{
	"kind/other/owners/duplicate-merge":              true,
	"pod/security/apparmor/with-other-pod-field/Pod": true,
}

// TestGenerated compares kubevet's answers to generated requests with the server's. The
// requests are the same in each run. kubevet does not re-state all of validation, so one
// answer in two hundred may differ. The flag -v shows these answers.
func TestGenerated(t *testing.T) {
	o := strategies.New()
	g := newGenerator(cases(t), o.Serves)
	var count [differs + 1]int
	for n := range uint64(*questions) {
		c := question(t, g, *seed+n)
		outcome, text, err := compare(o, c)
		if err != nil {
			t.Fatalf("question %d: %v", *seed+n, err)
		}
		count[outcome]++
		if outcome == differs {
			t.Logf("%s\nold: %s\nobject: %s", text, c.Old(), c.Body())
			continue
		}
		show(t, c, outcome, text)
	}
	report(t, count)
	if count[differs]*200 > count[same] {
		t.Errorf("%d of %d answers differ", count[differs], count[same]+count[differs])
	}
}

// FuzzAnswers compares the answers to generated requests.
func FuzzAnswers(f *testing.F) {
	o := strategies.New()
	g := newGenerator(cases(f), o.Serves)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := question(t, g, seed)
		outcome, text, err := compare(o, c)
		if err != nil {
			t.Fatal(err)
		}
		show(t, c, outcome, text)
	})
}

// question generates a request that creates or replaces an object.
func question(tb testing.TB, g *generator, seed uint64) *oracle.Case {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	obj := g.object(r)
	c := &oracle.Case{ID: "generated"}
	if r.IntN(3) == 0 {
		old, err := json.Marshal(obj)
		if err != nil {
			tb.Fatal(err)
		}
		c.Op, c.Setup = "update", []json.RawMessage{old}
		obj = g.changed(r, obj)
	}
	var err error
	if c.Obj, err = json.Marshal(obj); err != nil {
		tb.Fatal(err)
	}
	return c
}

func show(t *testing.T, c *oracle.Case, outcome outcome, text string) {
	t.Helper()
	switch {
	case outcome == differs:
		t.Errorf("%s: %s\nold: %s\nobject: %s", c.ID, text, c.Old(), c.Body())
	case outcome == unseen && *unseens:
		t.Logf("%s: %s\nold: %s\nobject: %s", c.ID, text, c.Old(), c.Body())
	}
}

// report logs the numbers of outcomes. It fails the test if kubevet misses too many
// refusals.
func report(t *testing.T, count [differs + 1]int) {
	t.Helper()
	t.Logf("%d answers are the same, %d differ, %d refusals are not seen, %d questions only a server could answer", count[same], count[differs], count[unseen], count[unasked])
}
