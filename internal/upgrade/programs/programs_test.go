package programs

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func see(way upgrade.Upgrade, text string) *Check {
	c := New(way, manifestlint.Trees)
	for _, root := range manifestlint.Trees(text) {
		meta := root.Get("metadata")
		c.See(&seen.Object{
			Ref: rules.ObjectRef{
				APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
				Namespace: meta.Get("namespace").StringOr(""), Name: meta.Get("name").StringOr(""),
			},
			Root: root,
			Place: func(at wire.Pos) upgrade.Evidence {
				return upgrade.Evidence{File: "x.yaml", Line: at.Line, Column: at.Column}
			},
		})
	}
	return c
}

func TestSee(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // subject, first minor and line of each fact
	}{
		{"static pod", `{apiVersion: v1, kind: Pod, spec: {containers: [
{command: [/usr/local/bin/kube-apiserver, --cloud_provider=external, --secure-port, "6443",
--feature-gates, "AppArmor=true,JobPodFailurePolicy=true"]}]}}`,
			[]string{"kube-apiserver --cloud-provider 1.33 2", "feature gate AppArmor=true 1.33 3", "feature gate JobPodFailurePolicy=true 1.33 3"}},
		{"image without a command", `{apiVersion: apps/v1, kind: DaemonSet, spec: {template: {spec: {containers: [
{image: "registry.k8s.io/kube-proxy:v1.29.1@sha256:0", args: [--proxy-port-range=1-2]}]}}}}`,
			[]string{"kube-proxy --proxy-port-range 1.31 2"}},
		{"a shell", `{apiVersion: v1, kind: Pod, spec: {containers: [
{command: [/bin/sh, -c, 'mkfifo /tmp/p; exec "/usr/local/bin/kube-apiserver" --cloud-config=/x --v=2 > /tmp/p 2>&1']}]}}`,
			[]string{"kube-apiserver --cloud-config 1.33 2"}},
		{"another program's flag of the same name", `{apiVersion: v1, kind: Pod, spec: {containers: [
{command: [my-manager, --cloud-provider=external]}, {args: [--kubelet-service=kube-system/kubelet, --cloud-provider=external]},
{command: [my-manager, --watch, kubelet, --cloud-provider=external]}]}}`, nil},
		{"kubeadm, map", `apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
nodeRegistration:
  kubeletExtraArgs:
    pod-infra-container-image: x
    keep-terminated-pod-volumes: "true"
`, []string{"kubelet --pod-infra-container-image 1.35 5 deprecated", "kubelet --keep-terminated-pod-volumes 1.31 6", "kubeadm.k8s.io/v1beta3 JoinConfiguration 1.37 1 deprecated"}},
		{"kubeadm, list", `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
apiServer:
  extraArgs:
  - name: cloud-provider
    value: external
`, []string{"kube-apiserver --cloud-provider 1.33 5"}},
		{"k3s", "kubelet-arg: keep-terminated-pod-volumes=true\nkube-controller-manager-arg: [volume-host-allow-local-loopback=false]\nmy-arg: [cloud-provider=x]\n",
			[]string{"kubelet --keep-terminated-pod-volumes 1.31 1", "kube-controller-manager --volume-host-allow-local-loopback 1.31 2"}},
		{"kOps", `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
spec:
  kubelet: {featureGates: {AppArmor: "true"}}
  kubeAPIServer: {disableAdmissionPlugins: [SecurityContextDeny]}
  networking: {featureGates: {AppArmor: "true"}}
`, []string{"feature gate AppArmor=true 1.33 4", "admission plugin SecurityContextDeny 1.30 5"}},
		{"Cluster API", `apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
spec:
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: {cloud-provider: external}}}
    joinConfiguration: {nodeRegistration: {kubeletExtraArgs: {cloud-provider: external, register-schedulable: "false"}}}
`, []string{"kube-apiserver --cloud-provider 1.33 5", "kubelet --register-schedulable 1.34 6 deprecated"}},
		{"a file in a ConfigMap", `apiVersion: v1
kind: ConfigMap
metadata: {name: kubelet-config, namespace: kube-system}
data:
  other: "apiVersion: ["
  kubelet: |
    apiVersion: kubelet.config.k8s.io/v1beta1
    kind: KubeletConfiguration
    featureGates: {AppArmor: false}
`, []string{"feature gate AppArmor=false 1.31 6"}},
		{"the same elsewhere", `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: docs}, data: {a: "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfeatureGates: {AppArmor: false}\n"}}`, nil},
		{"hostile", "{apiVersion: v1, kind: Pod, spec: {containers: [{command: kubelet}, null, {command: [null, {a: b}]}, 7]}}", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			way := upgrade.Upgrade{From: 29, To: 33}
			var got []string
			for _, f := range see(way, c.text).Facts() {
				first := (f.Minors & lifecycle.Range{From: way.From, To: way.To}.Minors()).Oldest().String()
				text := f.Subject + " "
				switch {
				case f.Severity == rules.Error:
					text += first
				default:
					text += f.Planned
				}
				text += " " + string(rune('0'+f.Evidence.Line))
				if f.Severity != rules.Error {
					text += " deprecated"
				}
				got = append(got, text)
				if f.Reference == "" || f.Replacement == "" || f.Text == "" || strings.ContainsAny(f.Text, "\n") {
					t.Errorf("%+v", f)
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	const file = "apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n"
	facts := see(upgrade.Upgrade{From: 28, To: 30}, file).Facts()
	if len(facts) != 1 || facts[0].Text != "in 1.29, kube-scheduler does not read this version; 1.28 is the last that does, and 1.29 reads kubescheduler.config.k8s.io/v1" {
		t.Errorf("%+v", facts)
	}
	if facts := see(upgrade.Upgrade{From: 27, To: 28}, file).Facts(); len(facts) != 0 {
		t.Errorf("%+v", facts)
	}
	const proxy = "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nudpIdleTimeout: 1s\n"
	facts = see(upgrade.Upgrade{From: 24, To: 27}, proxy).Facts()
	if len(facts) != 1 || facts[0].Severity != rules.Warning || facts[0].Planned != "1.26" || facts[0].Evidence.Line != 3 {
		t.Errorf("%+v", facts)
	}
	if facts := see(upgrade.Upgrade{From: 26, To: 27}, proxy).Facts(); len(facts) != 0 {
		t.Errorf("ignored before and after: %+v", facts)
	}
}

func TestGaps(t *testing.T) {
	c := see(upgrade.Upgrade{From: 18, To: 22}, `{apiVersion: v1, kind: Pod, spec: {containers: [{command: [kubelet, --my-flag, --feature-gates=Mine=true]}]}}`)
	want := []string{"flags and configuration files of Kubernetes' programs are known from 1.20 on", "no known release has these, so they are not checked: feature gate Mine of kubelet, kubelet --my-flag"}
	if got := c.Gaps(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if c.Looked() != "2 flags, 1 feature gate of Kubernetes' programs" {
		t.Error(c.Looked())
	}
}

// TestFlip checks a gate whose default changes. The configuration sets the old default.
// The fact must also name the release that locks or removes the gate.
func TestFlip(t *testing.T) {
	gate := func(from, to lifecycle.Minor, on bool) upgrade.Fact {
		f, known := Gate(upgrade.Upgrade{From: from, To: to}, "LoadBalancerIPMode", on)
		if !known {
			t.Fatal("not known")
		}
		return f
	}
	f := gate(29, 31, false)
	if f.Severity != rules.Warning || f.Planned != "1.30" || f.Text != "the default becomes true in 1.30, and the setting keeps what was; 1.32 refuses the setting" {
		t.Errorf("%+v", f)
	}
	if f := gate(29, 31, true); f.Minors != 0 {
		t.Errorf("what becomes the default: %+v", f)
	}
	if f := gate(29, 32, false); f.Severity != rules.Error || f.Minors.Oldest() != 32 {
		t.Errorf("locked: %+v", f)
	}
}
