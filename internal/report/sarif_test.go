package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// sarifLog has the parts of a SARIF log that the tests check.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		AutomationDetails *struct{ ID string }
		Results           []struct {
			RuleID    string
			RuleIndex *int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
					Region           map[string]int
				}
			}
			PartialFingerprints map[string]string
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level   string
				Message struct{ Text string }
			}
		}
	}
}

func readLog(t testing.TB, data []byte) sarifLog {
	t.Helper()
	var l sarifLog
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if len(l.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(l.Runs))
	}
	return l
}

func TestSARIFSchema(t *testing.T) {
	schema := compile(t, "testdata/sarif-schema-2.1.0.json", "")
	all := runs()
	all["nothing"] = run{}
	for name, r := range all {
		t.Run(name, func(t *testing.T) { validate(t, schema, render(t, "sarif", r, options())) })
	}
	t.Run("no options", func(t *testing.T) {
		validate(t, schema, render(t, "sarif", ordinaryRun(), report.Options{}))
	})
}

// TestSARIFForCodeScanning checks GitHub code scanning's requirements that are not in the
// schema.
func TestSARIFForCodeScanning(t *testing.T) {
	for name, r := range runs() {
		l := readLog(t, render(t, "sarif", r, options())).Runs[0]
		if len(l.Results) != len(r.findings) {
			t.Errorf("%s: %d results, want %d", name, len(l.Results), len(r.findings))
		}
		for _, result := range l.Results {
			if len(result.Locations) != 1 {
				t.Fatalf("%s: %s: %d locations", name, result.RuleID, len(result.Locations))
			}
			location := result.Locations[0].PhysicalLocation
			if location.Region["startLine"] < 1 {
				t.Errorf("%s: %s: no line", name, result.RuleID)
			}
			if i := result.RuleIndex; i != nil && l.Tool.Driver.Rules[*i].ID != result.RuleID {
				t.Errorf("%s: rule %s has index %d, which is %s", name, result.RuleID, *i, l.Tool.Driver.Rules[*i].ID)
			}
			if len(result.PartialFingerprints) != 1 {
				t.Errorf("%s: %s: fingerprints %v", name, result.RuleID, result.PartialFingerprints)
			}
		}
	}
}

func TestSARIFCategory(t *testing.T) {
	schema := compile(t, "testdata/sarif-schema-2.1.0.json", "")
	for category, want := range map[string]string{"": "", "kubevet/lint/1.37": "kubevet/lint/1.37/", "prod/": "prod/", "a \"b\"": "a \"b\"/"} {
		data := render(t, "sarif", ordinaryRun(), report.Options{Category: category})
		validate(t, schema, data)
		got := ""
		if d := readLog(t, data).Runs[0].AutomationDetails; d != nil {
			got = d.ID
		}
		if got != want {
			t.Errorf("%q: the id is %q, want %q", category, got, want)
		}
	}
}

func TestSARIFURI(t *testing.T) {
	for file, want := range map[string]string{
		"a/b.yaml":          "%SRCROOT% a/b.yaml",
		"./a//b.yaml":       "%SRCROOT% a/b.yaml",
		"../x.yaml":         "%SRCROOT% ../x.yaml",
		"über uns/a#b?.yml": "%SRCROOT% %C3%BCber%20uns/a%23b%3F.yml",
		"http://x":          "%SRCROOT% http%3A/x",
		"100%.yaml":         "%SRCROOT% 100%25.yaml",
		"\xff.yaml":         "%SRCROOT% %FF.yaml",
		"/srv/a b.yaml":     " file:///srv/a%20b.yaml",
		"C:/k8s/a.yaml":     " file:///C:/k8s/a.yaml",
		"-":                 " -",
	} {
		r := run{findings: []rules.Finding{{Rule: "syntax", File: file, Message: "x"}}}
		location := readLog(t, render(t, "sarif", r, report.Options{})).Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation
		if got := location.URIBaseID + " " + location.URI; got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}

func fingerprints(t *testing.T, findings ...rules.Finding) []string {
	t.Helper()
	var out []string
	for _, r := range readLog(t, render(t, "sarif", run{findings: findings}, report.Options{})).Runs[0].Results {
		for _, f := range r.PartialFingerprints {
			out = append(out, f)
		}
	}
	return out
}

func TestSARIFFingerprint(t *testing.T) {
	web := rules.ObjectRef{APIVersion: "v1", Kind: "Pod", Name: "web"}
	base := rules.Finding{
		Rule: "duplicatekey", Message: "first on line 3", File: "a.yaml",
		Line: 3, Column: 1, EndLine: 3, EndColumn: 4, Object: &web, Path: "spec.x",
	}
	moved := base
	moved.Line, moved.EndLine, moved.Column, moved.Document = 90, 90, 7, 2
	moved.Message = "first on line 90"
	otherPath := base
	otherPath.Path = "spec.y"
	otherRule := base
	otherRule.Rule = "syntax"
	otherObject := base
	otherObject.Object = &rules.ObjectRef{APIVersion: "v1", Kind: "Pod", Name: "db"}
	noObject := base
	noObject.Object = nil

	one := fingerprints(t, base)[0]
	if got := fingerprints(t, moved)[0]; got != one {
		t.Error("the fingerprint changes when the finding moves")
	}
	if diff := cmp.Diff(fingerprints(t, otherPath, base, moved), fingerprints(t, otherPath, moved, base)); diff != "" {
		t.Errorf("two findings that differ only in position:\n%s", diff)
	}
	seen := map[string]int{}
	for i, f := range fingerprints(t, base, base, otherPath, otherRule, otherObject, noObject) {
		if j, ok := seen[f]; ok {
			t.Errorf("findings %d and %d have the same fingerprint", j, i)
		}
		seen[f] = i
	}
	otherFile := base
	otherFile.File = "b.yaml"
	if got := fingerprints(t, base, otherFile, base); got[0] != got[1] || got[0] != got[2] {
		t.Error("findings are counted across files")
	}
}

func TestSARIFLinksAreDefused(t *testing.T) {
	r := run{findings: []rules.Finding{{Rule: "syntax", File: "a", Message: "see [this](https://evil.example) at containers[0]"}}}
	got := readLog(t, render(t, "sarif", r, report.Options{})).Runs[0].Results[0].Message.Text
	if want := `see [this\](https://evil.example) at containers[0]`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSARIFLimit(t *testing.T) {
	var r run
	for i := range 25003 {
		r.findings = append(r.findings, rules.Finding{Rule: "syntax", File: "a", Message: fmt.Sprint(i), Line: i + 1})
	}
	l := readLog(t, render(t, "sarif", r, report.Options{})).Runs[0]
	if len(l.Results) != 25000 {
		t.Errorf("%d results, want 25000", len(l.Results))
	}
	n := l.Invocations[0].ToolExecutionNotifications
	if len(n) != 1 || !strings.Contains(n[0].Message.Text, "3 findings left out") {
		t.Errorf("notifications %v", n)
	}
}

func TestSARIFIncomplete(t *testing.T) {
	inv := readLog(t, render(t, "sarif", incompleteRun(), report.Options{})).Runs[0].Invocations[0]
	if inv.ExecutionSuccessful {
		t.Error("an incomplete run is called successful")
	}
	levels := map[string]int{}
	for _, n := range inv.ToolExecutionNotifications {
		levels[n.Level]++
	}
	// The errors are two unreadable inputs, one line about three more, and one input that
	// is too large.
	if diff := cmp.Diff(map[string]int{"error": 4, "note": 16}, levels); diff != "" {
		t.Errorf("notifications by level (-want +got):\n%s", diff)
	}
}
