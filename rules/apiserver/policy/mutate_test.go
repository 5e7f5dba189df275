package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// mutatingObjects returns a policy for Deployments, with a binding. spec has the
// policy's mutations.
func mutatingObjects(name, version, spec string) string {
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/%[2]s
kind: MutatingAdmissionPolicy
metadata: {name: %[1]s}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps, example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments, widgets]}]
%[3]s
---
apiVersion: admissionregistration.k8s.io/%[2]s
kind: MutatingAdmissionPolicyBinding
metadata: {name: b%[1]s}
spec: {policyName: %[1]s}
`, name, version, spec)
}

const (
	applyLabel = `  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"added": "yes"}}}'}
`
	patchReplicas = `  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: '[JSONPatch{op: "replace", path: "/spec/replicas", value: 3}]'}
`
)

// text returns a value as one line of JSON, with the line number of each scalar.
func text(v *wire.Value) string {
	if v == nil {
		return ""
	}
	switch v.Kind {
	case wire.Map:
		var all []string
		for _, f := range v.Fields {
			all = append(all, f.Name+":"+text(f.Value))
		}
		return "{" + strings.Join(all, " ") + "}"
	case wire.List:
		var all []string
		for _, item := range v.Items {
			all = append(all, text(item))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprintf("%s@%d", v.Text, v.Pos.Line)
}

func TestMutate(t *testing.T) {
	const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1, parts: [{name: a, count: 1}]}\n"
	const definition = `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              color: {type: string}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, properties: {name: {type: string}, count: {type: integer}}}
`
	spec := "spec:{replicas:7@5 template:{spec:{containers:[{name:a@9 image:registry/a@9} {name:b@10 image:other/b@10}]}}}"
	for _, test := range []struct {
		name, objects, object string
		minor                 lifecycle.Minor
		want                  string
		changes               []Change
		unknown, denied       string
	}{
		{name: "none", want: "{team:a@3}} " + spec},
		{name: "label", objects: mutatingObjects("p", "v1", applyLabel), want: "{team:a@3 added:yes@3}} " + spec,
			changes: []Change{{"p", "bp", []string{"metadata.labels.added"}}}},
		{name: "replicas", objects: mutatingObjects("p", "v1", patchReplicas), want: "{team:a@3}} " + strings.Replace(spec, "7@5", "3@5", 1),
			changes: []Change{{"p", "bp", []string{"spec.replicas"}}}},
		{name: "not served", minor: 35, objects: mutatingObjects("p", "v1", applyLabel), want: "{team:a@3}} " + spec},
		{name: "gate off", minor: 34, objects: mutatingObjects("p", "v1beta1", applyLabel), want: "{team:a@3}} " + spec},
		{name: "two", objects: mutatingObjects("p", "v1", applyLabel) + "\n---\n" + mutatingObjects("q", "v1", patchReplicas),
			want:    "{team:a@3 added:yes@3}} " + strings.Replace(spec, "7@5", "3@5", 1),
			changes: []Change{{"p", "bp", []string{"metadata.labels.added"}}, {"q", "bq", []string{"spec.replicas"}}}},
		{name: "condition", objects: mutatingObjects("p", "v1", applyLabel+"  matchConditions: [{name: a, expression: object.spec.replicas > 7}]"), want: "{team:a@3}} " + spec},
		{name: "unknown condition", objects: mutatingObjects("p", "v1", applyLabel+"  matchConditions: [{name: a, expression: request.userInfo.username == 'a'}]"), want: "{team:a@3}} " + spec,
			unknown: "p/bp -1: request.userInfo"},
		{name: "unknown value", objects: mutatingObjects("p", "v1", strings.Replace(applyLabel, `"yes"`, "request.userInfo.username", 1)), want: "{team:a@3}} " + spec,
			unknown: "p/bp 0: request.userInfo"},
		{name: "container", objects: mutatingObjects("p", "v1", `  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "b", image: "new"}]}}}}'}
`), want: "{team:a@3}} " + strings.Replace(spec, "other/b@10", "new@10", 1),
			changes: []Change{{"p", "bp", []string{"spec.template.spec.containers[1].image"}}}},
		{name: "removed item", objects: mutatingObjects("p", "v1", `  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: '[JSONPatch{op: "remove", path: "/spec/template/spec/containers/0"}]'}
`), want: "{team:a@3}} " + strings.Replace(spec, "{name:a@9 image:registry/a@9} ", "", 1),
			changes: []Change{{"p", "bp", []string{"spec.template.spec.containers"}}}},
		{name: "error", objects: mutatingObjects("p", "v1", strings.Replace(patchReplicas, "/spec/replicas", "/spec/paused/a", 1)), want: "{team:a@3}} " + spec,
			denied: "403 policy 'p' with binding 'bp' denied request: JSON Patch: replace operation does not apply: doc is missing path: /spec/paused/a: missing value"},
		{name: "ignored error", objects: mutatingObjects("p", "v1", "  failurePolicy: Ignore\n"+strings.Replace(patchReplicas, "/spec/replicas", "/spec/paused/a", 1)), want: "{team:a@3}} " + spec},
		{name: "custom", object: widget, objects: mutatingObjects("p", "v1", `  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{spec: Object.spec{color: "red", parts: [Object.spec.parts{name: "b", count: 2}]}}'}
`) + definition, want: "} spec:{size:1@4 parts:[{name:a@4 count:1@4} {count:2@4 name:b@4}] color:red@4}",
			changes: []Change{{"p", "bp", []string{"spec.color", "spec.parts[1]"}}}},
		{name: "custom without a definition", object: widget, objects: mutatingObjects("p", "v1", applyLabel), want: "} spec:{size:1@4 parts:[{name:a@4 count:1@4}]}",
			unknown: "p/bp -1: resource of Widget without a CustomResourceDefinition"},
		{name: "same field", objects: mutatingObjects("p", "v1", patchReplicas) + "\n---\n" + mutatingObjects("q", "v1", strings.Replace(patchReplicas, "value: 3", "value: 4", 1)),
			want:    "{team:a@3}} " + strings.Replace(spec, "7@5", "4@5", 1),
			changes: []Change{{"p", "bp", []string{"spec.replicas"}}, {"q", "bq", []string{"spec.replicas"}}},
			unknown: "q/bq -1: order of policies that change the same field"},
		{name: "reinvoked", objects: mutatingObjects("p", "v1", `  reinvocationPolicy: IfNeeded
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: 'object.spec.replicas == 3 ? [JSONPatch{op: "add", path: "/metadata/labels/small", value: "yes"}] : []'}
`) + "\n---\n" + mutatingObjects("q", "v1", patchReplicas),
			want:    "{team:a@3 small:yes@3}} " + strings.Replace(spec, "7@5", "3@5", 1),
			changes: []Change{{"q", "bq", []string{"spec.replicas"}}, {"p", "bp", []string{"metadata.labels.small"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			minor, object := test.minor, test.object
			if minor == 0 {
				minor = 37
			}
			if object == "" {
				object = web
			}
			c := NewCluster(apiserver.Server{Minor: minor}, Options{}, values(t, test.objects))
			a := attributes(t, values(t, object)[0], nil)
			before := a.Object.DeepCopyObject()
			m := c.Mutate(a)
			if got := text(m.Value); !strings.HasSuffix(got, test.want+"}") {
				t.Errorf("%s, want %s}", got, test.want)
			}
			if diff := cmp.Diff(test.changes, m.Changes); diff != "" {
				t.Error(diff)
			}
			var unknown, denied string
			for _, u := range m.Unknown {
				unknown += fmt.Sprintf("%s/%s %d: %s", u.Policy, u.Binding, u.Index, u.What)
			}
			for _, cause := range m.Causes {
				denied += fmt.Sprintf("%d %s", cause.Code, cause.Text)
			}
			if unknown != test.unknown || denied != test.denied {
				t.Errorf("unknown %q, want %q\ndenied %q, want %q", unknown, test.unknown, denied, test.denied)
			}
			if diff := cmp.Diff(before, a.Object); diff != "" {
				t.Errorf("the argument is changed: %s", diff)
			}
		})
	}
}

// Only v1alpha1 bindings have a default action for missing parameters. Source:
// SetDefaults_ParamRef in pkg/apis/admissionregistration/v1alpha1/defaults.go.
func TestMutateWithoutParameter(t *testing.T) {
	objects := strings.Replace(mutatingObjects("p", "v1alpha1", "  paramKind: {apiVersion: v1, kind: ConfigMap}\n"+applyLabel),
		"policyName: p}", "policyName: p, paramRef: {name: none}}", 1)
	c := NewCluster(apiserver.Server{Minor: 33, Gate: func(string) bool { return true }},
		Options{Complete: true, Serves: func(lifecycle.API) bool { return true }}, values(t, objects))
	m := c.Mutate(attributes(t, values(t, web)[0], nil))
	const want = "policy 'p' with binding 'bp' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
	if m.Status != want {
		t.Errorf("%q, want %q", m.Status, want)
	}
}
