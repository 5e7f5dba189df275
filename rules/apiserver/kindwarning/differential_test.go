package kindwarning

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
)

// generatedCase is a random object with the answer of a release's own code.
// Warnings has only warnings that this package predicts.
type generatedCase struct {
	recorded.Case
	Code     int      `json:"code"`
	Warnings []string `json:"warnings,omitempty"`
}

func (c generatedCase) differs(t *testing.T, s apiserver.Server) string {
	t.Helper()
	r, ok := c.Request()
	if !ok {
		t.Fatalf("%s: not a request", c.ID)
	}
	return cmp.Diff(c.Warnings, predictedTexts(s, r, c.Op, c.Code))
}

// TestAgainstServerCode compares the warnings about random objects with those of
// Kubernetes' own functions; see recorded.EachRelease. Its environment variables:
//
//   - KUBEVET_ASK_COUNT is the number of objects of each kind.
//   - KUBEVET_ASK_KINDS lists the kinds. By default, all kinds are tested.
//   - KUBEVET_ASK_RECORD, if set, writes the answers to testdata, for
//     TestGenerated.
func TestAgainstServerCode(t *testing.T) {
	kinds := strings.Fields(os.Getenv("KUBEVET_ASK_KINDS"))
	if len(kinds) == 0 {
		kinds = slices.Sorted(maps.Keys(makers))
	}
	recorded.EachRelease(t, func(t *testing.T, s apiserver.Server, random *rand.Rand) {
		g := generator{random, s.Minor}
		var records []generatedCase
		for _, kind := range kinds {
			var questions []recorded.Question
			for i := range recorded.Count(200) {
				q := recorded.Question{ID: strconv.Itoa(i), Op: "create", Obj: g.object(kind)}
				if g.chance(3) {
					q.Op, q.Old = "update", q.Obj
					q.Obj = g.changedObject(q.Obj.(object))
				}
				questions = append(questions, q)
			}
			accepted, wrong := 0, 0
			for i, a := range recorded.Ask(t, s.Minor, questions) {
				if a.Code < 300 {
					accepted++
				}
				c := generatedCase{questions[i].Case(t), a.Code, expected(kind, a)}
				if a.Code < 500 {
					records = append(records, c)
				}
				if diff := c.differs(t, s); diff != "" {
					if wrong++; wrong <= 3 {
						text, _ := json.Marshal(questions[i])
						t.Errorf("%s\n%d %s (-server +here):\n%s", text, a.Code, a.Message, diff)
					}
				}
			}
			t.Logf("%-32s %d objects, %d accepted, %d answers differ", kind, len(questions), accepted, wrong)
		}
		if os.Getenv("KUBEVET_ASK_RECORD") != "" {
			recorded.Write(t, "testdata/generated-"+s.Minor.String()+".jsonl.gz", records)
		}
	})
}

// TestGenerated compares the warnings about random objects with the answers that
// TestAgainstServerCode recorded.
func TestGenerated(t *testing.T) {
	recorded.Servers(t, "testdata/generated-*.jsonl.gz", func(t *testing.T, s apiserver.Server, cases []generatedCase) {
		for _, c := range cases {
			if diff := c.differs(t, s); diff != "" {
				t.Errorf("%s %s\n%d (-server +here):\n%s", c.Op, c.Obj, c.Code, diff)
			}
		}
	})
}
