package kustomize

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
)

func noSources() *rendered.Sources { return rendered.NewSources(os.ReadFile) }

// writeFiles writes a txtar archive to a directory in a new git repository.
func writeFiles(t *testing.T, archive string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("repo/.git/HEAD", "")
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write("repo/"+f.Name, string(f.Data))
	}
	return filepath.Join(root, "repo")
}

// build builds the kustomizations in a directory. Names in the result are
// relative to the directory.
func build(t *testing.T, dir string, o Options) *rendered.Set {
	t.Helper()
	inputs, problems := source.Expand([]string{"."}, source.Options{Dir: dir})
	for _, p := range problems {
		t.Error(p)
	}
	o.Name = func(path string) string {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return path
		}
		return filepath.ToSlash(rel)
	}
	o.Sources = rendered.NewSources(func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	})
	return Build(context.Background(), inputs, o)
}

// report returns one line for each unit, finding and note of a set.
func report(s *rendered.Set) string {
	var b strings.Builder
	for _, u := range s.Units {
		fmt.Fprintf(&b, "%s builds %s\n", u.By, strings.Join(objectNames(u.Text), ", "))
	}
	for _, f := range s.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s\n", f.File, f.Line, f.Column, f.Message)
	}
	for _, n := range s.NotJudged {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", n.File, n.Line, n.Reason, n.Detail)
	}
	return b.String()
}

func objectNames(text []byte) []string {
	var names []string
	kind := ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if k, ok := strings.CutPrefix(line, "kind: "); ok {
			kind = k
		}
		if n, ok := strings.CutPrefix(line, "  name: "); ok {
			names = append(names, kind+" "+n)
		}
	}
	return names
}

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: %s
data: {a: b}
`

func cm(name string) string { return fmt.Sprintf(configMap, name) }

func TestBuild(t *testing.T) {
	for _, tt := range []struct {
		name, archive string
		options       Options
		want          string
		renderers     map[string]string
	}{
		{"a base is built through its overlays", `
-- base/kustomization.yaml --
resources: [a.yaml]
-- base/a.yaml --
` + cm("a") + `
-- dev/kustomization.yaml --
resources: [../base]
namePrefix: dev-
-- prod/kustomization.yaml --
resources: [../base]
namePrefix: prod-
`, Options{}, "dev/kustomization.yaml builds ConfigMap dev-a\nprod/kustomization.yaml builds ConfigMap prod-a\n",
			map[string]string{"base/a.yaml": "dev/kustomization.yaml"}},
		{"a base whose overlays do not build is built by itself", `
-- base/kustomization.yaml --
resources: [a.yaml]
-- base/a.yaml --
` + cm("a") + `
-- dev/kustomization.yaml --
resources:
- ../base
- absent.yaml
`, Options{}, "base/kustomization.yaml builds ConfigMap a\ndev/kustomization.yaml:3:3: absent.yaml: no such file\n",
			map[string]string{"base/a.yaml": "base/kustomization.yaml"}},
		{"components through their users only", `
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- patch: '[{"op": "add", "path": "/data/c", "value": "d"}]'
  target: {kind: ConfigMap, name: a}
-- app/kustomization.yaml --
resources: [a.yaml]
components: [../component]
-- app/a.yaml --
` + cm("a"), Options{}, "app/kustomization.yaml builds ConfigMap a\n", map[string]string{"app/a.yaml": "app/kustomization.yaml"}},
		{"a component that nothing uses", `
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [a.yaml]
-- component/a.yaml --
` + cm("a"), Options{}, "", map[string]string{}},
		{"what is remote is left out", `
-- kustomization.yaml --
resources:
- https://example.com/x.yaml
- github.com/org/repo//deploy?ref=v1
- a.yaml
- git@example.com:org/repo.git
patches:
- path: http://example.com/patch.yaml
configMapGenerator:
- name: g
  files:
  - key=https://example.com/data
-- a.yaml --
` + cm("a"), Options{}, `kustomization.yaml builds ConfigMap a, ConfigMap g-6ct58987ht
kustomization.yaml:2: notFetched: https://example.com/x.yaml
kustomization.yaml:3: notFetched: github.com/org/repo//deploy?ref=v1
kustomization.yaml:5: notFetched: git@example.com:org/repo.git
kustomization.yaml:7: notFetched: http://example.com/patch.yaml
kustomization.yaml:11: notFetched: key=https://example.com/data
`, map[string]string{"a.yaml": "kustomization.yaml"}},
		{"a patch for what is not fetched", `
-- kustomization.yaml --
resources: [https://example.com/x.yaml, a.yaml]
patches:
- path: patch.yaml
-- a.yaml --
` + cm("a") + `
-- patch.yaml --
` + cm("x"), Options{}, `kustomization.yaml:1: notFetched: https://example.com/x.yaml
patch.yaml:2: notRendered: kustomize does not build this: no resource matches strategic merge patch "ConfigMap.v1.[noGrp]/x.[noNs]": no matches for Id ConfigMap.v1.[noGrp]/x.[noNs]; failed to find unique target for patch ConfigMap.v1.[noGrp]/x.[noNs]
`, map[string]string{}},
		{"remote by any spelling", `
-- kustomization.yaml --
RESOURCES: &a [HTTPS://example.com/x.yaml, a.yaml]
transformers:
- |
  apiVersion: builtin
  kind: PatchTransformer
  metadata: {name: x}
  Path: https://example.com/patch
-- a.yaml --
` + cm("a"), Options{}, `kustomization.yaml:1: notFetched: HTTPS://example.com/x.yaml
kustomization.yaml:3: notFetched: https://example.com/patch
`, map[string]string{}},
		{"plugins that are programs", `
-- kustomization.yaml --
resources: [a.yaml]
transformers: [t.yaml]
-- t.yaml --
apiVersion: example.com/v1
kind: Mine
metadata:
  name: x
  annotations:
    config.kubernetes.io/function: "container: {image: x}"
-- a.yaml --
` + cm("a"), Options{}, "kustomization.yaml:2: notRendered: Mine is a plugin of its own, which is not executed\n", map[string]string{}},
		{"kustomize's own plugins", `
-- kustomization.yaml --
resources: [a.yaml]
transformers: [t.yaml]
-- t.yaml --
apiVersion: builtin
kind: PrefixTransformer
metadata: {name: x}
prefix: p-
fieldSpecs: [{path: metadata/name}]
-- a.yaml --
` + cm("a"), Options{}, "kustomization.yaml builds ConfigMap p-a\n", map[string]string{"a.yaml": "kustomization.yaml"}},
		{"files elsewhere", `
-- app/kustomization.yaml --
resources:
- ../a.yaml
-- a.yaml --
` + cm("a"), Options{}, "app/kustomization.yaml:2:3: ../a.yaml is not in or below the kustomization's directory, which only --load-restrictor=none allows\n", map[string]string{}},
		{"files elsewhere, allowed", `
-- app/kustomization.yaml --
resources:
- ../a.yaml
-- a.yaml --
` + cm("a"), Options{Anywhere: true}, "app/kustomization.yaml builds ConfigMap a\n", map[string]string{"a.yaml": "app/kustomization.yaml"}},
		{"outside of the repository", `
-- kustomization.yaml --
resources:
- ../../../../etc
- ../other
-- ../other/kustomization.yaml --
namePrefix: x
`, Options{}, "kustomization.yaml:2: notRendered: ../../../../etc lies outside of the repository\n", map[string]string{}},
		{"a cycle", `
-- a/kustomization.yaml --
resources: [../b]
-- b/kustomization.yaml --
resources: [../a]
`, Options{}, `b/kustomization.yaml:1:13: kustomize does not build this: cycle detected: candidate root 'a' contains visited root 'a'
a/kustomization.yaml:1:13: kustomize does not build this: cycle detected: candidate root 'b' contains visited root 'b'
`, map[string]string{}},
		{"itself", `
-- kustomization.yaml --
resources: [.]
`, Options{}, "kustomization.yaml:1:13: kustomize does not build this: cycle detected: candidate root '.' contains visited root '.'\n", map[string]string{}},
		{"unknown fields", `
-- kustomization.yaml --
resources: [a.yaml]
namespac: x
-- a.yaml --
` + cm("a"), Options{}, "kustomization.yaml:2:1: kustomize knows no field \"namespac\" here\n", map[string]string{}},
		{"several kustomizations", `
-- kustomization.yaml --
namePrefix: x
-- kustomization.yml --
namePrefix: x
`, Options{}, "kustomization.yaml:1:1: there is a kustomization.yml as well: kustomize wants one kustomization in a directory\n", map[string]string{}},
		{"Helm charts need a flag", `
-- kustomization.yaml --
resources: [a.yaml]
helmCharts:
- name: web
-- a.yaml --
` + cm("a"), Options{}, "kustomization.yaml builds ConfigMap a\nkustomization.yaml:3: notRendered: the Helm chart web: --enable-helm inflates it\n", map[string]string{"a.yaml": "kustomization.yaml"}},
		{"a Helm chart that is remote", `
-- kustomization.yaml --
helmCharts:
- name: web
  repo: https://example.com/charts
`, Options{EnableHelm: true, Inflate: func(context.Context, Chart) ([]byte, error) { panic("called") }},
			"kustomization.yaml:2: notFetched: the Helm chart web of https://example.com/charts\n", map[string]string{}},
		{"a Helm chart that is local", `
-- kustomization.yaml --
namePrefix: p-
helmCharts:
- name: web
-- charts/web/Chart.yaml --
name: web
`, Options{EnableHelm: true, Inflate: func(_ context.Context, c Chart) ([]byte, error) {
			return []byte(cm(filepath.Base(c.Dir))), nil
		}}, "kustomization.yaml builds ConfigMap p-web\n", map[string]string{}},
		{"a patch in the kustomization that finds nothing", `
-- kustomization.yaml --
resources: [a.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: b}
-- a.yaml --
` + cm("a"), Options{}, "kustomization.yaml:5:11: kustomize does not build this: no resource matches strategic merge patch \"ConfigMap.v1.[noGrp]/b.[noNs]\": no matches for Id ConfigMap.v1.[noGrp]/b.[noNs]; failed to find unique target for patch ConfigMap.v1.[noGrp]/b.[noNs]\n", map[string]string{}},
		{"no kustomization", "-- a.yaml --\n" + cm("a"), Options{}, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := build(t, writeFiles(t, tt.archive), tt.options)
			if diff := cmp.Diff(tt.want, report(set)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.renderers, set.Renderers); diff != "" {
				t.Errorf("renderers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSuppression checks that kubevet:ignore comments work in the files to
// which findings are traced.
func TestSuppression(t *testing.T) {
	dir := writeFiles(t, `
-- kustomization.yaml --
resources: [a.yaml]
patches:
- path: patch.yaml
-- a.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  x: word # kubevet:ignore apiwarning
  z: other
-- patch.yaml --
# kubevet:ignore removedapi
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  p: "1"
`)
	set := build(t, dir, Options{})
	if len(set.Units) != 1 {
		t.Fatal(report(set))
	}
	u := set.Units[0]
	for _, tt := range []struct {
		rule, text, want string
	}{
		{"apiwarning", "word", ""},
		{"invalidfield", "other", "a.yaml:7:6-11"},
		{"removedapi", `"1"`, ""},
		{"apiwarning", `"1"`, "patch.yaml:6:6-9"},
	} {
		f := rules.Finding{Rule: tt.rule}
		for i, line := range strings.Split(string(u.Text), "\n") {
			if at := strings.Index(line, ": "+tt.text); at >= 0 {
				f.Line, f.Column = i+1, at+3
				break
			}
		}
		got := ""
		if u.Trace(&f) {
			got = fmt.Sprintf("%s:%d:%d-%d", f.File, f.Line, f.Column, f.EndColumn)
		}
		if got != tt.want {
			t.Errorf("%s on %s: %q, want %q", tt.rule, tt.text, got, tt.want)
		}
	}
	if diff := cmp.Diff([]string{"kustomization.yaml", "patch.yaml"}, set.Watched); diff != "" {
		t.Errorf("watched (-want +got):\n%s", diff)
	}
}

// TestInflated checks that a finding in a chart's output is reported at the
// kustomization's entry for the chart.
func TestInflated(t *testing.T) {
	dir := writeFiles(t, `
-- kustomization.yaml --
helmCharts:
- name: other
- name: web
-- charts/web/Chart.yaml --
name: web
-- charts/other/Chart.yaml --
name: other
`)
	set := build(t, dir, Options{EnableHelm: true, Inflate: func(_ context.Context, c Chart) ([]byte, error) {
		return []byte(cm(filepath.Base(c.Dir))), nil
	}})
	if len(set.Units) != 1 {
		t.Fatal(report(set))
	}
	f := rules.Finding{Line: strings.Count(string(set.Units[0].Text), "\n"), Column: 9, Document: 1}
	if !set.Units[0].Trace(&f) || f.File != "kustomization.yaml" || f.Line != 3 || f.Column != 9 || f.EndColumn != 12 {
		t.Errorf("%+v", f)
	}
}

// TestParallel builds kustomizations with and without their own schemas at the
// same time. It is useful with the race detector.
func TestParallel(t *testing.T) {
	archive := ""
	for i := range 24 {
		archive += fmt.Sprintf("-- %d/kustomization.yaml --\nresources: [a.yaml]\npatches: [{path: patch.yaml}]\n", i)
		if i%6 == 5 {
			archive += "openapi: {path: schema.json}\n"
		}
		archive += fmt.Sprintf("-- %d/schema.json --\n{\"definitions\":{}}\n-- %d/a.yaml --\n%s-- %d/patch.yaml --\n%s", i, i, cm("a"), i, cm("a"))
	}
	set := build(t, writeFiles(t, archive), Options{Workers: 8})
	if len(set.Units) != 24 {
		t.Error(report(set))
	}
}
