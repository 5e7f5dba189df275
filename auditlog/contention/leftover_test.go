package contention_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/auditlog/contention"
	"github.com/kubevet/kubevet/auditlog/internal/scenario"
)

// TestLeftovers checks that the fields of a program's earlier updates are
// found, and no other fields. The responses have the form that servers write.
func TestLeftovers(t *testing.T) {
	type object = scenario.Object
	data := func(kv ...string) object {
		d := object{}
		for i := 0; i < len(kv); i += 2 {
			d[kv[i]] = kv[i+1]
		}
		return object{"data": d}
	}
	kubectl := func(manager string) scenario.Client {
		return scenario.Client{User: "dev@example.com", Agent: "kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0", Manager: manager}
	}
	operator := scenario.Client{User: "system:serviceaccount:shop:operator", Agent: "shop-operator/v1.2"}
	named := operator
	named.Manager = "shop-operator"
	other := scenario.Client{User: "other", Agent: "other/v1", Manager: "other"}
	for name, c := range map[string]struct {
		run  func(s *scenario.Server, t scenario.Target)
		want []string // manager of the update, and its fields
	}{
		"kubectl applied on the client before": {func(s *scenario.Server, t scenario.Target) {
			s.Create(kubectl("kubectl-client-side-apply"), t, data("a", "1", "old", "x"))
			s.Apply(kubectl("kubectl"), t, data("a", "1"), true)
		}, []string{"kubectl-client-side-apply", "data.a", "data.old"}},
		"one manager first updates, then applies": {func(s *scenario.Server, t scenario.Target) {
			s.Create(operator, t, data("a", "1", "old", "x"))
			s.Apply(named, t, data("a", "2"), true)
			s.Apply(named, t, data("a", "2"), true)
		}, []string{"shop-operator", "data.old"}},
		"in a list of containers": {func(s *scenario.Server, t scenario.Target) {
			pod := func(image string) object {
				return object{"spec": object{"containers": []any{object{"name": "c", "image": image, "env": []any{object{"name": "A", "value": "b"}}}}}}
			}
			s.Create(operator, t, pod("nginx:1"))
			s.Apply(named, t, object{"spec": object{"containers": []any{object{"name": "c", "image": "nginx:2"}}}}, true)
		}, []string{"shop-operator"}},
		"another's update": {func(s *scenario.Server, t scenario.Target) {
			s.Create(other, t, data("a", "1", "old", "x"))
			s.Apply(named, t, data("a", "2"), true)
		}, nil},
		"a status": {func(s *scenario.Server, t scenario.Target) {
			s.Apply(named, t, data("a", "2"), true)
			s.Status(named, t, object{"ready": true})
			s.Apply(named, t, data("a", "3"), true)
		}, nil},
		"the update's fields are all taken over": {func(s *scenario.Server, t scenario.Target) {
			s.Create(operator, t, data("a", "1"))
			s.Apply(named, t, data("a", "2"), true)
		}, nil},
		"it was mended in between": {func(s *scenario.Server, t scenario.Target) {
			s.Create(operator, t, data("a", "1", "old", "x"))
			s.Apply(named, t, data("a", "2"), true)
			s.Merge(other, t, object{"data": object{"old": nil}})
			s.Apply(named, t, data("a", "2"), true)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := scenario.NewServer("leftovers")
			target := scenario.Target{Version: "v1", Kind: "ConfigMap", Resource: "configmaps", Namespace: "shop", Name: "app"}
			c.run(s, target)
			var spaced bytes.Buffer // events encoded again, with sorted keys and spaces
			for line := range bytes.Lines(s.Log()) {
				var ev any
				if err := json.Unmarshal(line, &ev); err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(ev)
				if err != nil {
					t.Fatal(err)
				}
				spaced.WriteString(strings.ReplaceAll(string(text), `":`, `": `) + "\n")
			}
			for form, log := range map[string][]byte{"as logged": s.Log(), "written again": spaced.Bytes()} {
				r := collect(t, contention.Config{}, 1, log).Report(contention.Thresholds{})
				var got []string
				for _, l := range r.Leftovers {
					got = append(append(got, l.Update), l.Fields...)
					if l.Writer.User != target.Namespace && l.Object.Name != "app" || l.Manager == "" {
						t.Errorf("%s: %+v", form, l)
					}
				}
				if len(c.want) == 1 && len(got) > 1 {
					for _, p := range got[1:] {
						if !strings.HasPrefix(p, "spec.containers[name=c].") {
							t.Errorf("%s: field %s", form, p)
						}
					}
					got = got[:1]
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: left over %q, want %q", form, got, c.want)
				}
			}
		})
	}
}
