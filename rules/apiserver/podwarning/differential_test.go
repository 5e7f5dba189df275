package podwarning

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

var update = flag.Bool("update", false, "ask KUBEVET_ASK again for the answers to generated objects")

// diffAnswer returns the difference between the predicted warnings about an
// object and the warnings of a release.
func diffAnswer(t *testing.T, s apiserver.Server, c recorded.Case, a recorded.Answer) string {
	t.Helper()
	r, ok := c.Request()
	if !ok {
		t.Fatalf("%s: not a request", c.ID)
	}
	return cmp.Diff(expected(a), predictedTexts(s, r, a.Code))
}

// TestAgainstServerCode compares the warnings about random objects with those of
// Kubernetes' own functions; see recorded.EachRelease.
func TestAgainstServerCode(t *testing.T) {
	recorded.EachRelease(t, func(t *testing.T, s apiserver.Server, r *rand.Rand) {
		g := generator{r}
		var questions []recorded.Question
		for i := range recorded.Count(2000) {
			questions = append(questions, g.question(i, oneOf(g, generatedKinds...), g.chance(3)))
		}
		accepted, wrong := 0, 0
		for i, a := range recorded.Ask(t, s.Minor, questions) {
			if a.Code < 300 {
				accepted++
			}
			if diff := diffAnswer(t, s, questions[i].Case(t), a); diff != "" {
				if wrong++; wrong <= 5 {
					text, _ := json.Marshal(questions[i])
					t.Errorf("%s\n%d %s (-server +here):\n%s", text, a.Code, a.Message, diff)
				}
			}
		}
		t.Logf("%d objects, %d accepted, %d answers differ", len(questions), accepted, wrong)
	})
}

// question returns a request with a random object of a kind, for a release's
// functions.
func (g generator) question(i int, kind string, isUpdate bool) recorded.Question {
	q := recorded.Question{ID: strconv.Itoa(i), Op: "create", Obj: g.object(kind)}
	if isUpdate {
		q.Op, q.Old = "update", q.Obj
		q.Obj = g.changedObject(q.Obj.(object))
	}
	return q
}

// TestGenerated compares the warnings about random objects with the recorded
// answers of each release's functions.
func TestGenerated(t *testing.T) {
	if *update {
		record(t)
	}
	cases := recorded.Lines[recorded.Case](t, "testdata/generated.jsonl.gz")
	recorded.Servers(t, "testdata/generated-*.jsonl.gz", func(t *testing.T, s apiserver.Server, answers []recorded.Answer) {
		if len(answers) != len(cases) {
			t.Fatalf("%d answers to %d questions", len(answers), len(cases))
		}
		for i, a := range answers {
			if diff := diffAnswer(t, s, cases[i], a); diff != "" {
				t.Errorf("%s (-server +here):\n%s", cases[i].ID, diff)
			}
		}
	})
}

// record asks the program named by KUBEVET_ASK for the answers of every minor
// listed in KUBEVET_ASK_MINORS. It writes them to testdata.
func record(t *testing.T) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(2026, 11))}
	var questions []recorded.Question
	for _, kind := range generatedKinds {
		for i := range 16 {
			questions = append(questions, g.question(len(questions), kind, i%3 == 2))
		}
	}
	recorded.Write(t, "testdata/generated.jsonl.gz", questions)
	for _, name := range strings.Fields(os.Getenv("KUBEVET_ASK_MINORS")) {
		m, err := lifecycle.ParseMinor(name)
		if err != nil {
			t.Fatal(err)
		}
		answers := recorded.Ask(t, m, questions)
		for i := range answers {
			answers[i].Message, answers[i].Causes = "", nil
		}
		recorded.Write(t, "testdata/generated-"+name+".jsonl.gz", answers)
	}
}
