package auditreport

import (
	"bytes"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestBodyJudge checks that the search for words misses no body in which the linter has a
// finding.
func TestBodyJudge(t *testing.T) {
	target, err := lifecycle.NewTarget("1.37", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	judge := BodyJudge(target)
	t.Logf("%q", judge.Words)
	for _, c := range []struct {
		name, body string
		rules      []string
	}{
		{"nothing", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`, nil},
		{"sleep", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a","lifecycle":{"preStop":{"sleep":{"seconds":99}}}}]}}`, []string{"prestopsleep"}},
		{"exec sleep", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a","lifecycle":{"preStop":{"exec":{"command":["sleep","99"]}}}}]}}`, []string{"execsleep"}},
		{"reference", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","ownerReferences":[{"apiVersion":"extensions/v1beta1","kind":"Deployment","name":"d","uid":"u"}]}}`, []string{"removedapi"}},
		{"an old object itself", `{"apiVersion":"extensions/v1beta1","kind":"Ingress","metadata":{"name":"a"}}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := judge.Body([]byte(c.body))
			chosen := false
			for _, w := range judge.Words {
				chosen = chosen || bytes.Contains([]byte(c.body), w)
			}
			if len(c.rules) > 0 && !chosen {
				t.Error("no word chooses the body")
			}
			if len(found) != len(c.rules) {
				t.Fatalf("%+v, want %q", found, c.rules)
			}
			for i, f := range found {
				if f.Rule != c.rules[i] {
					t.Errorf("%s, want %s", f.Rule, c.rules[i])
				}
			}
		})
	}
}
