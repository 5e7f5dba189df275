package yamltree

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// supported are typical documents. If the reader does not support one of them,
// kubevet is correct but slower.
var supported = map[string]string{
	"keys of eight and sixteen": "eight---: 1\nsixteen-sixteen-: 1\nb:\n  eight---: 2\n  sixteen-sixteen-: 2\n  seventeen-sevente: 2\n  eight----: 2\n  'nine-----': 2\n",
	"deployment": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web, "tier": 'front'}
spec:
  selector:
    matchLabels:
      app: web
  template:
    spec:
      containers:
      - name: web
        image: nginx:1.27
        args: ["--port", "80", -v]
        command:
          - /bin/sh
          - -c
          - |
            echo "hi"
              deeper
            # not a comment

            exit 0
        env:
        - name: A
          value: "a \"b\" \n"
        - {name: B, value: 'it''s'}
      terminationGracePeriodSeconds: 30
`,
	"comments": "# head\n---  # marker\n# more\napiVersion: v1 # trailing\nkind: Service\n\n",
	"folded description": `kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
spec:
  description: APIVersion defines the versioned schema of this
    representation of an object. Servers should convert
    recognized schemas
  other: 'quoted over
    lines, it''s fine'
  third: "double
    quoted"
  x: >-
    folded

    text
`,
	"list at parent column": "a:\n- b: 1\n  c:\n  - d\n  - e\n- f\ng: h\n",
	"crlf":                  "apiVersion: v1\r\nkind: Pod\r\nmetadata:\r\n  name: a\r\n",
	"nested lists":          "a:\n- - b\n  - c\n- - d\n",
	"unicode":               "a: Grüße\nb: \"日本\"\n# ü\n",
	"comment in a map":      "spec:\n  a: b\n# c\n  d: |\n    e\n\n# f\nmore:\n- a\n...\n",
	"colon in a key":        "b:0:\nb: 0\n",
	"list of objects":       "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    labels: {items: b}\n# c\n- kind: Pod\n  apiVersion: v1\n  spec:\n    items:\n    - kind: D\n\nkind: List\nmetadata:\n  resourceVersion: ''\n",
	"list, indented":        "---\nkind: PodList\napiVersion: v1\nitems:\n  -   apiVersion: v1\n      kind: Pod\n      metadata:\n        name: ü\n      data: |\n        - a\n  -   kind: Pod\n      apiVersion: v1\n...\n",
	"list of lists":         "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Pod\n",
	"list of other items":   "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n- a\n- - b\n-\n  c: d\n",
	"list of a type":        "kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n",
	"null values":           "a:\nb:\n  c:\nd: e\n",
}

func TestReaderSupports(t *testing.T) {
	for name, doc := range supported {
		t.Run(name, func(t *testing.T) {
			if _, ok := Read([]byte(doc), 1); !ok {
				t.Error("left to the library")
			}
			compare(t, []byte(doc))
		})
	}
}

// unsupported are documents that are broken, or that only the library reads
// correctly.
var unsupported = map[string]string{
	"duplicate key":         "a: 1\nb: 2\na: 3\n",
	"duplicate in flow":     "a: {b: 1, b: 2}\n",
	"known key, no colon":   "name: 1\nb:\n  name:1\n  c: 1\n# the text goes on\n",
	"known key, later":      "name: 1\nb:\n  name\n  name: 2\n# the text goes on\n",
	"known quoted key":      "\"ab:\": 1\n\"ab: 2\n# the text goes on\n",
	"known quoted, single":  "'ab:': 1\nc:\n  'ab: 2\n# the text goes on\n",
	"no key":                "a: 1\n: 2\n# the text goes on behind the colon\n",
	"tab indent":            "a:\n\tb: 1\n",
	"bad indent":            "a:\n    b: 1\n  c: 2\n",
	"nested mapping":        "a: b: c\n",
	"continued mapping":     "a: b\n  c: d\n",
	"comment in plain":      "a: b\n# c\n  d\n",
	"unknown alias":         "a: *x\n",
	"alias in its anchor":   "a: &x\n  b: *x\n",
	"alias of aliases":      "a: &x [1]\nb: &y\n  c: *x\nd: *y\n",
	"tag":                   "a: !!str 1\n",
	"merge":                 "<<: {a: 1}\n",
	"open quote":            "a: \"b\n",
	"after quote":           "a: \"b\" c\n",
	"open flow":             "a: [b\n",
	"less indented literal": "a: |\n    b\n  c\n",
	"list under scalar":     "a: b\n- c\n",
	"key in list":           "- a\nb: c\n",
	"template":              "a: {{ .Values.b }}\n",
	"template line":         "{{ if .Values.b }}\na: b\n",
	"control character":     "a: \x01\n",
	"nel":                   "a: b\u0085c\n",
	"boolean key":           "on: 1\n\"true\": 2\n",
	"directive":             "%YAML 1.1\n---\na: b\n",
	"number as a text":      "12\n",
	"text and a comment":    "a b\n# c\nd e\n",
	"text and a key":        "a b\nc: d\n",
	"text, then a key":      "a b\n# c\nd: e\n",
	"text behind an end":    "...\nabc\n",
	"text, then a list":     "a b\n# c\n- d\n",
	"flow, less indented":   "a:\n  b: [\n  c\n  ]\n",
	"flow, repeated":        "a: {\n  b: c,\n  b: d\n  }\n",
	"flow with a comment":   "a: [ # b\n  c\n  ]\n",
	"flow, open lines":      "a: [\n  b\n",
	"flow, template":        "a: [\n  {{ .Values.b }}\n  ]\n",
	"flow, marker within":   "a: [\n---\n  ]\n",
	"indicator":             "a: @b\n",
	"anchors":               "x:\n  a: &l\n    b: c\n  d: *l # again\n  e: &s 1\n  f:\n  - *s\n",
	"anchors of all kinds":  "a: &a {b: [c]} # c\nd: &d\n- e\n- f: 1\ng: &g \"h\"\ni: &i |\n  j\n\nk: &k\nl: &l m\n  n\no: &o\n  p: &p 'q'\nr: &s # none\nt: &t\n  u\nx:\n- *a\n- *d\n- *g\n- *i\n- *k\n- *l\n- *o\n- *s\n- *t\n",
	"anchor again":          "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
	"anchored block below":  "a: &x\n  |\n  b\nc: *x\n",
	"flow over lines":       "a: [\n  b,\n  'c d',\n\n  \"e\",\n  {f: g,\n   h: [i,\n  j]}\n  ]\nk: {\n    l:\n      m,\n    n: 'o\n    p',\n    q: r\n    s\n }\n",
	"text":                  "import data.http\n\nfail {\n  a == \"b\"\n\n  -c\n - d\n",
	"text behind a marker":  "---\n\n# a\n  b c\n d\n...\n",
}

func TestReaderLeavesToTheLibrary(t *testing.T) {
	for name, doc := range unsupported {
		t.Run(name, func(t *testing.T) {
			if _, ok := Read([]byte(doc), 1); ok {
				t.Error("read without the library")
			}
		})
	}
}

// FuzzRead compares the reader with the YAML library. A document that the
// reader accepts must be a single document without repeated keys, and both
// trees must be equal.
func FuzzRead(f *testing.F) {
	for _, doc := range supported {
		f.Add([]byte(doc))
	}
	for _, doc := range unsupported {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compare(t, text) })
}

// compare compares the reader with the library for each document of a text. It
// returns the number of documents, and how many of them the reader accepts.
func compare(t *testing.T, text []byte) (documents, accepted int) {
	t.Helper()
	split := document.NewSplitter(text)
	reused := Reader{Reuse: true}
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		documents++
		root, ok := Read(d.Data, d.Line)
		if !ok {
			continue
		}
		accepted++
		for range 2 { // the second time in the memory of the first tree
			again, ok := reused.Read(d.Data, d.Line)
			if !ok || (again == nil) != (root == nil) || root != nil && difference(root, again, "") != "" {
				t.Fatalf("another tree in reused memory\n%s", d.Data)
			}
		}
		trees, failed := parse(d.Data, d.Line)
		switch {
		case failed != nil:
			t.Fatalf("read, but the library reports line %d: %s\n%s", failed.Pos.Line, failed.Text, d.Data)
		case root == nil && (len(trees) == 0 || len(trees) == 1 && trees[0].Root.IsNull()):
			continue
		case root == nil || len(trees) != 1:
			t.Fatalf("read as one document, but the library finds %d\n%s", len(trees), d.Data)
		case len(trees[0].Duplicates) > 0:
			t.Fatalf("read despite a repeated key %v\n%s", trees[0].Duplicates, d.Data)
		}
		if diff := difference(trees[0].Root, root, ""); diff != "" {
			t.Fatalf("the trees differ at %s\n%s", diff, d.Data)
		}
	}
	return documents, accepted
}

// TestReadCorpus compares the reader with the library for real files.
func TestReadCorpus(t *testing.T) {
	corpus := os.Getenv("KUBEVET_CORPUS")
	if corpus == "" {
		t.Skip("KUBEVET_CORPUS is not set")
	}
	documents, accepted := 0, 0
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all, read := compare(t, document.Decode(text))
		documents, accepted = documents+all, accepted+read
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d documents read without the library", accepted, documents)
}

func BenchmarkParse(b *testing.B) {
	doc := []byte(supported["deployment"])
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, failed := Parse(doc, 1); failed != nil {
			b.Fatal(failed.Text)
		}
	}
}

// difference describes the first difference between two trees; "" if they are
// equal.
func difference(want, got *wire.Value, path string) string {
	if want.Kind != got.Kind || want.Text != got.Text || want.Pos != got.Pos || want.End != got.End ||
		len(want.Fields) != len(got.Fields) || len(want.Items) != len(got.Items) {
		return fmt.Sprintf("%s: %+v, want %+v", path, *got, *want)
	}
	for i, w := range want.Fields {
		g := got.Fields[i]
		if w.Name != g.Name || w.Pos != g.Pos || w.End != g.End {
			return fmt.Sprintf("%s: field %+v, want %+v", path, g, w)
		}
		if d := difference(w.Value, g.Value, path+"."+w.Name); d != "" {
			return d
		}
	}
	for i := range want.Items {
		if d := difference(want.Items[i], got.Items[i], fmt.Sprintf("%s[%d]", path, i)); d != "" {
			return d
		}
	}
	return ""
}
