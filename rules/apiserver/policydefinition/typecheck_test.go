package policydefinition

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// typeCheckAnswer has the warnings of a release's type checker about a policy
// that its validation accepts.
type typeCheckAnswer struct {
	ID     string                               `json:"id"`
	Code   int                                  `json:"code"`
	Typing []struct{ FieldRef, Warning string } `json:"typing"`
}

// digits matches the digits that the type checker appends to the name of a kind.
var digits = regexp.MustCompile(`\b([A-Z][A-Za-z]+)[0-9]{1,9}\b`)

// TestTypeCheck compares the warnings with those of the releases' own type
// checkers.
func TestTypeCheck(t *testing.T) {
	cases := map[string]recorded.Case{}
	for _, c := range recorded.Lines[recorded.Case](t, "testdata/cases.jsonl.gz") {
		cases[c.ID] = c
	}
	for _, name := range []string{"1.28", "1.30", "1.33", "1.37"} {
		t.Run(name, func(t *testing.T) {
			target, err := lifecycle.NewTarget(name, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			resources := NewResources(target, target.To, nil)
			n := 0
			for _, a := range recorded.Lines[typeCheckAnswer](t, "testdata/answers-"+name+".jsonl.gz") {
				c := cases[a.ID]
				r, ok := c.Request()
				if a.Code != 201 || !ok || r.Kind != "ValidatingAdmissionPolicy" || slices.Contains(undiscovered, a.ID) {
					continue
				}
				n++
				var want, got []string
				for _, w := range a.Typing {
					want = append(want, w.FieldRef+": "+digits.ReplaceAllString(w.Warning, "$1"))
				}
				for _, w := range resources.TypeCheck(r.New) {
					got = append(got, w.Field+": "+w.Text)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s: %s", a.ID, d)
				}
			}
			if n < 300 {
				t.Errorf("%d policies were checked", n)
			}
		})
	}
}

// undiscovered are cases about kinds of the aggregator, such as APIService. The
// type checker gets their schemas from a running server. The recorder had no
// server.
var undiscovered = []string{"typing/kinds/18", "typing/two/18", "beta/typing/kinds/18", "beta/typing/two/18"}
