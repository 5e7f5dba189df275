package checks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// definition returns a definition of the kind Backup. spec is the schema of the
// field spec in v1. alpha has additional fields for v1alpha1.
func definition(spec, alpha string) string {
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: backups.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: backups, kind: Backup}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}}
  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}, %s}
`, spec, alpha)
}

// customFindings lints documents, and returns the findings about custom
// resources. The context objects are in the same documents.
func customFindings(t *testing.T, documents ...string) []string {
	t.Helper()
	var text bytes.Buffer
	for _, d := range documents {
		text.WriteString("---\n" + d)
	}
	inputs := slices.Values([]manifestlint.Input{{Name: "f.yaml", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text.Bytes())), nil
	}}})
	context, err := objectcontext.Collect(context.Background(), inputs, objectcontext.Options{Kinds: ContextKinds()})
	if err != nil {
		t.Fatal(err)
	}
	target, err := lifecycle.NewTarget("1.37", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	severity := map[string]rules.Severity{}
	for _, c := range All(nil) {
		for _, rule := range c.Rules() {
			severity[rule] = rules.Error
		}
	}
	l := manifestlint.New(manifestlint.Options{Target: target, Checks: All(NewSet(context)), Severity: severity})
	findings, _ := l.Bytes("f.yaml", text.Bytes())
	var all []string
	for _, f := range findings {
		if f.Object.Kind == "Backup" {
			all = append(all, f.Rule+": "+f.Message)
		}
	}
	return all
}

func TestSeveralDefinitions(t *testing.T) {
	const (
		object = "apiVersion: example.com/v1\nkind: Backup\nmetadata: {name: a}\nspec: {size: 0, more: 1}\n"
		alpha  = "apiVersion: example.com/v1alpha1\nkind: Backup\nmetadata: {name: a}\n"
		gone   = "apiVersion: example.com/v2\nkind: Backup\nmetadata: {name: a}\n"
		small  = "{type: object, properties: {size: {type: integer, minimum: 1}}}"
		large  = "{type: object, properties: {size: {type: integer, minimum: 1}, more: {type: integer, maximum: 0}}}"
	)
	said := definition(small, "deprecated: true")
	unknown := `unknownfield: unknown field "spec.more"`
	low := "invalidfield: Invalid value: 0: spec.size in body should be greater than or equal to 1"
	deprecated := "deprecatedapi: example.com/v1alpha1 Backup is deprecated; use example.com/v1 Backup"
	missing := `removedapi: no matches for kind "Backup" in version "example.com/v2": its CustomResourceDefinition serves v1, v1alpha1`
	for name, tt := range map[string]struct {
		documents []string
		want      []string
	}{
		"one":                     {[]string{said, object, alpha, gone}, []string{unknown, low, deprecated, missing}},
		"none":                    {[]string{object, alpha, gone}, nil},
		"behind the objects":      {[]string{object, alpha, gone, said}, []string{unknown, low, deprecated, missing}},
		"a copy":                  {[]string{said, object, alpha, said}, []string{unknown, low, deprecated}},
		"one that differs":        {[]string{said, definition(large, "deprecated: true"), object, alpha}, []string{low, deprecated}},
		"another text":            {[]string{said, definition(small, "deprecated: true, deprecationWarning: gone soon"), alpha}, nil},
		"not deprecated any more": {[]string{said, definition(small, "deprecated: false"), object, alpha, gone}, []string{unknown, low, missing}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, customFindings(t, tt.documents...)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEscapedDefinition checks that a definition in JSON is found if its kind
// and group contain escapes.
func TestEscapedDefinition(t *testing.T) {
	const object = "apiVersion: example.com/v1alpha1\nkind: Backup\nmetadata: {name: a}\n"
	definition := func(group, kind string) string {
		return `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "backups.example.com"},
 "spec": {"group": "` + group + `", "scope": "Namespaced", "names": {"plural": "backups", "kind": "` + kind + `"}, "versions": [
  {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}},
  {"name": "v1alpha1", "served": true, "storage": false, "deprecated": true, "schema": {"openAPIV3Schema": {"type": "object"}}}]}}` + "\n"
	}
	want := customFindings(t, definition("example.com", "Backup"), object)
	if len(want) == 0 {
		t.Fatal("no findings without escapes")
	}
	got := customFindings(t, definition(`ex\u0061mple.com`, `B\u0061ckup`), object)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with escapes (-plain +got):\n%s", diff)
	}
}
