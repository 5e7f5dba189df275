package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// values parses a stream of YAML documents.
func values(t testing.TB, text string) []*wire.Value {
	t.Helper()
	var all []*wire.Value
	line := 1
	for doc := range strings.SplitSeq(text, "\n---\n") {
		if strings.TrimSpace(doc) != "" {
			var node yaml.Node
			if err := yaml.Unmarshal([]byte(doc), &node); err != nil {
				t.Fatalf("%v\n%s", err, doc)
			}
			v, _, err := wire.YAML(&node, []byte(doc), line)
			if err != nil {
				t.Fatalf("%v\n%s", err, doc)
			}
			all = append(all, v)
		}
		line += strings.Count(doc, "\n") + 2
	}
	return all
}

// attributes returns a request with objects that are decoded without defaults.
func attributes(t testing.TB, obj, old *wire.Value) Attributes {
	t.Helper()
	a := Attributes{
		Request: apiserver.Request{APIVersion: obj.Get("apiVersion").StringOr(""), Kind: obj.Get("kind").StringOr(""), New: obj, Old: old},
		DryRun:  true, FieldManager: "kubectl-client-side-apply",
	}
	kind := schema.FromAPIVersionAndKind(a.Request.APIVersion, a.Request.Kind)
	for _, v := range []*wire.Value{obj, old} {
		if v == nil {
			continue
		}
		u, ok := unstructuredOf(v)
		if !ok {
			t.Fatal("not an object")
		}
		one := a.Object
		if typed, err := scheme.Scheme.New(kind); err != nil {
			one = u
		} else if !decodeInto(v, typed) {
			t.Fatal("does not decode")
		} else {
			typed.GetObjectKind().SetGroupVersionKind(kind)
			one = typed
		}
		if v == obj {
			a.Object = one
		} else {
			a.Old = one
		}
	}
	return a
}

// lines returns the causes, warnings, failures and unknown facts of a verdict as
// text.
func (v *Verdict) lines() []string {
	all := []string{}
	for _, cause := range v.Causes {
		all = append(all, fmt.Sprintf("%d%s %s", cause.Code, mark(cause.Inexact), v.Status))
	}
	for _, w := range v.Warnings {
		all = append(all, "warning at "+strings.TrimSpace(w.Field)+": "+w.Text)
	}
	for _, f := range v.Failures {
		if f.Audit {
			all = append(all, fmt.Sprintf("audit %s/%s %d at %s: %s", f.Policy, f.Binding, f.Index, f.Field, f.Message))
		}
	}
	for _, u := range v.Unknown {
		all = append(all, fmt.Sprintf("unknown %s/%s %d: %s ×%d", u.Policy, u.Binding, u.Index, u.What, u.Count))
	}
	return all
}

func mark(inexact bool) string {
	if inexact {
		return "?"
	}
	return ""
}

// limit returns a v1 policy with one validation, and its binding. extra has more
// fields of the policy's spec.
func limit(expression, action, extra string) string {
	return fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: %q}]
%s
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: all}
spec: {policyName: limit, validationActions: [%s]}
`, expression, extra, action)
}

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {team: a}}
spec:
  replicas: 7
  template:
    spec:
      containers:
      - {name: a, image: registry/a}
      - {name: b, image: other/b}
`

func TestValidate(t *testing.T) {
	const denied = `deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'limit' with binding 'all' denied request: `
	const warned = `Validation failed for ValidatingAdmissionPolicy 'limit' with binding 'all': `
	for _, test := range []struct {
		name, objects, object string
		user                  *User
		complete              bool
		minor                 lifecycle.Minor
		want                  []string
	}{
		{name: "denied", objects: limit("object.spec.replicas <= 5", "Deny", ""),
			want: []string{`422 ` + denied + `failed expression: object.spec.replicas <= 5`}},
		{name: "fulfilled", objects: limit("object.spec.replicas <= 7", "Deny", "")},
		{name: "warned", objects: limit("object.spec.replicas <= 5", "Warn", ""),
			want: []string{`warning at spec.replicas: ` + warned + `failed expression: object.spec.replicas <= 5`}},
		{name: "audited", objects: limit("object.spec.replicas <= 5", "Audit", ""),
			want: []string{`audit limit/all 0 at spec.replicas: failed expression: object.spec.replicas <= 5`}},
		{name: "another resource", objects: limit("false", "Deny", ""), object: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}"},
		{name: "no binding", objects: strings.Split(limit("false", "Deny", ""), "---")[0]},
		{name: "not served", objects: limit("false", "Deny", ""), minor: 29},
		{name: "list", objects: limit("object.spec.template.spec.containers.all(c, c.image.startsWith('registry/'))", "Warn", ""),
			want: []string{`warning at spec.template.spec.containers: ` + warned + `failed expression: object.spec.template.spec.containers.all(c, c.image.startsWith('registry/'))`}},
		{name: "missing field", objects: limit("has(object.metadata.labels.owner)", "Warn", ""),
			want: []string{`warning at metadata.labels: ` + warned + `failed expression: has(object.metadata.labels.owner)`}},
		{name: "error", objects: limit("object.spec.paused == true", "Deny", ""),
			want: []string{`422 ` + denied + `expression 'object.spec.paused == true' resulted in error: no such key: paused`}},
		{name: "ignored error", objects: limit("object.spec.paused == true", "Deny", "  failurePolicy: Ignore")},
		{name: "variables", objects: limit("variables.count <= 5", "Warn", "  variables: [{name: count, expression: object.spec.replicas}]"),
			want: []string{`warning at spec.replicas: ` + warned + `failed expression: variables.count <= 5`}},
		{name: "not matched", objects: limit("false", "Warn", "  matchConditions: [{name: a, expression: object.spec.replicas > 100}]")},
		{name: "unknown user", objects: limit("request.userInfo.username == 'a'", "Deny", ""),
			want: []string{`unknown limit/all 0: request.userInfo ×1`}},
		{name: "user", objects: limit("request.userInfo.username == 'a' && 'system:authenticated' in request.userInfo.groups", "Deny", ""),
			user: &User{Name: "a", Groups: []string{"system:authenticated"}}},
		{name: "other user", objects: limit("request.userInfo.username == 'a'", "Deny", ""), user: &User{Name: "b"},
			want: []string{`422 ` + denied + `failed expression: request.userInfo.username == 'a'`}},
		{name: "unknown and false", objects: limit("request.userInfo.username == 'a' && object.spec.replicas < 5", "Deny", ""),
			want: []string{`422 ` + denied + `failed expression: request.userInfo.username == 'a' && object.spec.replicas < 5`}},
		{name: "unknown or true", objects: limit("request.userInfo.username == 'a' || object.spec.replicas == 7", "Deny", "")},
		{name: "unknown in a list", objects: limit("[true, false].exists(u, u || request.userInfo.username == 'a')", "Deny", "")},
		{name: "unknown condition", objects: limit("object.spec.replicas < 5", "Deny", "  matchConditions: [{name: a, expression: request.userInfo.username != 'a'}]"),
			want: []string{`unknown limit/all 0: request.userInfo ×1`}},
		{name: "unknown condition of a fulfilled policy", objects: limit("true", "Deny", "  matchConditions: [{name: a, expression: request.userInfo.username != 'a'}]")},
		{name: "authorizer", objects: limit("authorizer.group('apps').resource('deployments').check('delete').allowed()", "Deny", ""),
			want: []string{`unknown limit/all 0: authorizer ×1`}},
		{name: "requestResource", objects: limit("authorizer.requestResource.check('delete').allowed()", "Deny", ""),
			want: []string{`unknown limit/all 0: authorizer ×1`}},
		{name: "unknown namespace object", objects: limit("namespaceObject.metadata.labels.env == 'prod'", "Deny", ""),
			want: []string{`unknown limit/all 0: namespace "default" ×1`}},
		{name: "namespace object", objects: limit("namespaceObject.metadata.labels.env == 'prod'", "Deny", "") + "\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {env: test}}",
			want: []string{`422 ` + denied + `failed expression: namespaceObject.metadata.labels.env == 'prod'`}},
		{name: "version of a namespace", objects: limit("namespaceObject.metadata.resourceVersion == '1'", "Deny", "") + "\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default, resourceVersion: '7'}",
			want: []string{`unknown limit/all 0: namespaceObject.metadata.resourceVersion ×1`}},
		{name: "uid", objects: limit("object.metadata.uid == ''", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1),
			want: []string{`unknown limit/all 0: object.metadata.uid ×1`}},
		{name: "has a uid", objects: limit("has(object.metadata.uid) && !has(object.metadata.creationTimestamp) && 'uid' in object.metadata", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1)},
		{name: "managed fields", objects: limit("has(object.metadata.managedFields)", "Deny", "")},
		{name: "content of managed fields", objects: limit("object.metadata.managedFields.exists(f, f.manager == 'a')", "Deny", ""),
			want: []string{`unknown limit/all 0: object.metadata.managedFields ×1`}},
		{name: "generated name", objects: limit("request.name.startsWith('w')", "Deny", ""), object: strings.Replace(web, "name: web", "generateName: w-", 1),
			want: []string{`unknown limit/all 0: request.name ×1`}},
		{name: "prefix of a generated name", objects: limit("has(request.name) && object.metadata.generateName == 'w-'", "Deny", ""), object: strings.Replace(web, "name: web", "generateName: w-", 1)},
		{name: "no such field", objects: limit("object.metadata.nothing == 'a'", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1),
			want: []string{`422 ` + denied + `expression 'object.metadata.nothing == 'a'' resulted in error: no such key: nothing`}},
		{name: "optional uid", objects: limit("object.metadata.?uid.hasValue()", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1),
			want: []string{`unknown limit/all 0: object.metadata.uid ×1`}},
		{name: "two variables", objects: limit("object.metadata.all(k, v, k != v)", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1),
			want: []string{`unknown limit/all 0: object ×1`}},
		{name: "name beside a uid", objects: limit("object.metadata.name != 'web'", "Deny", ""), object: strings.Replace(web, "name: web", "name: web, uid: x", 1),
			want: []string{`422 ` + denied + `failed expression: object.metadata.name != 'web'`}},
		{name: "comparison with itself", objects: limit("object.metadata == object.metadata && object.metadata != 1", "Deny", "")},
		{name: "request", objects: limit("request.operation == 'CREATE' && request.dryRun && request.options.kind == 'CreateOptions' && request.options.fieldManager == 'kubectl-client-side-apply' && request.namespace == 'default' && request.name == 'web' && request.resource.resource == 'deployments'", "Deny", "")},
		{name: "does not compile", objects: limit("nobody.spec.replicas", "Deny", ""),
			want: []string{`unknown limit/ -1: effect of an expression that does not compile ×1`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			minor := test.minor
			if minor == 0 {
				minor = 37
			}
			object := test.object
			if object == "" {
				object = web
			}
			c := NewCluster(apiserver.Server{Minor: minor}, Options{Complete: test.complete}, values(t, test.objects))
			a := attributes(t, values(t, object)[0], nil)
			a.User, a.Unknowable = test.user, []string{"metadata.uid", "metadata.creationTimestamp"}
			verdict := c.Validate(a)
			if diff := cmp.Diff(append([]string{}, test.want...), verdict.lines()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestUpdate tests policies about updates. The result is unknown if a policy reads metadata
// that only the server knows, such as the UID.
func TestUpdate(t *testing.T) {
	for expression, want := range map[string][]string{
		"request.operation == 'UPDATE' && request.options.kind == 'UpdateOptions'":                                           nil,
		"has(oldObject.metadata.uid) && has(object.metadata.uid) && has(object.metadata.resourceVersion)":                    nil,
		"oldObject.spec.replicas == 3 && object.spec.replicas == 7":                                                          nil,
		"oldObject.metadata.labels == object.metadata.labels":                                                                nil,
		"oldObject.metadata.uid == 'a'":                                                                                      {"unknown limit/all 0: oldObject.metadata.uid ×1"},
		"oldObject.spec == object.spec":                                                                                      {"warning at : Validation failed for ValidatingAdmissionPolicy 'limit' with binding 'all': failed expression: oldObject.spec == object.spec"},
		"oldObject != null && oldObject.metadata.name == object.metadata.name && oldObject.metadata.creationTimestamp != ''": {"unknown limit/all 0: oldObject.metadata.creationTimestamp ×1"},
	} {
		c := NewCluster(apiserver.Server{Minor: 37}, Options{}, values(t, limit(expression, "Warn", "")))
		verdict := c.Validate(attributes(t, values(t, web)[0], values(t, strings.Replace(web, "replicas: 7", "replicas: 3", 1))[0]))
		if diff := cmp.Diff(append([]string{}, want...), verdict.lines()); diff != "" {
			t.Errorf("%s: -want +got\n%s", expression, diff)
		}
	}
}

// TestParams tests policies whose bindings refer to parameters.
func TestParams(t *testing.T) {
	policy := func(extra string) string {
		return limit("object.spec.replicas <= int(params.data.max)", "Warn", "  paramKind: {apiVersion: v1, kind: ConfigMap}") + `
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: all}
spec: {policyName: limit, validationActions: [Warn], paramRef: ` + extra + `}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: five, namespace: default, labels: {a: b}}
data: {max: '5'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: six, namespace: default, labels: {a: b}}
data: {max: '6'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: nine, namespace: other, labels: {a: b}}
data: {max: '9'}
`
	}
	const warning = `warning at spec.replicas: Validation failed for ValidatingAdmissionPolicy 'limit' with binding 'all': failed expression: object.spec.replicas <= int(params.data.max)`
	const denied = `422 deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'limit' with binding 'all' denied request: `
	for _, test := range []struct {
		ref      string
		complete bool
		want     []string
	}{
		{"{name: five, parameterNotFoundAction: Deny}", false, []string{warning}},
		{"{name: five, namespace: default, parameterNotFoundAction: Deny}", false, []string{warning}},
		{"{name: nine, namespace: other, parameterNotFoundAction: Deny}", false, nil},
		{"{name: nine, parameterNotFoundAction: Deny}", false, []string{`unknown limit/all -1: parameters of kind ConfigMap named "nine" ×1`}},
		{"{name: nine, parameterNotFoundAction: Deny}", true, []string{denied + "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"}},
		{"{name: nine, parameterNotFoundAction: Allow}", true, nil},
		{"{selector: {matchLabels: {a: b}}, parameterNotFoundAction: Deny}", false, []string{warning, warning}},
		{"{selector: {matchLabels: {a: c}}, parameterNotFoundAction: Deny}", false, []string{`unknown limit/all -1: parameters of kind ConfigMap ×1`}},
		{"{selector: {matchLabels: {a: c}}, parameterNotFoundAction: Allow}", true, nil},
	} {
		for _, minor := range []lifecycle.Minor{30, 37} {
			c := NewCluster(apiserver.Server{Minor: minor}, Options{Complete: test.complete}, values(t, policy(test.ref)))
			verdict := c.Validate(attributes(t, values(t, web)[0], nil))
			if diff := cmp.Diff(append([]string{}, test.want...), verdict.lines()); diff != "" {
				t.Errorf("%v %s: -want +got\n%s", minor, test.ref, diff)
			}
		}
	}
}

func TestMatching(t *testing.T) {
	constraints := func(extra string) string {
		text := limit("false", "Warn", "")
		return strings.Replace(text, "resources: [deployments]}]", "resources: [deployments]}]\n    "+extra, 1)
	}
	const namespace = "\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {env: test}}"
	for _, test := range []struct {
		name, objects string
		want          string // yes, no, or the unknown fact
	}{
		{"", constraints(""), "yes"},
		{"object label", constraints("objectSelector: {matchLabels: {team: a}}"), "yes"},
		{"other object label", constraints("objectSelector: {matchLabels: {team: b}}"), "no"},
		{"name of the namespace", constraints("namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}"), "yes"},
		{"other name", constraints("namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other, env: test}}"), "no"},
		{"label of an unknown namespace", constraints("namespaceSelector: {matchLabels: {env: test}}"), `namespace "default"`},
		{"label", constraints("namespaceSelector: {matchLabels: {env: test}}") + namespace, "yes"},
		{"other label", constraints("namespaceSelector: {matchLabels: {env: prod}}") + namespace, "no"},
		{"excluded", constraints("excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]"), "no"},
		{"other excluded", constraints("excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], resourceNames: [other]}]"), "yes"},
		{"name", strings.Replace(constraints(""), "apiGroups", "resourceNames: [web], apiGroups", 1), "yes"},
		{"other resource name", strings.Replace(constraints(""), "apiGroups", "resourceNames: [db], apiGroups", 1), "no"},
		{"scope", strings.Replace(constraints(""), "apiGroups", "scope: Cluster, apiGroups", 1), "no"},
		{"update", strings.Replace(constraints(""), "CREATE, UPDATE", "UPDATE", 1), "no"},
		{"binding", strings.Replace(constraints(""), "policyName: limit,", "policyName: limit, matchResources: {objectSelector: {matchLabels: {team: b}}},", 1), "no"},
		{"unknown binding", strings.Replace(constraints(""), "policyName: limit,", "policyName: limit, matchResources: {namespaceSelector: {matchLabels: {env: b}}},", 1), `namespace "default"`},
	} {
		c := NewCluster(apiserver.Server{Minor: 37}, Options{}, values(t, test.objects))
		verdict := c.Validate(attributes(t, values(t, web)[0], nil))
		got := "no"
		if len(verdict.Warnings) > 0 {
			got = "yes"
		} else if len(verdict.Unknown) > 0 {
			got = verdict.Unknown[0].What
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
