package checks

import (
	"runtime"
	"testing"

	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

func TestRecentDefinitions(t *testing.T) {
	r := recentDefinitions{left: 10}
	a, b, c, large := &customresource.Definition{}, &customresource.Definition{}, &customresource.Definition{}, &customresource.Definition{}
	for _, step := range []struct {
		definition *customresource.Definition
		size       int
		first      *customresource.Definition // of those that are remembered
		n          int
	}{
		{a, 6, a, 1}, {b, 4, a, 2}, {c, 1, b, 2}, {large, 30, large, 1}, {a, 2, a, 1},
	} {
		r.add(step.definition, step.size)
		if len(r.list) != step.n || r.list[0].definition != step.first {
			t.Errorf("behind one of %d bytes: %d, want %d", step.size, len(r.list), step.n)
		}
	}
}

// TestForgottenDefinition: a definition that was forgotten is read again.
func TestForgottenDefinition(t *testing.T) {
	set := setOf(t, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: tabs.example.com
spec:
  group: example.com
  names: {plural: tabs, kind: Tab}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {size: {type: integer}}}
`)
	set.definitions["example.com"].recent.left = 0
	for range 2 {
		d := set.Definition("example.com", "Tab")
		if d == nil || d.Namespaced || d.Version("v1").Schema() == nil {
			t.Fatalf("definition %+v", d)
		}
		set.definitions["example.com"].recent.list = nil
		runtime.GC()
	}
	if o := set.outline("example.com", "Tab"); o == nil || !o.Version("v1").Served || o.Version("v1").SchemaAt() != nil {
		t.Errorf("outline %+v", o)
	}
}
