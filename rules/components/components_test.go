package components

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestTables checks that every line of the tables has the expected form, and that
// package lifecycle knows the minors.
func TestTables(t *testing.T) {
	for _, text := range []string{flagText, configText} {
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			if n := strings.Count(line, "\t"); n < 2 {
				t.Errorf("line %d: %d tabs: %s", i+1, n, line)
			}
		}
	}
	p := tables()
	if p.oldest == 0 || p.releases[lifecycle.Newest] == "" {
		t.Fatalf("the tables are of %v: generate them again", p.releases)
	}
	for name, e := range p.flags {
		if e.Accepted == 0 || e.Deprecated()&^e.Accepted != 0 || e.File == "" && !strings.HasPrefix(name, "kube") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	for name, c := range p.configs {
		if c.Accepted == 0 || c.Component == "" || c.Reference() == "" {
			t.Errorf("%s: %+v", name, c)
		}
		for _, f := range c.Fields {
			if f.Accepted == 0 || f.Accepted&^c.Accepted != 0 {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestKnown compares the tables with the release notes of Kubernetes.
func TestKnown(t *testing.T) {
	all := func(from, to lifecycle.Minor) lifecycle.Minors { return lifecycle.Range{From: from, To: to}.Minors() }
	for _, c := range []struct {
		component, flag  string
		accepted, called lifecycle.Minors
	}{
		{"kube-apiserver", "insecure-port", all(20, 23), all(20, 23)},
		{"kube-apiserver", "service-account-api-audiences", all(20, 24), all(20, 24)},
		{"kube-apiserver", "cloud-provider", all(20, 32), all(29, 32)},
		{"kube-apiserver", "log_dir", all(20, 25), all(23, 25)},
		{"kube-controller-manager", "pod-eviction-timeout", all(20, 26), 0},
		{"kube-scheduler", "policy-config-file", all(20, 22), 0},
		{"kube-proxy", "proxy-port-range", all(20, 30), 0},
		{"kubelet", "container-runtime", all(20, 26), all(24, 26)},
		{"kubelet", "network-plugin", all(20, 23), all(21, 23)},
		{"kubelet", "pod-infra-container-image", all(20, 34), all(24, 34)},
		{"kubelet", "feature-gates", all(20, lifecycle.Newest), 0},
		{"kube-apiserver", "emulated-version", all(31, lifecycle.Newest), 0},
	} {
		e, ok := Flag(c.component, c.flag)
		if !ok || e.Accepted != c.accepted || c.called != 0 && e.Deprecated() != c.called {
			t.Errorf("%s --%s: accepted %s, deprecated %s", c.component, c.flag, e.Accepted, e.Deprecated())
		}
	}
	if e, ok := AdmissionPlugin("PodSecurityPolicy"); !ok || e.Accepted != all(20, 24) {
		t.Errorf("PodSecurityPolicy: %+v", e)
	}
	if e, ok := KubeadmGate("UnversionedKubeletConfigMap"); !ok || e.Accepted != all(23, 25) {
		t.Errorf("UnversionedKubeletConfigMap: %+v", e)
	}
	if c, ok := ConfigKind("kubescheduler.config.k8s.io/v1beta3", "KubeSchedulerConfiguration"); !ok || c.Accepted != all(23, 28) || c.Component != "kube-scheduler" {
		t.Errorf("KubeSchedulerConfiguration: %+v", c)
	}
	if got := ConfigVersions("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration", 29); len(got) != 1 || got[0] != "kubescheduler.config.k8s.io/v1" {
		t.Errorf("versions in 1.29: %v", got)
	}
	if c, ok := ConfigKind("kubeproxy.config.k8s.io/v1alpha1", "KubeProxyConfiguration"); !ok || len(c.Fields) == 0 || c.Fields[0].Path != "udpIdleTimeout" {
		t.Errorf("KubeProxyConfiguration: %+v", c)
	}
	if _, ok := Flag("kube-apiserver", "no-such-flag"); ok {
		t.Error("a flag that never was")
	}
	const want = "https://github.com/kubernetes/kubernetes/blob/v1.23.17/"
	if e, _ := Flag("kube-apiserver", "insecure-port"); !strings.HasPrefix(e.Reference(), want) {
		t.Errorf("reference: %s", e.Reference())
	}
}
