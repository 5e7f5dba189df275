package kustomize

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint/source"
)

// compareAside builds the kustomizations below a directory with schemas put
// aside and with everything in them: the same must come out, from the same
// places. It gives how many builds had something put aside.
func compareAside(t *testing.T, dir string) (aside int) {
	t.Helper()
	inputs, _ := source.Expand([]string{dir}, source.Options{NoGitignore: true})
	o := Options{Name: func(p string) string { return p }, Timeout: DefaultTimeout, Sources: noSources()}
	g := newGraph(inputs, &o)
	b := &builder{ctx: context.Background(), o: &o, graph: g, asides: newAsides()}
	for _, k := range g.list {
		for _, withoutJSON := range []bool{false, true} {
			p, failed := b.newPlan(k, withoutJSON, false)
			if failed != nil {
				continue
			}
			got, gotFailed, short := b.attempt(p)
			if len(p.lines.placed) == 0 {
				continue
			}
			aside++
			if short {
				p, got, gotFailed = b.run(p)
				if len(p.lines.placed) > 0 {
					t.Errorf("%s: what falls short is left so", k.path)
				}
			}
			whole, _ := b.newPlan(k, withoutJSON, true)
			want, wantFailed, _ := b.attempt(whole)
			if !reflect.DeepEqual(gotFailed, wantFailed) {
				t.Errorf("%s: %+v\nwhole: %+v", k.path, gotFailed, wantFailed)
			} else if want != nil && string(got.text) != string(want.text) {
				t.Errorf("%s: builds to\n%s\nwhole:\n%s", k.path, got.text, want.text)
			} else if want != nil && !reflect.DeepEqual(got.objects, want.objects) {
				t.Errorf("%s: comes from other places", k.path)
			}
		}
	}
	return aside
}

// definitionText is a custom resource definition; the indent is that of its
// schema's lines.
func definitionText(name, schema string) string {
	return fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations: {note: "openAPIV3Schema:"}
  name: %s.example.com
spec:
  group: example.com
  names: {kind: Thing, plural: %s}
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
%s
    served: true # it is
    storage: true
`, name, name, schema)
}

// plainSchema is one that can be put aside.
var plainSchema = strings.ReplaceAll(`        description: |-
          A thing: it has
            names, and # is no comment.

          More of it.
        type: object
        properties:
          spec:
            type: object
            required: [port, "on"]
            properties:
              port: {type: integer, minimum: 1, default: 8080, enum: [80, 8080]}
              "on": {type: string, enum: ["yes", 'no', "1"], default: "*"}
              at:
                description: when it was made, which is a long text that is broken in the middle of it by whoever writes it
                type: string
                pattern: '^\d+$'
`, "\n\n", "\n          \n") + strings.Repeat("        x-note: a\n", 0)

// TestAside puts schemas aside and gets them back.
func TestAside(t *testing.T) {
	other := func(old, new string) string { return strings.Replace(plainSchema, old, new, 1) }
	for name, c := range map[string]struct {
		kustomization, schema string
		files                 map[string]string
		stays                 int // in place, in so many of two builds
	}{
		"resources":         {kustomization: "resources: [crd.yaml]"},
		"renamed":           {kustomization: "resources: [crd.yaml]\nnamespace: x\nnamePrefix: a-\ncommonLabels: {a: b}\nimages: [{name: a, newTag: b}]"},
		"patched":           {kustomization: "resources: [crd.yaml]\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: things.example.com}\n    spec: {conversion: {strategy: None}}"},
		"version replaced":  {kustomization: "resources: [crd.yaml]\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: things.example.com}\n    spec: {versions: [{name: v2, served: true, storage: true}]}"},
		"deleted":           {kustomization: "resources: [crd.yaml, cm.yaml]\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata: {name: things.example.com}\n    $patch: delete"},
		"another's patch":   {kustomization: "resources: [crd.yaml, cm.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: add, path: /data/x, value: y}"},
		"JSON patch":        {kustomization: "resources: [crd.yaml]\npatches:\n- target: {kind: Custom.*}\n  patch: |-\n    - {op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties}", stays: 2},
		"JSON patch of any": {kustomization: "resources: [crd.yaml]\npatches:\n- target: {name: things.example.com}\n  patch: |-\n    - {op: add, path: /metadata/annotations/x, value: y}", stays: 1},
		"patch within":      {kustomization: "resources: [crd.yaml]\npatches: [{path: patch.yaml}]", stays: 2, files: map[string]string{"patch.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"}},
		"patch with escape": {kustomization: "resources: [crd.yaml]\npatchesStrategicMerge: [patch.yaml]", stays: 2, files: map[string]string{"patch.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\nspec: {versions: [{name: v1, served: true, storage: true, schema: {\"openAPIV3\\u0053chema\": {type: object}}}]}\n"}},
		"replacement":       {kustomization: "resources: [crd.yaml, cm.yaml]\nreplacements:\n- source: {kind: ConfigMap, name: a, fieldPath: data.x}\n  targets: [{select: {kind: CustomResourceDefinition}, fieldPaths: [spec.versions.0.schema.openAPIV3Schema.description]}]", stays: 2},
		"replaced beside":   {kustomization: "resources: [crd.yaml, cm.yaml]\nreplacements:\n- source: {kind: ConfigMap, name: a, fieldPath: data.x}\n  targets: [{select: {kind: CustomResourceDefinition}, fieldPaths: [metadata.annotations.note]}]"},
		"configuration":     {kustomization: "resources: [crd.yaml]\nnamePrefix: a-\nconfigurations: [c.yaml]", files: map[string]string{"c.yaml": "namePrefix:\n- path: spec/versions/schema/openAPIV3Schema/type\n  kind: CustomResourceDefinition\n"}, stays: 2},
		"other config":      {kustomization: "resources: [crd.yaml]\nnamePrefix: a-\nconfigurations: [c.yaml]", files: map[string]string{"c.yaml": "namePrefix:\n- path: spec/names/kind\n  kind: CustomResourceDefinition\n"}},
		"variable":          {kustomization: "resources: [crd.yaml, cm.yaml]\nvars: [{name: A, objref: {apiVersion: v1, kind: ConfigMap, name: a}, fieldref: {fieldpath: data.x}}]"},
		"its variable":      {kustomization: "resources: [crd.yaml, cm.yaml]\nvars: [{name: A, objref: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: things.example.com}, fieldref: {fieldpath: spec.versions[0].schema}}]", stays: 2},
		"openapi":           {kustomization: "resources: [crd.yaml]\ncrds: [crd.json]", files: map[string]string{"crd.json": "{}"}, stays: 2},
		"twice":             {kustomization: "resources: [crd.yaml, again.yaml]", files: map[string]string{"again.yaml": definitionText("things", plainSchema)}},
		"does not build":    {kustomization: "resources: [crd.yaml, cm.yaml]\nvars: [{name: A, objref: {apiVersion: v1, kind: ConfigMap, name: a}, fieldref: {fieldpath: data.none}}]"},
		"anchor":            {kustomization: "resources: [crd.yaml]", schema: other("type: object", "type: &o object"), stays: 2},
		"comment":           {kustomization: "resources: [crd.yaml]", schema: other("type: object", "type: object # that is it"), stays: 2},
		"comment at an end": {kustomization: "resources: [crd.yaml]", schema: plainSchema + "    # of the end"},
		"null":              {kustomization: "resources: [crd.yaml]", schema: other("type: object", "example:\n        type: object"), stays: 2},
		"twice the key":     {kustomization: "resources: [crd.yaml]", schema: other("type: object", "type: object\n        type: object"), stays: 2},
		"broken":            {kustomization: "resources: [crd.yaml]", schema: other("type: object", "type: [object"), stays: 2},
		"quotes that go on": {kustomization: "resources: [crd.yaml]", schema: other("type: object", "title: 'goes\n  on'"), stays: 2},
		"ends in the text":  {kustomization: "resources: [crd.yaml]", schema: strings.TrimRight(plainSchema, "\n") + "\n        title: |\n          text\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.schema == "" {
				c.schema = plainSchema
			}
			var all strings.Builder
			write := func(name, text string) { fmt.Fprintf(&all, "-- %s --\n%s\n", name, strings.TrimSuffix(text, "\n")) }
			write("kustomization.yaml", c.kustomization)
			write("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: y}")
			write("crd.yaml", "# The first.\n---\n"+definitionText("things", strings.TrimRight(c.schema, "\n")))
			for name, text := range c.files {
				write(name, text)
			}
			if got := compareAside(t, files(t, all.String())); got != 2-c.stays {
				t.Errorf("%d builds have something put aside", got)
			}
		})
	}
}

// TestAsideOnManifests builds public kustomizations with schemas put aside and
// with everything in them: those below the directories in
// KUBEVET_KUSTOMIZE_TREES, or those of the shared corpus, where that is there.
func TestAsideOnManifests(t *testing.T) {
	trees := filepath.SplitList(os.Getenv("KUBEVET_KUSTOMIZE_TREES"))
	if len(trees) == 0 {
		trees = []string{"../../../../shared/data/corpus/kustomize"}
	}
	if trees = slices.DeleteFunc(trees, func(tree string) bool { return !isDir(tree) }); len(trees) == 0 {
		t.Skip("there are none")
	}
	aside := 0
	for _, tree := range trees {
		aside += compareAside(t, tree)
	}
	if aside == 0 {
		t.Error("nothing was put aside")
	}
	t.Logf("%d builds had something put aside", aside)
}
