package projects

import (
	"slices"
	"testing"
)

func TestOfGroup(t *testing.T) {
	for group, want := range map[string][]string{
		"cert-manager.io":       {"cert-manager"},
		"certmanager.k8s.io":    {"cert-manager"},
		"argoproj.io":           {"argo-rollouts", "argo-workflows", "argo-cd", "argo-events"},
		"metrics.k8s.io":        {"metrics-server"},
		"monitoring.coreos.com": {"prometheus-operator"},
		"":                      nil,
		"apps":                  nil,
		"example.com":           nil,
		"cert-manager":          nil,
		"zzz":                   nil,
	} {
		g, ok := OfGroup(group)
		slices.Sort(g.Projects)
		slices.Sort(want)
		if ok != (want != nil) || !slices.Equal(g.Projects, want) {
			t.Errorf("OfGroup(%q) = %v, %t, want %v", group, g.Projects, ok, want)
		}
	}
}

func TestKindsAreFound(t *testing.T) {
	n := 0
	var before Kind
	for k := range Kinds() {
		n++
		if found, ok := LookupKind(k.Group, k.Kind); !ok || found != k {
			t.Errorf("LookupKind(%q, %q) = %+v, %t", k.Group, k.Kind, found, ok)
		}
		if k.Group < before.Group || k.Group == before.Group && k.Kind <= before.Kind {
			t.Errorf("%s %s is not in order", k.Group, k.Kind)
		}
		before = k
		if p := k.Project(); p.Name == "" || len(p.Supported()) == 0 {
			t.Errorf("%s %s: project %q is unknown", k.Group, k.Kind, k.project)
		}
		for _, v := range k.Versions() {
			for i, s := range v.Spans {
				if s.State == Absent || s.From.Compare(s.To) > 0 || s.To.Compare(k.Project().Newest()) > 0 || i > 0 && v.Spans[i-1].To.Compare(s.From) >= 0 {
					t.Errorf("%s %s %s: span %+v", k.Group, k.Kind, v.Name, s)
				}
			}
		}
	}
	if n < 400 {
		t.Errorf("%d kinds", n)
	}
}
