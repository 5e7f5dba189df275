package skew

import (
	"slices"
	"testing"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func TestFact(t *testing.T) {
	for _, c := range []struct {
		program         string
		minor, from, to lifecycle.Minor
		first           lifecycle.Minor // first release that does not support the program; 0 for none
	}{
		{"kubelet", 29, 29, 32, 0},
		{"kubelet", 29, 29, 33, 33},
		{"kubelet", 28, 29, 33, 32},
		{"kubelet", 25, 26, 29, 29},
		{"kubelet", 24, 25, 28, 27}, // kubelet 1.24 may be at most two minors older than the API server
		{"kubelet", 24, 29, 30, 29}, // the API server of 1.29 does not support kubelet 1.24 either
		{"kubelet", 33, 29, 33, 0},
		{"kube-proxy", 28, 29, 32, 32},
		{"kube-scheduler", 29, 29, 30, 0},
		{"kube-scheduler", 29, 29, 31, 31},
	} {
		way := upgrade.Upgrade{From: c.from, To: c.to}
		f, ok := Fact(way, c.program, c.minor)
		first := (f.Minors & lifecycle.Range{From: c.from, To: c.to}.Minors()).Oldest()
		if ok != (c.first != 0) || first != c.first {
			t.Errorf("%+v: %v %v %s", c, ok, first, f.Text)
		}
	}
}

func TestSee(t *testing.T) {
	const text = `{apiVersion: v1, kind: Node, metadata: {name: a}, status: {nodeInfo: {kubeletVersion: v1.28.9-eks-036c24b, kubeProxyVersion: v1.28.9-eks-036c24b}}}
---
{apiVersion: v1, kind: Node, metadata: {name: b}, status: {nodeInfo: {kubeletVersion: v1.31.0, kubeProxyVersion: v1.27.1}}}
---
{apiVersion: v1, kind: Node, metadata: {name: c}, status: {nodeInfo: {kubeletVersion: x}}}
---
{apiVersion: v1, kind: Node, metadata: {name: d, labels: {a: b}}}
---
{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: p}, spec: {template: {spec: {containers: [{image: "localhost:5000/kube-proxy:v1.27.4-eksbuild.2"}, {image: kube-proxy}, {image: "my/kube-proxy-exporter:v1.2"}]}}}}
`
	c := New(upgrade.Upgrade{From: 29, To: 33})
	for _, root := range manifestlint.Trees(text) {
		c.See(&seen.Object{
			Ref:  rules.ObjectRef{APIVersion: root.Get("apiVersion").Text, Kind: root.Get("kind").Text, Name: root.At("metadata", "name").Text},
			Root: root, Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{Line: at.Line} },
		})
	}
	var got []string
	for _, f := range c.Facts() {
		got = append(got, f.Subject+" "+f.Evidence.Object+" "+f.Evidence.Text+" "+f.Text)
	}
	want := []string{
		"kubelet 1.28 Node a v1.28.9-eks-036c24b kubelet 1.28 supports API servers up to 1.31",
		"kube-proxy 1.27 Node b v1.27.1 kube-proxy 1.27 supports API servers up to 1.30",
		"kube-proxy 1.27 DaemonSet p v1.27.4-eksbuild.2 kube-proxy 1.27 supports API servers up to 1.30",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if c.Looked() != "the versions of 3 nodes" || len(c.Gaps()) != 1 {
		t.Errorf("%q %q", c.Looked(), c.Gaps())
	}
}

// TestRemedy checks the versions that a fix names. They must be supported by the first
// API server that does not support the old version, and by the API server before it.
func TestRemedy(t *testing.T) {
	way := upgrade.Upgrade{From: 26, To: 30}
	for _, c := range []struct {
		program string
		minor   lifecycle.Minor
		want    string
	}{
		{"kube-proxy", 24, "Upgrade kube-proxy to 1.26, at least to 1.25, before the API server is upgraded to 1.27."},
		{"kubelet", 26, "Upgrade kubelet to 1.29, at least to 1.27, before the API server is upgraded to 1.30. This drains the nodes: make the drain changes first."},
		{"kube-scheduler", 26, "Upgrade kube-scheduler to 1.27 before the API server is upgraded to 1.28."},
		{"kube-proxy", 22, "Upgrade kube-proxy to 1.26, at least to 1.24."},
	} {
		if f, _ := Fact(way, c.program, c.minor); f.Replacement != c.want {
			t.Errorf("%s %s: %q, want %q", c.program, c.minor, f.Replacement, c.want)
		}
	}
}
