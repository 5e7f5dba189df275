package cluster

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/auditlog/tally"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestReadMetrics(t *testing.T) {
	requested, stored, err := readMetrics(strings.NewReader(`# TYPE apiserver_storage_objects gauge
apiserver_storage_objects{resource="podsecuritypolicies.policy"} 3
apiserver_storage_objects{resource="pods"} 1.2e+03
apiserver_storage_objects{resource="unknown.example.com"} -1
apiserver_resource_objects{group="policy",resource="poddisruptionbudgets"} 7
apiserver_resource_objects{group="",resource="secrets"} 2
apiserver_storage_objects{resource="broken
apiserver_requested_deprecated_apis{group="policy",removed_release="1.25",resource="podsecuritypolicies",subresource="",version="v1beta1"} 1
apiserver_requested_deprecated_apis{group="batch",removed_release="1.25",resource="cronjobs",subresource="",version="v1beta1"} 0
apiserver_requested_deprecated_apis_total{group="x"} 1
`))
	if err != nil {
		t.Fatal(err)
	}
	wantStored := map[string]int{"podsecuritypolicies.policy": 3, "pods": 1200, "poddisruptionbudgets.policy": 7, "secrets": 2}
	if d := cmp.Diff(wantStored, stored); d != "" {
		t.Errorf("stored (-want +got):\n%s", d)
	}
	wantRequested := []tally.MetricRow{{Group: "policy", Version: "v1beta1", Resource: "podsecuritypolicies", Removed: "1.25"}}
	if d := cmp.Diff(wantRequested, requested); d != "" {
		t.Errorf("requested (-want +got):\n%s", d)
	}
}

// TestLost checks that objects are reported as lost only if the target serves
// their kind in no version and in no other group.
func TestLost(t *testing.T) {
	psp := resource{group: "policy", version: "v1beta1", plural: "podsecuritypolicies", kind: "PodSecurityPolicy"}
	pdb := resource{group: "policy", version: "v1beta1", plural: "poddisruptionbudgets", kind: "PodDisruptionBudget"}
	ingress := resource{group: "extensions", version: "v1beta1", plural: "ingresses", kind: "Ingress"}
	for _, c := range []struct {
		of     resource
		n      int
		target string
		want   string
	}{
		{psp, 3, "1.25", "the cluster has 3 objects of kind PodSecurityPolicy (podsecuritypolicies.policy), which is gone in 1.25 without a successor: they are unreachable there"},
		{psp, 1, "1.24..1.26", "the cluster has 1 object of kind PodSecurityPolicy (podsecuritypolicies.policy), which is gone in 1.25 without a successor: they are unreachable there"},
		{psp, 0, "1.25", ""},
		{psp, 3, "1.24", ""},
		{pdb, 3, "1.25", ""},
		{ingress, 3, "1.25", ""},
	} {
		target, err := lifecycle.NewTarget(c.target, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &scan{Connection: &Connection{Name: "cluster:x", Version: 24}, target: target, found: &Found{Name: "cluster:x"}}
		s.addLost(c.of, c.n)
		got := ""
		for _, f := range s.found.Findings {
			got += f.Message
			if f.Rule != "removedapi" || f.Severity != rules.Error || f.File != "cluster:x" {
				t.Errorf("%+v", f)
			}
		}
		if got != c.want {
			t.Errorf("%s, %d, %s: %q, want %q", c.of, c.n, c.target, got, c.want)
		}
	}
}

// TestChoose checks the versions of lists. No version may be deprecated, no
// objects may be listed twice, and aggregated servers must be left out.
func TestChoose(t *testing.T) {
	r := func(group, version, plural, kind string) resource {
		return resource{group: group, version: version, plural: plural, kind: kind, lists: true}
	}
	all := []resource{
		r("", "v1", "events", "Event"),
		r("", "v1", "endpoints", "Endpoints"),
		r("", "v1", "componentstatuses", "ComponentStatus"),
		{version: "v1", plural: "bindings", kind: "Binding"},
		r("extensions", "v1beta1", "ingresses", "Ingress"),
		r("networking.k8s.io", "v1", "ingresses", "Ingress"),
		r("networking.k8s.io", "v1beta1", "ingresses", "Ingress"),
		r("batch", "v1beta1", "cronjobs", "CronJob"),
		r("batch", "v1", "cronjobs", "CronJob"),
		r("events.k8s.io", "v1", "events", "Event"),
		r("policy", "v1beta1", "podsecuritypolicies", "PodSecurityPolicy"),
		r("example.com", "v2alpha1", "things", "Thing"),
		r("example.com", "v1", "things", "Thing"),
		r("metrics.k8s.io", "v1beta1", "nodes", "NodeMetrics"),
	}
	s := &scan{
		Connection: &Connection{Version: 21}, found: &Found{}, resources: all,
		aggregated: map[string]bool{"metrics.k8s.io/v1beta1": true},
		deprecated: map[string]bool{"example.com/v2alpha1/things": true},
	}
	var got, unlisted []string
	for _, r := range s.resourcesToList() {
		got = append(got, r.path())
	}
	for _, r := range s.unlisted {
		unlisted = append(unlisted, r.String())
	}
	want := []string{"/api/v1/endpoints", "/apis/networking.k8s.io/v1/ingresses", "/apis/batch/v1/cronjobs", "/apis/events.k8s.io/v1/events", "/apis/example.com/v1/things"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("listed (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"componentstatuses", "podsecuritypolicies.policy"}, unlisted); d != "" {
		t.Errorf("not listed (-want +got):\n%s", d)
	}
}
