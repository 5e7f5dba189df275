package kustomize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/provider"
)

// plainly are texts that the library need not be asked about.
var plainly = []string{
	"a: b\n", "a: 1\nb: [x, 2, true, null, ~]\nc: {}\nd: []\n", "a: 'true'\nb: \"8080\"\nc: '1.5'\nd: yes\ne: 'null'\n",
	"b: 1\na: 2\nport10: 1\nport9: 2\nA: 1\n_x: 1\n", "a: |\n  one\n  two\nb: |-\n  x\n\n  y\n",
	"a:\n- b: 1\n  a: 2\n- - 1\n  - x: y\n- []\n", "a: ' x'\nb: 'it: is'\nc: 'say #no'\nd: '*'\ne: '@x'\n",
	"a: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen\n",
	"a: größer\nü: 1\n", "a: 'it: is a text  in ''single'' quotes that goes on and on, and on, and on, until it  is longer than a line may be, really, it is; and one that is longer still '\nb:\n- c: '# one: that begins to the right of it and still goes on and on until it is as long as the other was '\n", "n: \"\"\nm: null\n", "on: off\n", "a/b.c: d\n10-x.conf: e\n\"1\": f\n",
}

// unusually are texts of which something is left to the library.
var unusually = []string{
	"a: 0x10\nb: 1.50\nc: 1e3\nd: 0777\ne: .5\n", "a: 2020-01-01\nb: '2020-01-01'\n", "a: !!str 1\nb: !!int '3'\n",
	"a: >\n  folded\n  text\n\n  more\n", "a: \"tab\\tand\\u2028\"\n", "a: \"\\U0001F600\"\n", "a: \"trailing \\n x\"\n",
	"a: 'it: is a long text in single quotes that goes on and on until it is longer than a line may be, really'\n",
	"a: \"\\n x\"\n", "1: a\n", "a: \"\n\n\\u2028\"\n", "a: [&0]  \nb: {c: }\n", "a: |+\n  z\n\n\nb: |+\n  0\n\n#", "? [a]\n: b\n", "a: &x {b: c}\nd: *x\n", "a: &x {b: c}\nd:\n  <<: *x\n  e: f\n", "a: 1\na: 2\n",
}

func FuzzEmitter(f *testing.F) {
	for _, s := range append(plainly, unusually...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) { sameAsLibrary(t, "spec:\n  "+strings.ReplaceAll(body, "\n", "\n  ")) })
}

// sameAsLibrary compares what is written of the objects in a text with what the
// library writes, and counts those that it was asked to write.
func sameAsLibrary(t *testing.T, body string) (objects, left int) {
	t.Helper()
	if bounded([]byte(body)) != nil {
		return 0, 0
	}
	all, err := provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte(body))
	if err != nil {
		all, err = provider.NewDefaultDepProvider().GetResourceFactory().SliceFromBytes([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n" + body))
		if err != nil {
			return 0, 0
		}
	}
	var e emitter
	for _, r := range all {
		objects++
		want, wantErr := r.AsYAML()
		start := len(e.out)
		e.line, e.around, e.flow = start, nil, false
		if e.mapping(r.YNode(), 0) != nil {
			if wantErr == nil {
				left++
			}
			e.out = e.out[:start]
			continue
		}
		if got := string(e.out[start:]); wantErr != nil || got != string(want) {
			t.Fatalf("%s\n-- is written\n%s\n-- the library writes\n%s%v", body, got, want, wantErr)
		}
	}
	return objects, left
}

// TestEmitter writes objects as the library does, without it where they are
// plain.
func TestEmitter(t *testing.T) {
	for i, body := range append(plainly, unusually...) {
		n, left := sameAsLibrary(t, "spec:\n  "+strings.ReplaceAll(body, "\n", "\n  "))
		if i < len(plainly) && (n != 1 || left != 0) {
			t.Errorf("%q: %d objects, %d of them left to the library", body, n, left)
		}
	}
}

// TestEmitterOnManifests writes the objects of public manifests as the library
// does, nearly all of them without it.
func TestEmitterOnManifests(t *testing.T) {
	objects, left := 0, 0
	trees := filepath.SplitList(os.Getenv("KUBEVET_KUSTOMIZE_TREES"))
	if len(trees) == 0 {
		trees = []string{"../../../examples", "../../../testdata", "../../../../shared/data/corpus/kustomize", "../../../../shared/data/corpus/crds"}
	}
	for _, tree := range trees {
		_ = filepath.WalkDir(tree, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
				return nil
			}
			if text, err := os.ReadFile(path); err == nil && len(text) < 1<<20 {
				n, l := sameAsLibrary(t, string(text))
				objects, left = objects+n, left+l
			}
			return nil
		})
	}
	if objects == 0 || left > objects/20 {
		t.Errorf("of %d objects, %d were left to the library", objects, left)
	}
	t.Logf("of %d objects, %d were left to the library", objects, left)
}
