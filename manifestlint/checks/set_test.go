package checks

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// setOf returns a set of the context objects in YAML documents.
func setOf(t *testing.T, yaml string) *Set {
	t.Helper()
	return NewSet(gather(t, yaml, ContextKinds()))
}

func gather(t *testing.T, yaml string, kinds []string) []objectcontext.Object {
	t.Helper()
	input := manifestlint.Input{Name: "set.yaml", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte(yaml))), nil
	}}
	given, err := objectcontext.Collect(context.Background(), slices.Values([]manifestlint.Input{input}), objectcontext.Options{Kinds: kinds, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return given
}

func TestNamespaceLabels(t *testing.T) {
	set := setOf(t, `
apiVersion: v1
kind: Namespace
metadata: {name: one, labels: {team: x, pod-security.kubernetes.io/warn: baseline}}
---
apiVersion: v1
kind: Namespace
metadata: {name: bare}
---
apiVersion: v1
kind: Namespace
metadata: {name: agree, labels: {env: dev, team: x, pod-security.kubernetes.io/warn: baseline}}
---
apiVersion: v1
kind: Namespace
metadata: {name: agree, labels: {env: prod, team: x, pod-security.kubernetes.io/warn: baseline}}
---
apiVersion: v1
kind: Namespace
metadata: {name: differ, labels: {pod-security.kubernetes.io/warn: baseline}}
---
apiVersion: v1
kind: Namespace
metadata: {name: differ, labels: {pod-security.kubernetes.io/warn: restricted}}
---
apiVersion: v1
kind: Namespace
metadata: {name: more, labels: {team: x}}
---
apiVersion: v1
kind: Namespace
metadata: {name: more, labels: {team: x, pod-security.kubernetes.io/enforce: baseline}}
---
apiVersion: example.com/v1
kind: Namespace
metadata: {name: custom, labels: {a: b}}
`)
	for _, c := range []struct {
		name string
		want map[string]string
		ok   bool
	}{
		{"one", map[string]string{"team": "x", "pod-security.kubernetes.io/warn": "baseline"}, true},
		{"bare", map[string]string{}, true},
		{"agree", map[string]string{"team": "x", "pod-security.kubernetes.io/warn": "baseline"}, true},
		{"differ", nil, false},
		{"more", nil, false},
		{"custom", nil, false},
		{"none", nil, false},
	} {
		got, ok := set.NamespaceLabels(c.name)
		if diff := cmp.Diff(c.want, got); diff != "" || ok != c.ok {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, ok, diff)
		}
	}
	var none *Set
	if _, ok := none.NamespaceLabels("one"); ok {
		t.Error("no set knows a namespace")
	}
}

func TestDryRunRefusal(t *testing.T) {
	set := setOf(t, `
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingWebhookConfiguration
metadata: {name: a}
webhooks:
- name: widgets.example.com
  namespaceSelector: {matchLabels: {team: x}}
  matchPolicy: Equivalent
  rules:
  - {operations: [CREATE], apiGroups: [example.com], apiVersions: [v1], resources: [widgetry]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: refused}
webhooks:
- name: all.example.com
  rules:
  - {operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgetry.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgetry}
  versions:
  - {name: v1, served: true, storage: true}
  - {name: v2, served: true, storage: false}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: x}}
`)
	target, err := lifecycle.NewTarget("1.20..1.22", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		version, namespace string
		minor              lifecycle.Minor
		want               string
	}{
		{"v1", "shop", 21, `admission webhook "widgets.example.com" does not support dry run`},
		{"v2", "shop", 21, `admission webhook "widgets.example.com" does not support dry run`},
		{"v2", "elsewhere", 21, ""},
		{"v1", "shop", 22, ""},
	} {
		given := gather(t, strings.NewReplacer("VERSION", c.version, "NAMESPACE", c.namespace).Replace(`
apiVersion: example.com/VERSION
kind: Widget
metadata: {name: w, namespace: NAMESPACE}
`), []string{"Widget"})
		o := &given[0].Object
		o.Root = given[0].Body()
		got := ""
		if r := set.DryRunRefusal(target, c.minor, o); r != nil {
			got = r.Text
		}
		if got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
	if set.anyWebhooks() != true || setOf(t, "").anyWebhooks() {
		t.Error("which set has webhooks?")
	}
}
