package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// outlineOf writes what uses are made of.
func outlineOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		var b strings.Builder
		fmt.Fprintf(&b, "%d(", n.Kind)
		for _, c := range n.Content {
			b.WriteString(outlineOf(c) + " ")
		}
		return b.String() + ")"
	}
	return fmt.Sprintf("%d:%q", n.Kind, n.Value)
}

// comparePlain holds parsePlain against the library. It reports whether the
// text is regular.
func comparePlain(t *testing.T, text string) bool {
	t.Helper()
	got := parsePlain(text)
	if got == nil {
		return false
	}
	var document yaml.Node
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(&document); err != nil {
		t.Errorf("%q: the library says %v", text, err)
		return true
	}
	if want := outlineOf(document.Content[0]); outlineOf(got) != want {
		t.Errorf("%q:\ngot  %s\nwant %s", text, outlineOf(got), want)
	}
	return true
}

var plainTexts = []string{
	"a: b\n",
	"---\n# all\nkind: Kustomization # c\n\nresources:\n- a.yaml\n- \"b c.yaml\"\n-   'd.yaml' # e\n- ../f # g\n- http://h/i?ref=j\n",
	"patches:\n  - path: a.yaml\n    target:\n      kind: X\n  # c\n  - patch: |-\n      - op: add # no comment\n\n        path: /x\n    target: {}\n  -\n    path: b\nx:\ny: []\n",
	"patches:\n- |-\n  a: b\n   c\n\n\n- |\n  x.yaml\n- target:\n  - a\n  - b: c\n    d:\n  e: f\n",
	"a:\n  b:\n    c: d\ne: f",
	"a:\n- b\n- c\nd:\n-\n- e\n",
}

// plainOdd are left to the library, or are no YAML at all.
var plainOdd = []string{
	"", "# c\n", "- a\n", " a: b\n", "a: [b, c]\n", "a: &b c\n", "a: *b\n", "a: !!str b\n", "? a\n: b\n", "a: b\n  c\n", "a: b: c\n", "a: b:\n",
	"a: |\n", "a: |\n b", "a: |+\n b\n", "a: >-\n b\n c\n", "a: |2\n  b\n", "a: |\n\n  b\n", "a: 'b\n  c'\n", "a: 'b''c'\n", "a: \"b\\n\"\n",
	"a: 'b'#c\n", "a: b\n---\nc: d\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n", "--- a\n", "a:\tb\n", "a: é\n", "a: b\r\n", "a\n", "a:\n   b: c\n  d: e\n",
	"a:\n  - b\n - c\n", "a: b\n- c\n", "- - a\n", "a: -\n", "a: |\n  b\n c\n", "a: {b: c}\n", "<<: a\n", "a: @b\n", "a: `b`\n", "\"a\": b\n", "a : b\n",
}

func TestPlain(t *testing.T) {
	for _, text := range plainTexts {
		if !comparePlain(t, text) {
			t.Errorf("%q is irregular", text)
		}
	}
	for _, text := range plainOdd {
		if comparePlain(t, text) {
			t.Errorf("%q is regular", text)
		}
	}
}

// TestPlainRandom puts pieces of lines together.
func TestPlainRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	starts := []string{"", "  ", "    ", "- ", "  - ", "    - ", "-", "      ", "-   ", " ", "- - "}
	middles := []string{"a: ", "b:", "patch: ", "c.d/e-f: ", "path: ", "", "", "# ", "key : ", "a:b"}
	ends := []string{"", "x", "x.yaml", "|-", "|", "|", "'q'", "\"q\" # c", "../y", "z # c", "[]", "{}", "#c", "a: b", "null", "...", "---", "it's", "x:", "-1"}
	regular := 0
	for range 300000 {
		var b bytes.Buffer
		for range 1 + random.IntN(7) {
			b.WriteString(starts[random.IntN(len(starts))] + middles[random.IntN(len(middles))] + ends[random.IntN(len(ends))])
			b.WriteString([]string{"\n", "\n", "\n", "\n", "\n\n", "\n  \n", " \n", ""}[random.IntN(8)])
		}
		if comparePlain(t, b.String()) {
			regular++
		}
		if t.Failed() {
			return
		}
	}
	if regular < 1000 {
		t.Errorf("only %d texts were regular", regular)
	}
}

func FuzzPlain(f *testing.F) {
	for _, text := range append(plainTexts, plainOdd...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { comparePlain(t, text) })
}

// BenchmarkParseUses reads a kustomization, and one that is left to the library.
func BenchmarkParseUses(b *testing.B) {
	regular := "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ../base\n- a.yaml\n" +
		"patches:\n- path: patch.yaml\n  target:\n    kind: Deployment\n- patch: |-\n    - op: remove\n      path: /spec/replicas\n"
	for name, text := range map[string]string{"regular": regular, "irregular": regular + "images: [{name: x}]\n"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if u := parseUses([]byte(text)); len(u.files) != 1 {
					b.Fatal(u)
				}
			}
		})
	}
}

// TestPlainCorpus finds most real kustomizations regular.
func TestPlainCorpus(t *testing.T) {
	regular, all := 0, 0
	err := filepath.WalkDir(sharedData(t, "corpus"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !isKustomization(d.Name()) {
			return err
		}
		text, err := os.ReadFile(path)
		if all++; comparePlain(t, string(text)) {
			regular++
		} else {
			t.Logf("irregular: %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d of %d are regular", regular, all); regular*10 < all*8 {
		t.Error("too few")
	}
}
