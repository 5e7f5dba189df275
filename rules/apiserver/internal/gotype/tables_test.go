package gotype

import (
	"sort"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestTables checks the properties of the generated tables on which the code
// relies.
func TestTables(t *testing.T) {
	for i := range types {
		typ := &types[i]
		all := typ.fields()
		if !sort.SliceIsSorted(all, func(a, b int) bool { return all[a].name.String() < all[b].name.String() }) {
			t.Errorf("the fields of %s are not sorted", typ.name)
		}
		for j := range all {
			for k := j + 1; k < len(all) && all[k].name == all[j].name; k++ {
				if minorSets[all[j].minors]&minorSets[all[k].minors] != 0 {
					t.Errorf("%s has two fields %s in one minor", typ.name, all[j].name)
				}
			}
		}
		if (typ.shape == list || typ.shape == dictionary || typ.shape >= schemaOrArray) && typ.elem == 0 {
			t.Errorf("%s holds nothing", typ.name)
		}
	}
}

// TestField compares the binary search for a field with a search through all
// fields.
func TestField(t *testing.T) {
	m := lifecycle.Newest
	for i := range types {
		typ := &types[i]
		all := typ.fields()
		find := func(name string) *fieldRecord {
			for j := range all {
				if all[j].name.String() == name && all[j].existsIn(m) {
					return &all[j]
				}
			}
			return nil
		}
		for j := range all {
			name := all[j].name.String()
			for _, n := range []string{name, name + "s", name + "\x00", name[:len(name)-1], name[:min(len(name), 8)], strings.ToUpper(name), "a" + name, ""} {
				if got, want := typ.field(n, m), find(n); got != want {
					t.Errorf("field %q of %s: %v, want %v", n, typ.name, got, want)
				}
			}
		}
	}
}

// TestServedKinds checks that each kind that clients can send has a type in
// exactly the minors that can serve it.
func TestServedKinds(t *testing.T) {
	for api := range lifecycle.All() {
		for m := lifecycle.Oldest; m <= lifecycle.Newest; m++ {
			want := api.Class() != lifecycle.List && api.Servable().Has(m)
			if got := Known(api.GroupVersion(), api.Kind(), m); got != want {
				t.Errorf("Known(%s, %v) = %t", api, m, got)
			}
			if !want {
				continue
			}
			for _, name := range []string{"apiVersion", "kind"} {
				if !HasField(m, api.GroupVersion(), api.Kind(), name) {
					t.Errorf("%s has no %s in %v", api, name, m)
				}
			}
		}
	}
}

func TestHasField(t *testing.T) {
	tests := []struct {
		m                lifecycle.Minor
		apiVersion, kind string
		path             string
		want             bool
	}{
		{37, "v1", "Pod", "", true},
		{37, "v2", "Pod", "", false},
		{37, "v1", "Pod", "spec.containers.lifecycle.preStop.sleep.seconds", true},
		{29, "v1", "Pod", "spec.containers.lifecycle.preStop.sleep.seconds", true},
		{28, "v1", "Pod", "spec.containers.lifecycle.preStop.sleep.seconds", false},
		{28, "batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec.initContainers.restartPolicy", true},
		{27, "batch/v1", "CronJob", "spec.jobTemplate.spec.template.spec.initContainers.restartPolicy", false},
		{20, "batch/v1", "CronJob", "spec", false},
		{24, "v1", "ConfigMap", "metadata.clusterName", true},
		{25, "v1", "ConfigMap", "metadata.clusterName", false},
		{37, "v1", "ConfigMap", "metadata.name.first", false},
		{37, "apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions.schema.openAPIV3Schema.properties.items.x-kubernetes-validations.rule", true},
		{37, "v1", "Pod", "spec.ephemeralContainers.targetContainerName", true},
		{37, "v1", "Pod", "spec.ephemeralContainers.image", true},
	}
	for _, tt := range tests {
		var path []string
		if tt.path != "" {
			path = strings.Split(tt.path, ".")
		}
		if got := HasField(tt.m, tt.apiVersion, tt.kind, path...); got != tt.want {
			t.Errorf("HasField(%v, %s %s, %s) = %t", tt.m, tt.apiVersion, tt.kind, tt.path, got)
		}
	}
}

func TestSuggest(t *testing.T) {
	tests := []struct {
		m                      lifecycle.Minor
		apiVersion, kind, path string
		want                   string
	}{
		{37, "v1", "Pod", "spec.containers[0].imagePullpolicy", `did you mean "imagePullPolicy"?`},
		{37, "v1", "Pod", "spec.containers[12].resource", `did you mean "resources"?`},
		{37, "v1", "Pod", "spec.containers[0].resources.limit", `did you mean "limits"?`},
		{37, "v1", "Pod", "spec.conatiners", `did you mean "containers"?`},
		{37, "v1", "Pod", "spec.limits", `did you mean "spec.resources.limits"?`},
		{31, "v1", "Pod", "spec.limits", ""},
		{37, "apps/v1", "Deployment", "replicas", `did you mean "spec.replicas"?`},
		{37, "v1", "Pod", "spec.x", ""},
		{37, "v1", "Pod", "spec.containers[0].volumes", `did you mean "spec.volumes"?`},
		{37, "v1", "Pod", "spec.containers[0].securityContext.nodeSelector", `did you mean "spec.nodeSelector"?`},
		{37, "v1", "Pod", "labels", `did you mean "metadata.labels"?`},
		{37, "apps/v1", "Deployment", "spec.containers", `did you mean "spec.template.spec.containers"?`},
		{37, "apps/v1", "Deployment", "spec.template.spec.replicas", `did you mean "spec.replicas"?`},
		{37, "v1", "Pod", "spec.containers[0].allowPrivilegeEscalation", `did you mean "spec.containers[0].securityContext.allowPrivilegeEscalation"?`},
		{37, "v1", "Pod", "sepc", `did you mean "spec"?`},
		{28, "v1", "Pod", "spec.containers[0].lifecycle.preStop.sleep", "known from 1.29 on"},
		{37, "v1", "Pod", "metadata.clusterName", "known up to 1.24"},
		{37, "v1", "Pod", "spec.volumes[0].a.b", ""},
		{37, "v1", "Pod", "spec.con.tainers", `did you mean "containers"?`},
		{37, "apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions[0].schema.openAPIV3Schema.properties.a.b.propertie", `did you mean "properties"?`},
		{37, "example.com/v1", "Widget", "spec", ""},
		{37, "v1", "Pod", "", ""},
		{37, "v1", "Pod", "spec.containers[", ""},
	}
	for _, tt := range tests {
		if got := Suggest(tt.apiVersion, tt.kind, tt.m, tt.path); got != tt.want {
			t.Errorf("Suggest(%s %s, %v, %s) = %q, want %q", tt.apiVersion, tt.kind, tt.m, tt.path, got, tt.want)
		}
	}
}
