package answer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestRefusal compares Refusal with the causes of the whole answer.
func TestRefusal(t *testing.T) {
	refused := 0
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i","lifecycle":{"preStop":{"sleep":{"seconds":31}}}}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":5}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","labels":{"pod-security.kubernetes.io/enforce":"none"}}}`,
		`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"A"}}`,
		`{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"a"},"spec":{"minAvailable":1,"maxUnavailable":1}}`,
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a.b.c"},"spec":{"group":"b.c","names":{"plural":"a","kind":"A"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true}]}}`,
		`{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"A"}}`,
	} {
		r := parse(t, text)
		for m := lifecycle.Oldest; m <= lifecycle.Newest; m++ {
			s := apiserver.Server{Minor: m}
			want := To(s, r, Surroundings{}).Causes
			if diff := cmp.Diff(want, Refusal(s, r), cmpopts.IgnoreUnexported(wire.Value{})); diff != "" {
				t.Errorf("%s at %s: %s", text, m, diff)
			}
			if len(want) > 0 {
				refused++
			}
		}
	}
	if refused < 80 {
		t.Errorf("only %d refusals", refused)
	}
}
