package customresource

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func mustRead(t *testing.T, text string) *Definition {
	t.Helper()
	v, err := wire.JSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, ok := Read(v)
	if !ok {
		t.Fatalf("no definition: %s", text)
	}
	return d
}

func TestCompareVersions(t *testing.T) {
	// The example in Kubernetes' documentation, greatest first.
	want := []string{"v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10", "v1gamma1", "v99999999999999999999", "vv1"}
	got := slices.Clone(want)
	slices.Reverse(got)
	sortVersions(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestWarning(t *testing.T) {
	d := mustRead(t, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"example.com","names":{"kind":"A","plural":"as"},"versions":[
		{"name":"v1alpha1","served":true,"deprecated":true},
		{"name":"v1beta1","served":true,"deprecated":true,"deprecationWarning":"go away"},
		{"name":"v1beta2","served":false,"deprecated":true},
		{"name":"v1","served":true,"storage":true},
		{"name":"v2","served":false},
		{"name":"v3","served":true,"deprecated":true}]}}`)
	for _, tt := range []struct {
		minor   lifecycle.Minor
		version string
		want    string
	}{
		{37, "v1alpha1", "example.com/v1alpha1 A is deprecated; use example.com/v1 A"},
		{19, "v1alpha1", "example.com/v1alpha1 A is deprecated; use example.com/v1 A"},
		{18, "v1alpha1", ""},
		{37, "v1beta1", "go away"},
		{37, "v1beta2", ""},
		{37, "v1", ""},
		{37, "v3", "example.com/v3 A is deprecated"},
		{37, "v4", ""},
	} {
		if got := d.Warning(tt.minor, tt.version); got != tt.want {
			t.Errorf("Warning(%v, %s) = %q, want %q", tt.minor, tt.version, got, tt.want)
		}
	}
	if got := d.Served(); !slices.Equal(got, []string{"v3", "v1", "v1beta1", "v1alpha1"}) {
		t.Errorf("Served() = %v", got)
	}
}

func TestReadV1beta1(t *testing.T) {
	d := mustRead(t, `{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"group":"example.com","version":"v1","names":{"kind":"A","plural":"as"},
		"subresources":{"status":{}},"validation":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"string"}}}}}}`)
	if !d.PreserveUnknownFields || !d.Namespaced || len(d.Versions) != 1 {
		t.Fatalf("%+v", d)
	}
	v := d.Version("v1")
	if !v.Served || !v.Storage || !v.Status || v.Schema().Property("spec").Type != "string" {
		t.Errorf("version = %+v", v)
	}
	obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"},"spec":1,"more":1}`))
	if err != nil {
		t.Fatal(err)
	}
	a := Answer(apiserver.Server{Minor: 37}, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "A", New: obj})
	if len(a.Warnings) != 0 || len(a.Causes) != 1 || a.Causes[0].Text != `Invalid value: "integer": spec in body must be of type string: "integer"` {
		t.Errorf("answer = %+v", a)
	}
}

// An error about a default must point to the object, because the finding is about
// the object's file.
func TestDefaultsHavePlaces(t *testing.T) {
	d := mustRead(t, definitionOf("\n\n\n\n"+`{"type":"object","properties":{"spec":{"type":"object","properties":{"list":{"type":"array","items":{"type":"object","default":{"n":5},"properties":{"n":{"type":"integer","maximum":1}}}}}}}}`))
	obj, err := wire.JSON([]byte(`{"apiVersion":"example.com/v1","kind":"Backup","metadata":{"name":"a"},"spec":{"list":[null]}}`))
	if err != nil {
		t.Fatal(err)
	}
	a := Answer(apiserver.Server{Minor: 37}, d, apiserver.Request{APIVersion: "example.com/v1", Kind: "Backup", New: obj})
	if len(a.Causes) != 1 || a.Causes[0].At.Pos.Line != 1 || a.Causes[0].Field != "spec.list[0].n" {
		t.Errorf("causes = %+v", a.Causes)
	}
}

func TestDuplicatePath(t *testing.T) {
	for path, want := range map[string]string{
		"spec.a":                 "spec.a",
		"spec.a[0].b":            "spec.a[0].b",
		"metadata.labels[a.b/c]": "metadata.labels.a.b/c",
		"[a.b].c":                "a.b.c",
	} {
		if got := duplicatePath(path); got != want {
			t.Errorf("duplicatePath(%q) = %q, want %q", path, got, want)
		}
	}
}
