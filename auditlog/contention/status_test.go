package contention_test

import (
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// TestStatus checks that fights over a condition are found if statuses are collected. Conditions
// that components of Kubernetes set must not be reported.
func TestStatus(t *testing.T) {
	client := func(user string) scenario.Client { return scenario.Client{User: user, Agent: "program/v1"} }
	condition := func(status, since string) scenario.Object {
		return scenario.Object{"conditions": []any{scenario.Object{"type": "Ready", "status": status, "lastTransitionTime": since}}}
	}
	play := func(a, b string) []byte {
		s := scenario.NewServer("status")
		target := scenario.Target{Group: "example.com", Version: "v1", Kind: "Widget", Resource: "widgets", Namespace: "shop", Name: "app"}
		s.Create(client(a), target, scenario.Object{"spec": scenario.Object{"mode": "x"}})
		for i := range 8 {
			s.Status(client(a), target, condition("True", string(rune('a'+i))))
			s.Status(client(b), target, condition("False", string(rune('A'+i))))
		}
		return s.Log()
	}
	for _, level := range []string{"RequestResponse", "Request"} {
		for _, c := range []struct {
			a, b   string
			status bool
			want   int
		}{
			{"one", "two", true, 1},
			{"one", "two", false, 0},
			{"system:node:a", "system:serviceaccount:kube-system:node-controller", true, 0},
		} {
			log := play(c.a, c.b)
			if level != "RequestResponse" {
				log = atLevel(t, log, level)
			}
			fights := collect(t, contention.Config{Status: c.status}, 1, log).Report(contention.Thresholds{}).Fights
			if len(fights) != c.want {
				t.Errorf("level %s, %s and %s, status %v: %d fights, want %d", level, c.a, c.b, c.status, len(fights), c.want)
			}
			for _, f := range fights {
				if len(f.Fields) != 1 || f.Fields[0].Path != "status.conditions[type=Ready].status" || f.Object.Resource != "widgets/status" {
					t.Errorf("level %s: %v of %s", level, f.Fields, f.Object)
				}
			}
		}
	}
}
