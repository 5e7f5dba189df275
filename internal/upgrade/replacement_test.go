package upgrade

import (
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestReplacement checks that a replacement is served before the API is removed. If a
// better API comes later, the text must name its release.
func TestReplacement(t *testing.T) {
	for _, c := range []struct {
		from, to      lifecycle.Minor
		version, kind string
		want          string
	}{
		{26, 30, "flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema", "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema, and v1 from 1.29 on"},
		{29, 32, "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "flowcontrol.apiserver.k8s.io/v1 FlowSchema"},
		{26, 30, "storage.k8s.io/v1beta1", "CSIStorageCapacity", "storage.k8s.io/v1 CSIStorageCapacity"},
		{26, 30, "autoscaling/v2beta2", "HorizontalPodAutoscaler", "autoscaling/v2 HorizontalPodAutoscaler"},
		{24, 26, "policy/v1beta1", "PodSecurityPolicy", ""},
		{26, 30, "resource.k8s.io/v1alpha1", "ResourceClaim", "resource.k8s.io/v1 ResourceClaim, from 1.34 on"},
	} {
		api, ok := lifecycle.LookupGV(c.version, c.kind)
		if !ok {
			t.Fatal(c)
		}
		if got := (Upgrade{From: c.from, To: c.to}).replacement(api); got != c.want {
			t.Errorf("%s %s from %s to %s: %q, want %q", c.version, c.kind, c.from, c.to, got, c.want)
		}
	}
}
