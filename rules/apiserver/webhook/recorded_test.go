package webhook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// TestRecordedAnswers compares kubevet's errors about webhook configurations, and
// its refusals of dry runs, with recorded answers of servers. Answers have the
// order of the cases, because some IDs occur twice.
func TestRecordedAnswers(t *testing.T) {
	cases := recorded.Lines[recorded.Case](t, "testdata/cases.jsonl.gz")
	recorded.Servers(t, "testdata/answers-*.jsonl.gz", func(t *testing.T, s apiserver.Server, answers []recorded.Answer) {
		if len(answers) != len(cases) {
			t.Fatalf("%d answers to %d cases", len(answers), len(cases))
		}
		equal, compared := replay(t, s, cases, func(i int) (recorded.Answer, bool) { return answers[i], true })
		t.Logf("%d of %d equal", equal, compared)
	})
}

// TestReplay121 runs the cases for a 1.21 server, which serves v1beta1. A server
// refuses a dry run unless the webhook declares NoneOnDryRun. The ID of a case
// contains what the webhook declares; se=None means that it declares nothing.
func TestReplay121(t *testing.T) {
	cases := recorded.Lines[recorded.Case](t, "testdata/cases.jsonl.gz")
	refused := 0
	replay(t, apiserver.Server{Minor: 21}, cases, func(i int) (recorded.Answer, bool) {
		c := cases[i]
		a := recorded.Answer{File: c.File, ID: c.ID, Code: 201}
		if c.File != "webhook-2call" || c.Query != nil {
			return a, false
		}
		parts := strings.Split(c.ID, "/")
		if strings.Contains(c.ID, "/v1beta1/") && !strings.Contains(c.ID, "se=NoneOnDryRun") {
			refused++
			a.Code = 400
			a.Message = fmt.Sprintf("admission webhook %q does not support dry run", parts[len(parts)-2]+".oracle.example.com")
		}
		return a, true
	})
	if refused == 0 {
		t.Error("no case is refused")
	}
}

// replay returns the number of compared cases, and the number of cases in which
// kubevet has the server's answer. It ignores requests that are refused for
// another reason.
func replay(t *testing.T, s apiserver.Server, cases []recorded.Case, answer func(i int) (recorded.Answer, bool)) (equal, compared int) {
	var configured []*Configuration
	for i, c := range cases {
		a, known := answer(i)
		if a.ID != c.ID {
			t.Fatalf("answer %s to case %s", a.ID, c.ID)
		}
		obj, err := wire.JSON(c.Obj)
		if err != nil {
			t.Fatal(err)
		}
		r := apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj}
		var want, got []string
		if known {
			for _, cause := range a.Causes {
				if cause.Field != "" { // otherwise it is the error of a webhook or a policy
					want = append(want, cause.Field+": "+cause.Message)
				}
			}
			if strings.HasSuffix(a.Message, "does not support dry run") {
				want = append(want, a.Message)
			}
		}
		if r.Kind == "ValidatingAdmissionPolicyBinding" {
			continue // answers of policies are not predicted here
		}
		compared++
		if config := Read(r.APIVersion, r.Kind, obj); config != nil && a.Code != 404 {
			for _, cause := range validation.Causes(s, r) {
				got = append(got, cause.Field+": "+cause.Text)
			}
			if c.Query != nil && config.Exists(s, nil) {
				configured = append(configured, config)
			}
			if known && a.Code == 201 && !config.Exists(s, nil) {
				t.Errorf("%s: the server accepts it", c.ID)
			}
		} else if c.Query == nil {
			if refusal := NewHooks(configured).DryRun(NewObject(s, r, Cluster{})); refusal != nil {
				got = append(got, refusal.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" && known {
			t.Errorf("%s (-server +verdict):\n%s", c.ID, diff)
		} else {
			equal++
		}
	}
	return equal, compared
}
