package lifecycle

import "testing"

func TestDeprecation(t *testing.T) {
	const (
		served = "served"
		none   = ""
	)
	for _, tt := range []struct {
		api                                           string
		introduced, deprecated, removed, notByDefault Minor
		successor                                     string
	}{
		{"apps/v1 Deployment", 9, 0, 0, 0, none},
		{"v1 Endpoints", 0, 33, 0, 0, "discovery.k8s.io/v1 EndpointSlice"},
		{"v1 ComponentStatus", 0, 19, 0, 0, none},
		{"autoscaling/v1 HorizontalPodAutoscaler", 2, 0, 0, 0, none},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 8, 22, 25, 25, "autoscaling/v2 HorizontalPodAutoscaler"},
		{"policy/v1beta1 PodSecurityPolicy", 10, 21, 25, 25, none},
		{"policy/v1beta1 PodDisruptionBudget", 5, 21, 25, 25, "policy/v1 PodDisruptionBudget"},
		{"extensions/v1beta1 Ingress", 1, 14, 22, 22, "networking.k8s.io/v1 Ingress"},
		// Off by default in 1.16 and 1.17, and removed in 1.18.
		{"extensions/v1beta1 Deployment", 1, 8, 18, 0, "apps/v1 Deployment"},
		{"networking.k8s.io/v1beta1 IngressClass", 18, 19, 22, 22, "networking.k8s.io/v1 IngressClass"},
		// Not yet removed, but the removal is planned.
		{"resource.k8s.io/v1beta1 DeviceClass", 32, 35, 38, 0, "resource.k8s.io/v1 DeviceClass"},
		{"rbac.authorization.k8s.io/v1alpha1 Role", 0, 0, 23, 0, "rbac.authorization.k8s.io/v1 Role"},
		{"apps/v1alpha1 PetSet", 0, 0, 5, 0, "apps/v1 StatefulSet"},
	} {
		a := mustLookup(t, tt.api)
		if a.Introduced() != tt.introduced || a.Deprecated() != tt.deprecated || a.Removed() != tt.removed || a.NotServedByDefault() != tt.notByDefault {
			t.Errorf("%v: introduced %v, deprecated %v, removed %v, not by default %v, want %v, %v, %v, %v", a,
				a.Introduced(), a.Deprecated(), a.Removed(), a.NotServedByDefault(), tt.introduced, tt.deprecated, tt.removed, tt.notByDefault)
		}
		if s, ok := a.Successor(); s.String() != tt.successor || ok != (tt.successor != none) {
			t.Errorf("%v: successor %q, want %q", a, s, tt.successor)
		}
	}
}

func TestWarning(t *testing.T) {
	for _, tt := range []struct {
		api   string
		minor Minor
		want  string
	}{
		{"v1 Endpoints", 32, ""},
		{"v1 Endpoints", 33, "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"},
		{"v1 EndpointsList", 33, ""},
		{"v1 ComponentStatus", 18, ""},
		{"v1 ComponentStatus", 19, "v1 ComponentStatus is deprecated in v1.19+"},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 21, ""},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 22, "autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2beta2 HorizontalPodAutoscaler"},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 23, "autoscaling/v2beta1 HorizontalPodAutoscaler is deprecated in v1.22+, unavailable in v1.25+; use autoscaling/v2 HorizontalPodAutoscaler"},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 25, ""},
		{"extensions/v1beta1 Deployment", 17, ""},
		{"extensions/v1beta1 Ingress", 19, "extensions/v1beta1 Ingress is deprecated in v1.14+, unavailable in v1.22+; use networking.k8s.io/v1 Ingress"},
		// The release names the list kind by mistake, also in its server's text.
		{"networking.k8s.io/v1beta1 IngressClass", 21, "networking.k8s.io/v1beta1 IngressClass is deprecated in v1.19+, unavailable in v1.22+; use networking.k8s.io/v1 IngressClassList"},
		{"policy/v1beta1 Eviction", 22, ""},
	} {
		a := mustLookup(t, tt.api)
		if got := a.Warning(tt.minor); got != tt.want {
			t.Errorf("%v at %v: %q, want %q", a, tt.minor, got, tt.want)
		}
	}
	if got := mustLookup(t, "autoscaling/v2beta1 HorizontalPodAutoscaler").WarningMinors().String(); got != "1.22..1.24" {
		t.Errorf("warning minors are %s", got)
	}
}

// Releases change the dates of earlier releases.
func TestLifecycleAt(t *testing.T) {
	ctb := mustLookup(t, "certificates.k8s.io/v1beta1 ClusterTrustBundle")
	if got := ctb.LifecycleAt(33); got.Deprecated != 36 || got.Removed != 39 || !got.Replacement.IsZero() {
		t.Errorf("1.33: %+v", got)
	}
	if got := ctb.LifecycleAt(37); got.Deprecated != 37 || got.Removed != 40 || got.Replacement.String() != "certificates.k8s.io/v1 ClusterTrustBundle" {
		t.Errorf("1.37: %+v", got)
	}
	ingress := mustLookup(t, "extensions/v1beta1 Ingress")
	if !ingress.IsDeprecated(16) || ingress.IsDeprecated(22) {
		t.Error("extensions/v1beta1 Ingress is deprecated from 1.14 until it goes in 1.22")
	}
	if mustLookup(t, "batch/v1beta1 CronJob").IsDeprecated(20) {
		t.Error("batch/v1beta1 CronJob is deprecated since 1.21")
	}
}

func TestReplacementAt(t *testing.T) {
	for _, tt := range []struct {
		api   string
		minor Minor
		want  string
		ok    bool
	}{
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 22, "autoscaling/v2beta2 HorizontalPodAutoscaler", true},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 23, "autoscaling/v2 HorizontalPodAutoscaler", true},
		{"autoscaling/v2beta1 HorizontalPodAutoscaler", 37, "autoscaling/v2 HorizontalPodAutoscaler", true},
		{"batch/v1beta1 CronJob", 20, "batch/v1 CronJob", false}, // 1.21 introduced it
		{"extensions/v1beta1 Ingress", 18, "networking.k8s.io/v1beta1 Ingress", true},
		{"flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema", 26, "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema", true},
		{"flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema", 37, "flowcontrol.apiserver.k8s.io/v1 FlowSchema", true},
		{"node.k8s.io/v1beta1 RuntimeClass", 37, "node.k8s.io/v1 RuntimeClass", true},
		{"autoscaling/v1 HorizontalPodAutoscaler", 20, "", false},
		{"policy/v1beta1 PodSecurityPolicy", 37, "", false},
		{"apps/v1 Deployment", 37, "", false},
	} {
		a := mustLookup(t, tt.api)
		if got, ok := a.ReplacementAt(tt.minor, Known()); got.String() != tt.want || ok != tt.ok {
			t.Errorf("%v at %v: %q, %v, want %q, %v", a, tt.minor, got, ok, tt.want, tt.ok)
		}
	}
}

func TestMinorsByState(t *testing.T) {
	a := mustLookup(t, "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema")
	target, err := NewTarget("1.25..1.33", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		got  Minors
		want string
	}{
		{"not yet", a.NotYetMinors(target), "1.25"},
		{"served", a.ServedMinors(target), "1.26..1.31"},
		{"removed", a.RemovedMinors(target), "1.32..1.33"},
		{"disabled", a.DisabledMinors(target), ""},
		{"all together", a.NotYetMinors(target) | a.ServedMinors(target) | a.RemovedMinors(target), target.String()},
	} {
		if tt.got.String() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, tt.got, tt.want)
		}
	}
}

func TestDisabledBy(t *testing.T) {
	a := mustLookup(t, "certificates.k8s.io/v1beta1 ClusterTrustBundle")
	on, err := NewTarget("1.33", nil, []string{"certificates.k8s.io/v1beta1=true"})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.DisabledBy(33, Target{}); got != "" {
		t.Errorf("by default: %q, want the runtime configuration", got)
	}
	if got := a.DisabledBy(33, on); got != "ClusterTrustBundle" {
		t.Errorf("with the version on: %q, want ClusterTrustBundle", got)
	}
}

func TestGroups(t *testing.T) {
	if !IsGroup("") || !IsGroup("extensions") || IsGroup("example.com") {
		t.Error("IsGroup is wrong")
	}
	if !GroupServed("extensions", 21, Target{}) || GroupServed("extensions", 22, Target{}) || !GroupServed("", 16, Target{}) {
		t.Error("GroupServed is wrong about extensions or core")
	}
	if GroupServed("internal.apiserver.k8s.io", 37, Target{}) {
		t.Error("internal.apiserver.k8s.io has only an alpha version")
	}
	for _, tt := range []struct {
		api   string
		minor Minor
		want  string
	}{
		{"extensions/v1beta1 Ingress", 21, ""},
		{"extensions/v1beta1 Ingress", 22, "404 page not found"},
		{"batch/v1beta1 CronJob", 25, "the server could not find the requested resource"},
		{"v1 EphemeralContainers", 30, "the server could not find the requested resource"},
	} {
		if got := NotFoundText(mustLookup(t, tt.api), tt.minor, Target{}); got != tt.want {
			t.Errorf("%s at %v: %q, want %q", tt.api, tt.minor, got, tt.want)
		}
	}
}
