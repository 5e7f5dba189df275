package policy

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apiserver/pkg/admission"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Expensive expressions and large objects must not take long.
func TestHostile(t *testing.T) {
	deep := strings.Repeat("{a: ", 2000) + "1" + strings.Repeat("}", 2000)
	doubling := "  variables:\n  - {name: v0, expression: \"'aaaaaaaaaaaaaaaa'\"}\n"
	for i := range 60 {
		doubling += fmt.Sprintf("  - {name: v%d, expression: variables.v%d + variables.v%d}\n", i+1, i, i)
	}
	const configMap = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: web}\n"
	matching := func(expression, extra string) string {
		return strings.NewReplacer("[apps]", "['*']", "[deployments]", "['*']").Replace(limit(expression, "Deny", extra))
	}
	for _, test := range []struct{ name, objects, object, want string }{
		{"doubling", matching("variables.v60 != ''", doubling), configMap, "actual cost limit exceeded"},
		{"regular expression", matching("object.spec.matches('((a{1,100}){1,100}){1,100}')", ""), configMap + "spec: " + strings.Repeat("a", 50000), "does not compile"},
		{"backtracking", matching("object.spec.matches('^(a+)+$')", ""), configMap + "spec: " + strings.Repeat("a", 50000) + "b", "denied request: failed expression"},
		{"built expression", matching("object.spec.matches(object.spec)", ""), configMap + "spec: '((a{1,100}){1,100}){1,100}'", "expression 'object.spec.matches(object.spec)' resulted in error"},
		{"deep object", matching("object.spec.a.a.a.a.a == 1", ""), configMap + "spec: " + deep, "denied request: failed expression"},
		{"deep comparison", matching("object.spec != object.spec", ""), configMap + "spec: " + deep, "denied request: failed expression"},
		{"giant expression", matching(strings.Repeat("object.spec == 1 || ", 5000)+"false", ""), configMap, ""},
		{"brackets", matching(strings.Repeat("(", 5000)+"true"+strings.Repeat(")", 5000), ""), configMap, "does not compile"},
		{"cyclic variables", matching("variables.a", "  variables: [{name: a, expression: variables.b}, {name: b, expression: variables.a}]"), configMap, "does not compile"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewCluster(apiserver.Server{Minor: 37}, Options{Complete: true}, append(values(t, test.objects), definitionOfWidgets(t)))
			v := c.Validate(attributes(t, values(t, test.object)[0], nil))
			got := v.Status
			for _, u := range v.Unknown {
				got += u.What
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("%.300s, want %s", got, test.want)
			}
		})
	}
}

func definitionOfWidgets(t *testing.T) *wire.Value {
	return values(t, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec: {group: example.com, scope: Namespaced, names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: true, storage: true}]}
`)[0]
}

// An expression that takes too long is stopped, and its result is unknown. A
// policy that used up its time is no longer evaluated.
func TestSlow(t *testing.T) {
	c := NewCluster(apiserver.Server{Minor: 37}, Options{}, values(t, limit("object.spec.template.spec.containers.all(c, c.name != '')", "Deny", "")))
	a := attributes(t, values(t, web)[0], nil)
	if v := c.Validate(a); len(v.Unknown)+len(v.Failures) > 0 {
		t.Fatalf("%+v", v)
	}
	p := c.validating[0]
	p.slow.spent.Store(int64(maxSlow) + 1)
	v := c.Validate(a)
	if len(v.Unknown) != 1 || v.Unknown[0].What != tooSlow {
		t.Errorf("%+v", v)
	}
	r := c.newRequest(&a, a.Object)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), evaluationKey{}, r))
	cancel()
	versioned, err := admission.NewVersionedAttributes(r, r.GetKind(), r)
	if err != nil {
		t.Fatal(err)
	}
	decisions, _ := p.compiled.validating.validate(ctx, r.GetResource(), versioned, nil, nil, 1000000)
	if len(decisions) != 1 || decisions[0].denied || r.unknown[validations][0] == nil {
		t.Errorf("%+v %v", decisions, r.unknown)
	}
}

// A policy must be compiled only when a request first needs it.
func TestManyPolicies(t *testing.T) {
	var objects []*wire.Value
	for i := range 2000 {
		text := strings.Replace(limit("object.spec.replicas <= 5", "Deny", ""), "[deployments]", "[daemonsets]", 1)
		text = strings.NewReplacer("name: limit", fmt.Sprint("name: p", i), "policyName: limit", fmt.Sprint("policyName: p", i), "name: all", fmt.Sprint("name: b", i)).Replace(text)
		if i == 0 {
			objects = values(t, text)
			continue
		}
		// The copies of an object share everything except their names.
		for _, v := range objects[:2] {
			objects = append(objects, renamed(v, i))
		}
	}
	c := NewCluster(apiserver.Server{Minor: 37}, Options{}, objects)
	if len(c.validating) != 2000 {
		t.Fatalf("%d policies", len(c.validating))
	}
	a := attributes(t, values(t, web)[0], nil)
	for range 20 {
		c.Validate(a)
	}
	for _, p := range c.validating {
		if p.compiled.validating != nil {
			t.Fatal("compiled without need")
		}
	}
}

// renamed returns a copy of a policy or binding with names that have the number
// i.
func renamed(v *wire.Value, i int) *wire.Value {
	copied := *v
	copied.SetFields(append([]wire.Field{}, v.Fields...))
	set := func(in *wire.Value, path ...string) {
		for _, name := range path[:len(path)-1] {
			f := in.Field(name)
			inner := *f.Value
			inner.SetFields(append([]wire.Field{}, f.Value.Fields...))
			f.Value = &inner
			in = &inner
		}
		f := in.Field(path[len(path)-1])
		f.Value = &wire.Value{Kind: wire.String, Text: f.Value.Text[:1] + fmt.Sprint(i)}
	}
	set(&copied, "metadata", "name")
	if copied.At("spec", "policyName") != nil {
		set(&copied, "spec", "policyName")
	}
	return &copied
}
