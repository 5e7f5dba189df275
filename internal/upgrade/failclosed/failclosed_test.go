package failclosed

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/internal/upgrade"
	"github.com/kubevet/kubevet/internal/upgrade/seen"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

func TestFacts(t *testing.T) {
	const head = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: p}\nwebhooks:\n"
	const all = "rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*']}]"
	const refuses = "webhook a of p: while its backend is down, as during a drain, the server refuses "
	for _, c := range []struct {
		name, text, gap string
		live            bool
		want            []string
	}{
		{name: "everything", text: head + "- {name: a, clientConfig: {service: {namespace: sys, name: s}}, " + all + "}\n",
			want: []string{refuses + "pods in kube-system and nodes and the leases by which nodes stay ready; it also stops the pods of its own backend"}},
		{name: "ignored", text: head + "- {name: a, failurePolicy: Ignore, " + all + "}\n"},
		{name: "ignored by default", text: strings.Replace(head, "k8s.io/v1", "k8s.io/v1beta1", 1) + "- {name: a, " + all + "}\n"},
		{name: "other resources", text: head + "- {name: a, rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}\n"},
		{name: "deletions", text: head + "- {name: a, rules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [DELETE]}]}\n"},
		{name: "without the system", text: head + "- name: a\n  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, sys]}]}\n  clientConfig: {service: {namespace: sys}}\n  rules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}]\n"},
		{name: "a label of kube-system", text: "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, labels: {skip: yes}}}\n---\n" + head + "- name: a\n  namespaceSelector: {matchExpressions: [{key: skip, operator: DoesNotExist}]}\n  rules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}]\n"},
		{name: "namespaces that ask for it", text: head + "- {name: a, namespaceSelector: {matchLabels: {inject: 'true'}}, rules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}\n"},
		{name: "objects that ask for it", text: head + "- {name: a, objectSelector: {matchLabels: {inject: 'true'}}, " + all + "}\n"},
		{name: "nodes are in no namespace", text: head + "- {name: a, namespaceSelector: {matchLabels: {x: y}}, rules: [{apiGroups: [''], apiVersions: [v1], resources: [nodes], operations: [UPDATE]}]}\n",
			want: []string{refuses + "nodes"}},
		{name: "conditions", text: head + "- {name: a, matchConditions: [{name: x, expression: 'false'}], " + all + "}\n",
			gap: "1 webhook that may stop pods of the system or nodes, depending on matchConditions, not checked"},
		{name: "an API that does not answer", live: true, text: "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.metrics}, spec: {service: {name: m}}, status: {conditions: [{type: Available, status: 'False', reason: MissingEndpoints}]}}",
			want: []string{"APIService v1.metrics: the API does not answer (MissingEndpoints): deletions of namespaces wait, and tools that read all APIs fail"}},
		{name: "an API that answers", live: true, text: "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.metrics}, spec: {service: {name: m}}, status: {conditions: [{type: Available, status: 'True'}]}}"},
		{name: "hostile", text: head + "- 7\n- {rules: {a: b}}\n- {rules: [{resources: 1}, null]}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := New(upgrade.Upgrade{From: 29, To: 31})
			for _, root := range manifestlint.Trees(c.text) {
				check.See(&seen.Object{
					Ref:  rules.ObjectRef{APIVersion: root.Get("apiVersion").Text, Kind: root.Get("kind").Text, Name: root.At("metadata", "name").StringOr("")},
					Root: root, Live: c.live, Place: func(at wire.Pos) upgrade.Evidence { return upgrade.Evidence{Line: at.Line} },
				})
			}
			var got []string
			for _, f := range check.Facts() {
				got = append(got, f.Subject+": "+f.Text)
				if f.Category != "webhook" || f.Replacement == "" || f.Reference == "" || f.Severity != rules.Warning {
					t.Errorf("%+v", f)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
			if gap := strings.Join(check.Gaps(), ""); gap != c.gap {
				t.Errorf("gaps: %q", gap)
			}
		})
	}
}
