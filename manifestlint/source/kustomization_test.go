package source

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

func TestKustomizations(t *testing.T) {
	for _, test := range []expandTest{{
		name: "every field that names files",
		tree: `
			kustomization.yaml = apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [r.yaml, base, "https://example.org/x.yaml?ref=1"]\npatches:\n- path: a.yaml\n  target: {kind: Deployment}\n- patch: |-\n    - op: add\n- b.yaml\npatchesStrategicMerge:\n- ./sub/../c.yaml\n- |-\n  kind: X\n  spec: {path: r.yaml}\npatchesJson6902:\n- path: d.json\n  target: {}\ntransformers: [e.yaml, dir]\ngenerators: [f.yaml]\nvalidators: [g.yaml]\nconfigurations: [h.yaml]\ncrds: [i.json]\nopenapi:\n  path: j.json\nreplacements:\n- path: k.yaml\n- source: {}\nconfigMapGenerator:\n- name: x\n  files: [l.yaml, key.yaml=m.yaml]\n  envs: [n.yaml]\n  literals: [r.yaml=r.yaml]\n- env: o.yaml\nsecretGenerator:\n- files: [p.yaml]\nhelmCharts:\n- valuesFile: q.yaml\n  additionalValuesFiles: [s.yaml]\n
			a.yaml
			b.yaml
			c.yaml
			d.json
			e.yaml
			dir/r.yaml
			f.yaml
			g.yaml
			h.yaml
			i.json
			j.json
			k.yaml
			l.yaml
			m.yaml
			n.yaml
			o.yaml
			p.yaml
			q.yaml
			r.yaml
			s.yaml
			z.yaml`,
		args: ".",
		want: `
			a.yaml patches of kustomization.yaml
			b.yaml patches of kustomization.yaml
			c.yaml patchesStrategicMerge of kustomization.yaml
			d.json patchesJson6902 of kustomization.yaml
			dir/r.yaml
			e.yaml transformers of kustomization.yaml
			f.yaml generators of kustomization.yaml
			g.yaml validators of kustomization.yaml
			h.yaml configurations of kustomization.yaml
			i.json crds of kustomization.yaml
			j.json openapi of kustomization.yaml
			k.yaml replacements of kustomization.yaml
			kustomization.yaml kustomization
			l.yaml configMapGenerator of kustomization.yaml
			m.yaml configMapGenerator of kustomization.yaml
			n.yaml configMapGenerator of kustomization.yaml
			o.yaml configMapGenerator of kustomization.yaml
			p.yaml secretGenerator of kustomization.yaml
			q.yaml helmCharts of kustomization.yaml
			r.yaml
			s.yaml helmCharts of kustomization.yaml
			z.yaml`,
	}, {
		name: "components, the three names, and files of other directories",
		tree: `
			k/base/a.yaml
			k/base/kustomization.yml = resources: [a.yaml]
			k/comp/Kustomization = kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\npatches: [{path: p.yaml}]
			k/comp/p.yaml
			k/over/kustomization.yaml = resources: [../base]\ncomponents: [../comp]\npatches:\n- path: ../parts/q.yaml
			k/parts/q.yaml`,
		args: "k",
		want: `
			k/base/a.yaml
			k/base/kustomization.yml kustomization
			k/comp/p.yaml patches of k/comp/Kustomization
			k/over/kustomization.yaml kustomization
			k/parts/q.yaml patches of k/over/kustomization.yaml`,
	}, {
		name: "a resource somewhere is a whole object",
		tree: `
			a/kustomization.yaml = patches:\n- path: p.yaml\n- path: q.yaml\n- path: r.yaml
			a/p.yaml
			a/q.yaml
			a/r.yaml
			b/kustomization.yaml = resources:\n- "../a/p.yaml"
			c/kustomization.yaml = bases: [../a/../a/q.yaml]
			d/kustomization.yaml = resources: [r.yaml]\n
			d/r.yaml`,
		args: ".",
		want: `
			a/kustomization.yaml kustomization
			a/p.yaml
			a/q.yaml
			a/r.yaml patches of a/kustomization.yaml
			b/kustomization.yaml kustomization
			c/kustomization.yaml kustomization
			d/kustomization.yaml kustomization
			d/r.yaml`,
	}, {
		name: "a patch is a patch, whatever else it is used for before",
		tree: `
			a/kustomization.yaml = configMapGenerator:\n- files: [../p.yaml, ../q.yaml]
			b/kustomization.yaml = patches: [path: ../p.yaml]\ntransformers: [../q.yaml]
			p.yaml
			q.yaml`,
		args: ".",
		want: `
			a/kustomization.yaml kustomization
			b/kustomization.yaml kustomization
			p.yaml patches of b/kustomization.yaml
			q.yaml configMapGenerator of a/kustomization.yaml`,
	}, {
		name: "aliases, empty documents before, JSON",
		tree: `
			a/kustomization.yaml = # only\n---\n---\nx: &x [{path: &p p.yaml}]\npatches: *x\ntransformers: [*p]
			a/p.yaml
			b/kustomization.yaml = {"patches":[{"path":"p.json"}]}
			b/p.json`,
		args: ".",
		want: `
			a/kustomization.yaml kustomization
			a/p.yaml patches of a/kustomization.yaml
			b/kustomization.yaml kustomization
			b/p.json patches of b/kustomization.yaml`,
	}, {
		name: "other objects by the name of a kustomization",
		tree: `
			a/kustomization.yaml = apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./x}
			b/kustomization.yaml = apiVersion: v1\nkind: ConfigMap
			c/kustomization.yaml = apiVersion: {{ broken
			d/Kustomization/a.yaml
			e/kustomization.yaml/b.yaml
			f/kustomization.yaml = \n`,
		args: ". a/kustomization.yaml",
		want: `
			a/kustomization.yaml
			b/kustomization.yaml
			c/kustomization.yaml kustomization
			d/Kustomization/a.yaml
			e/kustomization.yaml/b.yaml
			f/kustomization.yaml kustomization`,
	}, {
		name: "broken kustomizations name nothing",
		tree: `
			a/kustomization.yaml = patches:\n- path: [p.yaml]\n- {path: {p.yaml: p.yaml}}\n- [p.yaml]\n- ~\nresources: p.yaml\ntransformers: {a: p.yaml}\ncrds:\nopenapi: p.yaml\nconfigMapGenerator: [p.yaml, files: p.yaml]
			a/p.yaml
			b/kustomization.yaml = patches: [path: p.yaml\nx: y
			b/p.yaml
			c/kustomization.yaml = - patches
			d/kustomization.yaml = patches:\n- path: ""\n- path: .\n- path: ..\n- path: /p.yaml\n- path: ../../../../../../../../../../../../x.yaml\n- path: "a\0b"\n- path: file://p.yaml\n
			d/p.yaml`,
		args: ".",
		want: `
			a/kustomization.yaml kustomization
			a/p.yaml
			b/kustomization.yaml kustomization
			b/p.yaml
			c/kustomization.yaml kustomization
			d/kustomization.yaml kustomization
			d/p.yaml`,
	}, {
		name: "files that are named, with the kustomization above",
		tree: `
			kustomization.yaml = patches: [path: r/k/p.yaml]
			r/.git/
			r/k/kustomization.yaml = patches:\n- path: patches/p.yaml\n- path: patches/q.yaml\n- path: s.txt
			r/k/patches/p.yaml
			r/k/patches/q.yaml
			r/k/s.txt
			r/k/p.yaml`,
		in:   "r",
		args: "k/patches/p.yaml k/s.txt k/p.yaml",
		want: `
			k/patches/p.yaml patches of k/kustomization.yaml
			k/s.txt patches of k/kustomization.yaml
			k/p.yaml`,
	}, {
		name: "directories that are named, with the kustomization above",
		tree: "k/kustomization.yaml = patches: [path: patches/p.yaml]\nk/patches/p.yaml\nk/w/",
		in:   "k/w",
		args: "../patches $DIR/k/patches",
		want: "../patches/p.yaml patches of ../kustomization.yaml",
	}, {
		name: "absolute names",
		tree: "k/kustomization.yaml = patches: [path: p.yaml]\nk/p.yaml",
		args: "$DIR/k/p.yaml",
		want: "$DIR/k/p.yaml patches of $DIR/k/kustomization.yaml",
	}, {
		name: "ignored and excluded kustomizations count",
		tree: ".git/\n.gitignore = kustomization.yaml\na/kustomization.yaml = patches: [path: p.yaml]\na/p.yaml\nb/Kustomization = patches: [path: p.yaml]\nb/p.yaml",
		args: ".",
		o:    Options{Exclude: []string{"Kustomization"}},
		want: "a/p.yaml patches of a/kustomization.yaml\nb/p.yaml patches of b/Kustomization",
	}, {
		name: "paths through links",
		tree: `
			k/kustomization.yaml = patches:\n- path: l.yaml\n- path: d/q.yaml
			k/l.yaml -> z/p.yaml
			k/d -> z
			k/z/p.yaml
			k/z/q.yaml`,
		args: "k",
		want: `
			k/kustomization.yaml kustomization
			k/z/p.yaml patches of k/kustomization.yaml
			k/z/q.yaml patches of k/kustomization.yaml`,
	}, {
		name: "indices after links were put in order",
		tree: `
			.git/
			.gitignore = /z/
			k/kustomization.yaml = patches:\n- path: b.yaml\n- path: c.yaml\nresources: [a.yaml]
			k/a.yaml -> ../z/a.yaml
			k/b.yaml
			k/c.yaml -> ../z/c.yaml
			k/d.yaml
			z/a.yaml
			z/c.yaml`,
		args: ".",
		want: `
			k/a.yaml
			k/b.yaml patches of k/kustomization.yaml
			k/c.yaml patches of k/kustomization.yaml
			k/d.yaml
			k/kustomization.yaml kustomization`,
	}} {
		test.run(t)
	}
}

func TestKustomizationTooLarge(t *testing.T) {
	dir := makeTree(t, "a.yaml")
	write(t, dir, "Kustomization", strings.Repeat("#", maxKustomization+1))
	got := describe(Expand([]string{"a.yaml"}, Options{Dir: dir}))
	want := fmt.Sprintf("a.yaml\nunreadable: Kustomization: larger than the limit of %d bytes\n", maxKustomization)
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestCharts(t *testing.T) {
	const files = `
		c/Chart.yaml
		c/values.yaml
		c/templates/a.yaml
		c/templates/s/b.yaml
		c/crds/d.yaml
		c/charts/sub/Chart.yaml
		c/charts/sub/templates/e.yaml
		c/charts/sub/crds/f.yaml
		templates/g.yaml`
	for _, test := range []expandTest{{
		args: ".",
		want: `
			c/Chart.yaml
			c/charts/sub/Chart.yaml
			c/charts/sub/crds/f.yaml
			c/charts/sub/templates/e.yaml template of c/charts/sub
			c/crds/d.yaml
			c/templates/a.yaml template of c
			c/templates/s/b.yaml template of c
			c/values.yaml
			templates/g.yaml`,
	}, {
		args: "c/templates/s/b.yaml c/crds/d.yaml c/charts/sub/templates templates",
		want: `
			c/templates/s/b.yaml template of c
			c/crds/d.yaml
			c/charts/sub/templates/e.yaml template of c/charts/sub
			templates/g.yaml`,
	}, {
		in:   "c/templates",
		args: ".",
		want: "a.yaml template of ..\ns/b.yaml template of ..",
	}, {
		in:   "c/charts/sub",
		args: ".",
		want: "Chart.yaml\ncrds/f.yaml\ntemplates/e.yaml template of .",
	}, {
		in:   "c",
		args: "templates",
		want: "templates/a.yaml template of .\ntemplates/s/b.yaml template of .",
	}, {
		args: "$DIR/c/templates",
		want: "$DIR/c/templates/a.yaml template of $DIR/c\n$DIR/c/templates/s/b.yaml template of $DIR/c",
	}} {
		test.name, test.tree = test.in+" "+test.args, files
		test.run(t)
	}
	expandTest{
		name: "templates behind a link",
		tree: "c/Chart.yaml\nc/templates -> ../parts\nparts/a.yaml\nd/Chart.yaml\nd/templates -> t\nd/t/b.yaml",
		args: "c d",
		o:    Options{FollowSymlinks: true, Exclude: []string{"d/t"}},
		want: "c/Chart.yaml\nc/templates/a.yaml template of c\nd/Chart.yaml\nd/templates/b.yaml template of d",
	}.run(t)
}

// FuzzKustomization parses arbitrary texts, and checks the paths that parseUses
// returns.
func FuzzKustomization(f *testing.F) {
	for _, text := range []string{
		"patches:\n- path: p.yaml\n", "patches: &a [*a]\n", "configMapGenerator: [{files: [a=b]}]\n",
		"? patches\n: - path: p.yaml\n", "\"p\\u0061tches\": [p.yaml]\n", "{\"patches\": [\"p.yaml\"]}", "p\x00a\x00",
		"a: &a [x]\nb: &b [*a,*a]\npatchesStrategicMerge: *b\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, use := range parseUses(strings.NewReader(text)).files {
			if path.IsAbs(use.path) || strings.ContainsAny(use.path, "\n\x00") {
				t.Errorf("%q names the file %q", text, use.path)
			}
		}
	})
}
