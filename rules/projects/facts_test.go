package projects

import "testing"

// TestFacts compares the table with release notes and with the data of other
// tools.
func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		group, kind, version, introduced, deprecated, removed, replacement string
	}{
		// Release notes of cert-manager 0.11 and 1.6. pluto 5.24 has the same
		// removals.
		{"certmanager.k8s.io", "Certificate", "v1alpha1", "0.3", "", "0.11", "cert-manager.io/v1 Certificate"},
		{"certmanager.k8s.io", "Order", "v1alpha1", "0.6", "", "0.11", "acme.cert-manager.io/v1 Order"},
		{"cert-manager.io", "Certificate", "v1alpha2", "0.11", "", "1.6", "cert-manager.io/v1 Certificate"},
		{"cert-manager.io", "ClusterIssuer", "v1alpha3", "0.14", "", "1.6", "cert-manager.io/v1 ClusterIssuer"},
		{"cert-manager.io", "Issuer", "v1beta1", "0.16", "", "1.6", "cert-manager.io/v1 Issuer"},
		{"acme.cert-manager.io", "Challenge", "v1beta1", "0.16", "", "1.6", "acme.cert-manager.io/v1 Challenge"},
		{"cert-manager.io", "Certificate", "v1", "1.0", "", "", ""},
		// Release notes of Istio. pluto has the same removals.
		{"rbac.istio.io", "AuthorizationPolicy", "v1alpha1", "1.2", "", "1.4", "security.istio.io/v1 AuthorizationPolicy"},
		{"authentication.istio.io", "Policy", "v1alpha1", "1.0", "", "1.6", "security.istio.io/v1 PeerAuthentication"},
		{"networking.istio.io", "VirtualService", "v1", "1.22", "", "", ""},
		// The deprecation guide of the snapshot controller.
		{"snapshot.storage.k8s.io", "VolumeSnapshot", "v1beta1", "2.0", "4.1", "6.0", "snapshot.storage.k8s.io/v1 VolumeSnapshot"},
		// Upgrade notes of the projects.
		{"argoproj.io", "Rollout", "v1alpha1", "0.1", "", "", ""},
		{"external-secrets.io", "ExternalSecret", "v1beta1", "0.5", "", "0.17", "external-secrets.io/v1 ExternalSecret"},
		{"external-secrets.io", "ExternalSecret", "v1alpha1", "0.1", "0.5", "0.16", "external-secrets.io/v1 ExternalSecret"},
		{"gateway.networking.k8s.io", "HTTPRoute", "v1alpha2", "0.4", "0.6", "0.8", "gateway.networking.k8s.io/v1 HTTPRoute"},
		{"helm.toolkit.fluxcd.io", "HelmRelease", "v2beta1", "0.1", "2.2", "2.7", "helm.toolkit.fluxcd.io/v2 HelmRelease"},
		{"karpenter.sh", "Provisioner", "v1alpha5", "0.5", "", "0.33", "karpenter.sh/v1 NodePool"},
		{"karpenter.sh", "NodePool", "v1beta1", "0.32", "", "1.1", "karpenter.sh/v1 NodePool"},
		{"kafka.strimzi.io", "Kafka", "v1beta1", "0.12", "", "0.23", "kafka.strimzi.io/v1 Kafka"},
		{"metallb.io", "AddressPool", "v1beta1", "0.13", "0.13", "0.14", "metallb.io/v1beta1 IPAddressPool"},
		{"serving.knative.dev", "Service", "v1alpha1", "0.1", "", "0.19", "serving.knative.dev/v1 Service"},
		{"tekton.dev", "Task", "v1alpha1", "0.1", "", "0.38", "tekton.dev/v1 Task"},
		{"traefik.containo.us", "TLSOption", "v1alpha1", "2.0", "", "3.0", "traefik.io/v1alpha1 TLSOption"},
		{"cilium.io", "CiliumEgressNATPolicy", "v2alpha1", "1.10", "1.12", "1.13", "cilium.io/v2 CiliumEgressGatewayPolicy"},
	} {
		k, _ := LookupKind(tt.group, tt.kind)
		v, ok := k.Version(tt.version)
		if !ok {
			t.Errorf("%s/%s %s is not in the table", tt.group, tt.version, tt.kind)
			continue
		}
		got := [...]string{v.Introduced().String(), v.Deprecated().String(), k.RemovedIn(v).String(), k.Replacement(tt.version, k.Project().Newest())}
		if want := [...]string{tt.introduced, tt.deprecated, tt.removed, tt.replacement}; got != want {
			t.Errorf("%s/%s %s: got %q, want %q", tt.group, tt.version, tt.kind, got, want)
		}
	}
}

func TestWarning(t *testing.T) {
	for _, tt := range []struct {
		group, kind, version string
		release              Release
		want                 string
	}{
		{"cluster.x-k8s.io", "Cluster", "v1beta1", Release{1, 11}, "cluster.x-k8s.io/v1beta1 Cluster is deprecated; use cluster.x-k8s.io/v1beta2 Cluster"},
		{"cluster.x-k8s.io", "Cluster", "v1alpha3", Release{1, 4}, "cluster.x-k8s.io/v1alpha3 Cluster is deprecated; use cluster.x-k8s.io/v1beta1 Cluster"},
		{"cluster.x-k8s.io", "Cluster", "v1beta1", Release{1, 10}, ""},
		{"metallb.io", "AddressPool", "v1alpha1", Release{0, 13}, "metallb.io v1alpha1 AddressPool is deprecated"},
		{"metallb.io", "AddressPool", "v2", Release{0, 13}, ""},
	} {
		k, _ := LookupKind(tt.group, tt.kind)
		if got := k.Warning(tt.version, tt.release); got != tt.want {
			t.Errorf("%s/%s %s at %s: got %q, want %q", tt.group, tt.version, tt.kind, tt.release, got, tt.want)
		}
	}
}

func TestWellKnownGroups(t *testing.T) {
	for k := range Kinds() {
		if owner := ownerOf(k.Group); owner != "" {
			t.Errorf("%s is in the table: %s", k.Group, k.project)
		}
	}
}

func TestProjects(t *testing.T) {
	defines := map[string]bool{}
	for k := range Kinds() {
		defines[k.project] = true
		if to, ok := k.Successor(); ok && to.Preferred(to.Project().Newest()) == "" {
			t.Errorf("%s %s: its successor %s %s is gone", k.Group, k.Kind, to.Group, to.Kind)
		}
	}
	n, before := 0, ""
	for p := range All() {
		n++
		if p.Name <= before || !defines[p.Name] || p.Repository == "" {
			t.Errorf("%+v", p)
		}
		before = p.Name
		all := p.Releases()
		if p.Oldest() != all[0] || p.Newest() != all[len(all)-1] {
			t.Errorf("%s: %s to %s", p.Name, p.Oldest(), p.Newest())
		}
		for i, r := range all {
			if r == (Release{}) || i > 0 && all[i-1].Compare(r) >= 0 {
				t.Errorf("%s: release %s", p.Name, r)
			}
		}
	}
	if n < 36 {
		t.Errorf("%d projects", n)
	}
}

func TestParseRelease(t *testing.T) {
	for text, want := range map[string]Release{
		"1.18": {1, 18}, "v1.18": {1, 18}, "v1.18.2": {1, 18}, "0.5.1-rc.1": {0, 5}, "1.2.3+a": {1, 2},
		"": {}, "1": {}, "v": {}, "1.": {}, ".1": {}, "1.x": {}, "1.2.3.4": {}, "1.-2": {}, "1.+2": {}, "1.99999": {}, "latest": {},
	} {
		got, err := ParseRelease(text)
		if got != want || (err == nil) != (want != Release{}) {
			t.Errorf("ParseRelease(%q) = %v, %v", text, got, err)
		}
	}
}

func TestClosest(t *testing.T) {
	p, _ := Lookup("cert-manager")
	if r, ok := p.Closest(Release{99, 0}); !ok || r != p.Newest() {
		t.Errorf("%v, %t", r, ok)
	}
	if r, ok := p.Closest(Release{0, 1}); ok {
		t.Errorf("%v", r)
	}
	if _, ok := Lookup("cert"); ok {
		t.Error("a project called cert")
	}
}
