package lifecycle

import (
	"slices"
	"strings"
	"testing"
)

// mustLookup returns an API. name has the form "apps/v1 Deployment".
func mustLookup(t testing.TB, name string) API {
	t.Helper()
	gv, kind, _ := strings.Cut(name, " ")
	a, ok := LookupGV(gv, kind)
	if !ok {
		t.Fatalf("no API %s", name)
	}
	return a
}

func TestTableIsSound(t *testing.T) {
	known := Range{Oldest, Newest}.Minors()
	for i := range apis {
		r := &apis[i]
		a := API{r}
		if i > 0 {
			p := &apis[i-1]
			if p.groupVersion > r.groupVersion || p.groupVersion == r.groupVersion && p.kind >= r.kind {
				t.Errorf("%v is out of order", a)
			}
		}
		if got, ok := Lookup(a.Group(), a.Version(), a.Kind()); !ok || got != a {
			t.Errorf("Lookup of %v gives %v, %v", a, got, ok)
		}
		if r.enabled&^r.servable != 0 {
			t.Errorf("%v is on by default in %v, where it is not", a, r.enabled&^r.servable)
		}
		if (r.class == List) != (r.item != 0) || r.class == List && r.servable != 0 {
			t.Errorf("%v is a list that is none", a)
		}
		if r.class != List && (r.servable == 0 || r.resource == "") {
			t.Errorf("%v has no path", a)
		}
		for _, w := range r.warnings {
			if w.minors&^r.servable != 0 || w.minors&^known != 0 || w.minors.Oldest() < 19 {
				t.Errorf("%v warns in %v", a, w.minors)
			}
			if !strings.HasPrefix(w.text, a.String()+" is deprecated in v1.") {
				t.Errorf("%v: warning %q is about something else", a, w.text)
			}
		}
		if s, ok := a.Successor(); ok {
			if s == a || !s.Servable().Has(Newest) {
				t.Errorf("successor %v of %v is none at the newest minor", s, a)
			}
			if further, ok := s.Successor(); ok && further.GroupVersion() == a.GroupVersion() {
				t.Errorf("successors of %v go in a circle", a)
			}
		}
		for _, g := range r.gated {
			if gateNamed(g.gate) == nil {
				t.Errorf("%v needs the unknown gate %s", a, g.gate)
			}
		}
	}
	for i := range gates {
		if i > 0 && gates[i-1].name >= gates[i].name {
			t.Errorf("gate %s is out of order", gates[i].name)
		}
		var seen Minors
		for _, s := range gates[i].spans {
			if s.minors == 0 || s.minors&seen != 0 || s.minors&^known != 0 || s.stage == 0 {
				t.Errorf("gate %s: bad span %v", gates[i].name, s)
			}
			seen |= s.minors
		}
	}
}

func TestLookup(t *testing.T) {
	a := mustLookup(t, "apps/v1 Deployment")
	if a.Group() != "apps" || a.Version() != "v1" || a.Kind() != "Deployment" || a.Resource() != "deployments" || !a.Namespaced() || a.Class() != Resource {
		t.Errorf("%v has the wrong parts", a)
	}
	if got, ok := LookupGV([]byte("apps/v1"), []byte("Deployment")); !ok || got != a {
		t.Errorf("lookup by bytes gives %v", got)
	}
	core := mustLookup(t, "v1 Namespace")
	if core.Group() != "" || core.Version() != "v1" || core.Namespaced() {
		t.Errorf("%v has the wrong parts", core)
	}
	list := mustLookup(t, "apps/v1 DeploymentList")
	if list.Class() != List || list.Item() != a || list.Resource() != "deployments" {
		t.Errorf("%v is not the list of %v", list, a)
	}
	for _, name := range [][3]string{
		{"apps", "v1", "deployment"}, {"apps", "v1", ""}, {"", "", ""}, {"apps", "", "Deployment"}, {"Apps", "v1", "Deployment"},
		{"apps", "v1 ", "Deployment"}, {"example.com", "v1", "Deployment"}, {"", "apps/v1", "Namespace"},
	} {
		if a, ok := Lookup(name[0], name[1], name[2]); ok {
			t.Errorf("Lookup%q = %v", name, a)
		}
	}
	if n := len(slices.Collect(All())); n != len(apis) {
		t.Errorf("All yields %d of %d", n, len(apis))
	}
}

func TestZeroAPI(t *testing.T) {
	var a API
	s, ok := a.Successor()
	r, found := a.ReplacementAt(30, Known())
	if !a.IsZero() || a.String() != "" || a.Group() != "" || a.Version() != "" || a.Resource() != "" || a.Class() != 0 ||
		a.State(30, Target{}) != Unknown || a.Warning(30) != "" || a.Removed() != 0 || a.Deprecated() != 0 ||
		a.NotServedByDefault() != 0 || a.LifecycleAt(30) != (Lifecycle{}) || ok || found || !s.IsZero() || !r.IsZero() ||
		!a.Item().IsZero() || NotFoundText(a, 30, Known()) != "" || a.ServedMinors(Known()) != 0 {
		t.Error("the zero API is not nothing")
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	target, err := NewTarget("1.25..1.37", []string{"AllAlpha=true"}, []string{"api/beta=true"})
	if err != nil {
		t.Fatal(err)
	}
	gv, kind := []byte("certificates.k8s.io/v1beta1"), []byte("ClusterTrustBundle")
	if n := testing.AllocsPerRun(100, func() {
		a, _ := LookupGV(gv, kind)
		for m := range target.Range.All() {
			_ = a.State(m, target)
			_ = a.Warning(m)
			_ = target.GateEnabled("ClusterTrustBundle", m)
		}
		_, _ = LookupGV("example.com/v1", "Widget")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLookup(b *testing.B) {
	b.Run("known", func(b *testing.B) {
		gv, kind := []byte("networking.k8s.io/v1"), []byte("Ingress")
		for b.Loop() {
			LookupGV(gv, kind)
		}
	})
	b.Run("unknown", func(b *testing.B) {
		gv, kind := []byte("cert-manager.io/v1"), []byte("Certificate")
		for b.Loop() {
			LookupGV(gv, kind)
		}
	})
}

func BenchmarkState(b *testing.B) {
	a := mustLookup(b, "certificates.k8s.io/v1beta1 ClusterTrustBundle")
	for b.Loop() {
		for m := range (Range{Oldest, Newest}).All() {
			a.State(m, Target{})
		}
	}
}
