package playground_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/playground"
	"github.com/kubevet/kubevet/rules"
)

const oldCron = `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {name: backup, image: backup}
`

const goodMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: b\n"

// lint returns the underlined parts of a text in the form "RULE: PART".
func lint(t *testing.T, q playground.Question) ([]string, *playground.Result) {
	t.Helper()
	result, err := playground.Lint(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var report struct{ Findings []rules.Finding }
	if err := json.Unmarshal(result.Report, &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) != len(result.Places) {
		t.Fatalf("%d findings and %d places", len(report.Findings), len(result.Places))
	}
	units := utf16.Encode([]rune(q.Text))
	var got []string
	for i, f := range report.Findings {
		at := result.Places[i]
		got = append(got, f.Rule+": "+string(utf16.Decode(units[at.Start:at.End])))
	}
	return got, result
}

func TestLint(t *testing.T) {
	for _, test := range []struct {
		name, text, target, gates string
		want                      []string
		state                     playground.State
	}{
		{"nothing", "", "", "", nil, playground.Empty},
		{"comment", "# nothing\n", "", "", nil, playground.Empty},
		{"good", goodMap, "", "", nil, playground.Accepted},
		{"removed", oldCron, "1.25", "", []string{"removedapi: batch/v1beta1"}, playground.Rejected},
		{"deprecated", oldCron, "1.24", "", []string{"deprecatedapi: batch/v1beta1"}, playground.Warned},
		{"range", oldCron, "1.16..1.37", "", []string{"removedapi: batch/v1beta1", "deprecatedapi: batch/v1beta1"}, playground.Rejected},
		{"syntax", "a: [\n" + goodMap, "", "", []string{"syntax: kind: ConfigMap"}, playground.Rejected},
		{"template", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n", "", "", nil, playground.Unknown},
		{"custom resource", "apiVersion: example.com/v1\nkind: Cache\nmetadata:\n  name: a\n", "", "", nil, playground.Unknown},
		{"units", "# 🐙\n" + strings.Replace(goodMap, "a: b", `"😀": 1`, 1), "", "", []string{"invalidfield: 1"}, playground.Rejected},
		{"gate", sleepZero, "1.33", "PodLifecycleSleepActionAllowZero=false", []string{"prestopsleep: 0"}, playground.Rejected},
		{"no gate", sleepZero, "1.33", "", nil, playground.Accepted},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, result := lint(t, playground.Question{Text: test.text, Target: test.target, Gates: test.gates})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if result.Server.State != test.state {
				t.Errorf("state %s, want %s:\n%s", result.Server.State, test.state, result.Server.Text)
			}
		})
	}
}

const sleepZero = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: web
    lifecycle:
      preStop:
        sleep:
          seconds: 0
`

// TestAnswer checks that the answers of releases differ as their APIs differ.
func TestAnswer(t *testing.T) {
	var states []playground.State
	for _, target := range []string{"1.16", "1.20", "1.21", "1.24", "1.25", "1.37"} {
		s, err := playground.Answer(t.Context(), playground.Question{Text: oldCron, Target: target})
		if err != nil {
			t.Fatal(err)
		}
		if s.Release != target {
			t.Errorf("the answer is of %s, not of %s", s.Release, target)
		}
		states = append(states, s.State)
	}
	want := []playground.State{playground.Accepted, playground.Accepted, playground.Warned, playground.Warned, playground.Rejected, playground.Rejected}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	s, err := playground.Answer(t.Context(), playground.Question{Text: goodMap, Target: "1.16", Gates: "PodLifecycleSleepAction=true"})
	if err != nil || s.State != playground.Unknown || s.Text != "unrecognized feature gate: PodLifecycleSleepAction" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestFix checks that fixes can be applied one at a time or together.
func TestFix(t *testing.T) {
	two := oldCron + "---\n" + strings.Replace(oldCron, "name: backup", "name: other", 1)
	q := playground.Question{Text: two, Target: "1.24"}
	for _, test := range []struct {
		name  string
		which playground.Which
		old   int // number of documents that still have the removed version
		fixed int
	}{
		{"safe", playground.Which{}, 0, 2},
		{"second", playground.Which{Finding: 2, All: true}, 1, 1},
		{"none", playground.Which{Finding: 3}, 2, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := playground.Fix(t.Context(), q, test.which)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(f.Text, "v1beta1"); n != test.old || f.Fixed != test.fixed || (f.Diff == "") != (test.fixed == 0) {
				t.Errorf("%d fixes, %d left:\n%s", f.Fixed, n, f.Diff)
			}
		})
	}
	f, err := playground.Fix(t.Context(), q, playground.Which{Finding: 2})
	if err != nil || !strings.Contains(f.Text[:strings.Index(f.Text, "---")], "v1beta1") {
		t.Errorf("the first finding is fixed instead of the second: %v\n%s", err, f.Diff)
	}
}

// TestHandle checks replies of Handle, including errors.
func TestHandle(t *testing.T) {
	for _, test := range []struct{ name, request, want string }{
		{"no JSON", `{`, `{"error":{"about":"","text":"unexpected end of JSON input"}}`},
		{"unknown", `{"do": "drop"}`, `{"error":{"about":"","text":"unknown request \"drop\""}}`},
		{"target", `{"do": "lint", "target": "2.0"}`, `{"error":{"about":"","text":"invalid Kubernetes version \"2.0\": want one such as 1.37 or v1.37.1, known are 1.16 to 1.37"}}`},
		{"gates", `{"do": "lint", "gates": "PodLifecycleSleepAktion=true"}`, `{"error":{"about":"gates","text":"unrecognized feature gate: PodLifecycleSleepAktion (did you mean PodLifecycleSleepAction?)"}}`},
		{"too long", `{"do": "server", "text": "` + strings.Repeat("a", playground.MaxText+1) + `"}`, `{"error":{"about":"","text":"the text has 262145 bytes: the playground checks at most 256 KiB. The command has no such limit"}}`},
		{"server", `{"do": "server", "text": "", "target": "1.30"}`, `{"result":{"release":"1.30","state":"empty","text":"error: no objects passed to apply\n"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, string(playground.Handle(t.Context(), []byte(test.request)))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	var about struct{ Result playground.About }
	if err := json.Unmarshal(playground.Handle(t.Context(), []byte(`{"do": "about"}`)), &about); err != nil {
		t.Fatal(err)
	}
	if a := about.Result; len(a.Releases) != 22 || a.Releases[0] != "1.16" || a.Rules["removedapi"] == "" || a.Rules["fieldmanager"] != "" {
		t.Errorf("%+v", a)
	}
}

// FuzzLint checks that no text makes the linter panic. Places must be in the text, and a
// fixed text must have no more fixes.
func FuzzLint(f *testing.F) {
	for _, seed := range []string{oldCron, goodMap, sleepZero, "a: [", "\ufeff---\n\u2028é: 😀", "{}\r\n---\r"} {
		f.Add(seed, "1.30", "")
	}
	f.Add(sleepZero, "1.29..1.33", "PodLifecycleSleepAction=true, AllBeta=false")
	f.Fuzz(func(t *testing.T, text, target, gates string) {
		text = strings.ToValidUTF8(text, "\ufffd") // a browser sends only valid UTF-8
		q := playground.Question{Text: text, Target: target, Gates: gates}
		result, err := playground.Lint(t.Context(), q)
		if err != nil {
			return
		}
		size := len(utf16.Encode([]rune(text)))
		for _, p := range result.Places {
			if p.Start < 0 || p.End < p.Start || p.End > size || p.End == p.Start && size > 0 {
				t.Errorf("place %+v of %d", p, size)
			}
		}
		fixed, err := playground.Fix(t.Context(), q, playground.Which{})
		if err != nil {
			t.Fatal(err)
		}
		q.Text = fixed.Text
		if again, err := playground.Fix(t.Context(), q, playground.Which{}); err == nil && again.Diff != "" {
			t.Errorf("a second run changes\n%s", again.Diff)
		}
	})
}
