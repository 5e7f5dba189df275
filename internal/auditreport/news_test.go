package auditreport

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
)

// TestNews checks that each finding that is not about an API has a subject of its own.
// The subject must not depend on counts.
func TestNews(t *testing.T) {
	d := liveDocument(3)
	news := d.News()
	if len(news) != 7 {
		t.Fatalf("%d findings: %+v", len(news), news)
	}
	later := liveDocument(4).News()
	seen := map[string]bool{}
	for i, n := range news {
		if seen[n.Key] {
			t.Errorf("two findings have the key %s", n.Key)
		}
		seen[n.Key] = true
		if later[i].Key != n.Key {
			t.Errorf("the key changes with the counts: %s, %s", n.Key, later[i].Key)
		}
	}
	for i, want := range []struct{ rule, time, key string }{
		{"removedapi", "t1", "scaler"}, {"deprecatedapi", "t2", "ci"}, {"imagetag", "end", "image"}, {"fieldmanager", "t3", "writer"},
		{"policyviolation", "t4", "policy"}, {"fieldfight", "t5", "web"}, {"managerleftover", "t6", "tf"},
	} {
		if n := news[i]; n.Rule != want.rule || n.Time != want.time || !strings.Contains(n.Key, want.key) {
			t.Errorf("%+v, want %v", n, want)
		}
	}
}

// liveDocument returns a document with a finding of each kind. It also has two clients
// without findings: one reads all resources, and one names its field manager.
func liveDocument(count int64) *Document {
	d := &Document{Summary: Summary{Last: "end"}}
	d.uses = []Row{
		{First: "t1", Count: count, Removed: "1.25", Gone: true, Replacements: []string{"policy/v1"}, values: []string{"1.25", "scaler", "scaler", "policy/v1beta1 pdbs"}},
		{First: "t2", Count: count, values: []string{"", "ci", "", "v1 endpoints"}},
		{First: "t2", Count: count, Wildcard: true, values: []string{"", "gc", "", "v1 endpoints"}},
	}
	d.Bodies = []Body{{User: "u", API: "v1 pods", Path: "spec.image", Message: "m"}}
	d.Clients = []Client{{User: "writer", Unnamed: count, Last: "t3"}, {User: "named", Named: count}}
	d.Admission.Denials = []Denial{{Outcome: "passed", Policy: "policy", Last: "t4"}, {Outcome: "denied", Policy: "other"}}
	d.Fights = []Fight{{Rule: "fieldfight", Object: FightObject{"apps", "deployments", "shop", "web"}, Last: "t5", Reversals: count, Ongoing: true}}
	d.Leftovers = []Leftover{{Manager: "tf", Last: "t6"}}
	for _, rule := range []string{"removedapi", "deprecatedapi", "deprecatedapi", "imagetag", "fieldmanager", "policyviolation", "fieldfight", "managerleftover"} {
		d.Findings = append(d.Findings, rules.Finding{Rule: rule, Message: rule})
	}
	return d
}

func TestWriteMetrics(t *testing.T) {
	var out bytes.Buffer
	if err := liveDocument(3).WriteMetrics(&out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "# HELP") {
			got = append(got, line)
		}
	}
	const want = `# TYPE kubevet_audit_deprecated_requests_total counter
kubevet_audit_deprecated_requests_total{user="scaler",agent="scaler",api="policy/v1beta1 pdbs",removed_release="1.25"} 3
kubevet_audit_deprecated_requests_total{user="ci",agent="",api="v1 endpoints",removed_release=""} 3
kubevet_audit_deprecated_requests_total{user="gc",agent="",api="v1 endpoints",removed_release=""} 3
# TYPE kubevet_audit_unnamed_writes_total counter
kubevet_audit_unnamed_writes_total{user="writer",agent=""} 3
# TYPE kubevet_audit_fight_reversals gauge
kubevet_audit_fight_reversals{rule="fieldfight",group="apps",resource="deployments",namespace="shop",name="web"} 3
# TYPE kubevet_audit_fights gauge
kubevet_audit_fights{rule="fieldfight"} 1
kubevet_audit_fights{rule="selfflap"} 0
# TYPE kubevet_audit_requests_total counter
kubevet_audit_requests_total 0
# TYPE kubevet_audit_damaged_records_total counter
kubevet_audit_damaged_records_total 0
`
	if text := strings.Join(got, ""); text != want {
		t.Errorf("got\n%s", text)
	}
}
