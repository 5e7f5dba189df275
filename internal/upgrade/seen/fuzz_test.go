package seen_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/certificate"
	"github.com/kubevet/kubevet/internal/upgrade/chart"
	"github.com/kubevet/kubevet/internal/upgrade/defaults"
	"github.com/kubevet/kubevet/internal/upgrade/drain"
	"github.com/kubevet/kubevet/internal/upgrade/failclosed"
	"github.com/kubevet/kubevet/internal/upgrade/programs"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/internal/upgrade/skew"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// FuzzChecks checks that all checks end for any objects. The positions of facts must be
// in the text, and facts must have all fields that reports print. A second run must
// return the same facts.
func FuzzChecks(f *testing.F) {
	f.Add("{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: kube-system}, spec: {containers: [{command: [kube-apiserver, --cloud-provider=x, '--feature-gates=AppArmor=true,=,x=']}]}}")
	f.Add("apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\napiServer: {extraArgs: {cloud-provider: x}}\nfeatureGates: {PublicKeysECDSA: true}\n")
	f.Add("kubelet-arg: [keep-terminated-pod-volumes=true, null, {a: b}]\n")
	f.Add("{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 2, template: {metadata: {labels: {a: b}}}}}\n---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 100%, selector: {}}}\n---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 0, selector: {matchExpressions: [{key: a, operator: Exists}]}}}")
	f.Add("{apiVersion: v1, kind: Node, metadata: {name: a}, status: {nodeInfo: {kubeletVersion: v1.20.1, kubeProxyVersion: v1.19.0}}}")
	f.Add("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}, webhooks: [{name: a, clientConfig: {caBundle: LS0tLS1CRUdJTg==}, rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*']}]}]}")
	f.Add("apiVersion: v2\nname: a\nversion: 1\nkubeVersion: <1.30\n")
	f.Add("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: kube-system}, data: {a: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfeatureGates: {AppArmor: no}'}}")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		look := func() string {
			way := upgrade.Upgrade{From: 29, To: 33}
			checks := []seen.Check{
				programs.New(way, manifestlint.Trees), drain.New(way), failclosed.New(way), skew.New(way), chart.New(way), defaults.New(way),
				certificate.New(way, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
			}
			for _, root := range manifestlint.Trees(text) {
				meta := root.Get("metadata")
				o := &seen.Object{
					Ref: rules.ObjectRef{
						APIVersion: root.Get("apiVersion").StringOr(""), Kind: root.Get("kind").StringOr(""),
						Namespace: meta.Get("namespace").StringOr(""), Name: meta.Get("name").StringOr(""),
					},
					Root: root, Live: len(text)%2 == 0,
				}
				o.Place = func(at wire.Pos) upgrade.Evidence {
					if at.Line < 1 || at.Line > lines || at.Column < 1 {
						t.Errorf("a position outside: %+v of %d lines", at, lines)
					}
					return upgrade.Evidence{File: "Chart.yaml", Line: at.Line, Column: at.Column}
				}
				for _, c := range checks {
					c.See(o)
				}
			}
			var all strings.Builder
			for _, c := range checks {
				for _, fact := range c.Facts() {
					if fact.Category == "" || fact.Subject == "" || fact.Text == "" || fact.Replacement == "" || fact.Reference == "" {
						t.Errorf("%+v", fact)
					}
					all.WriteString(fact.Subject + fact.Text + fact.Evidence.Object + "\n")
				}
			}
			return all.String()
		}
		if first, again := look(), look(); first != again {
			t.Errorf("two runs differ:\n%s\n%s", first, again)
		}
	})
}
