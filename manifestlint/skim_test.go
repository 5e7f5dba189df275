package manifestlint

import (
	"bytes"
	"fmt"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// regular documents are what manifests look like: a skimmer that calls one of
// these irregular is still right, and slow.
var regular = map[string]string{
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
	"anchors":               "x:\n  a: &l\n    b: c\n  d: *l # again\n  e: &s 1\n  f:\n  - *s\n",
	"anchors of all kinds":  "a: &a {b: [c]} # c\nd: &d\n- e\n- f: 1\ng: &g \"h\"\ni: &i |\n  j\n\nk: &k\nl: &l m\n  n\no: &o\n  p: &p 'q'\nr: &s # none\nt: &t\n  u\nx:\n- *a\n- *d\n- *g\n- *i\n- *k\n- *l\n- *o\n- *s\n- *t\n",
	"anchor again":          "a: &x 1\nb: *x\nc: &x 2\nd: *x\n",
	"anchored block below":  "a: &x\n  |\n  b\nc: *x\n",
	"comment in a map":      "spec:\n  a: b\n# c\n  d: |\n    e\n\n# f\nmore:\n- a\n...\n",
	"flow over lines":       "a: [\n  b,\n  'c d',\n\n  \"e\",\n  {f: g,\n   h: [i,\n  j]}\n  ]\nk: {\n    l:\n      m,\n    n: 'o\n    p',\n    q: r\n    s\n }\n",
	"text":                  "import data.http\n\nfail {\n  a == \"b\"\n\n  -c\n - d\n",
	"text behind a marker":  "---\n\n# a\n  b c\n d\n...\n",
	"colon in a key":        "b:0:\nb: 0\n",
	"list of objects":       "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    labels: {items: b}\n# c\n- kind: Pod\n  apiVersion: v1\n  spec:\n    items:\n    - kind: D\n\nkind: List\nmetadata:\n  resourceVersion: ''\n",
	"list, indented":        "---\nkind: PodList\napiVersion: v1\nitems:\n  -   apiVersion: v1\n      kind: Pod\n      metadata:\n        name: ü\n      data: |\n        - a\n  -   kind: Pod\n      apiVersion: v1\n...\n",
	"list of lists":         "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: Pod\n",
	"list of other items":   "kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n- a\n- - b\n-\n  c: d\n",
	"list of a type":        "kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n",
	"null values":           "a:\nb:\n  c:\nd: e\n",
}

func TestSkimRecognises(t *testing.T) {
	for name, doc := range regular {
		t.Run(name, func(t *testing.T) {
			s := skimmer{triggers: &triggerSet{}}
			if !s.skim([]byte(doc)) {
				t.Errorf("irregular at line %d", s.line)
			}
		})
	}
}

func TestSkimHead(t *testing.T) {
	s := skimmer{triggers: &triggerSet{}}
	if !s.skim([]byte(regular["deployment"])) {
		t.Fatal("irregular")
	}
	h := s.head
	for _, c := range []struct {
		got  headValue
		want string
		line int
		col  int
	}{
		{h.apiVersion, "apps/v1", 1, 13},
		{h.kind, "Deployment", 2, 7},
		{h.name, "web", 4, 9},
		{h.namespace, "shop", 5, 14},
	} {
		if string(c.got.text) != c.want || c.got.line != c.line || c.got.column != c.col {
			t.Errorf("got %q at %d:%d, want %q at %d:%d", c.got.text, c.got.line, c.got.column, c.want, c.line, c.col)
		}
	}
}

// irregular documents are broken, or mean what only the parser can tell.
var irregular = map[string]string{
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
	"anchored head":         "apiVersion: &x v1\nkind: *x\n",
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
	"numeric name":          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 007\n",
	"boolean kind":          "apiVersion: v1\nkind: yes\n",
	"kind goes on":          "apiVersion: v1\nkind: Pod\n  List\n",
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
}

// TestSkimForgetsNothing: what a skimmer has met before changes nothing.
func TestSkimForgetsNothing(t *testing.T) {
	s := skimmer{triggers: &triggerSet{}}
	for range 2 {
		for name, doc := range regular {
			if !s.skim([]byte(doc)) {
				t.Errorf("%s: irregular at line %d", name, s.line)
			}
		}
		for name, doc := range irregular {
			if s.skim([]byte(doc)) {
				t.Errorf("%s: regular", name)
			}
		}
	}
}

func TestSkimLeavesToTheParser(t *testing.T) {
	for name, doc := range irregular {
		t.Run(name, func(t *testing.T) {
			s := skimmer{triggers: &triggerSet{}}
			if s.skim([]byte(doc)) {
				t.Error("regular")
			}
		})
	}
}

// FuzzSkim holds the skimmer to the parser: what it accepts must parse as one
// document without repeated keys, and have the same head.
func FuzzSkim(f *testing.F) {
	for _, doc := range regular {
		f.Add([]byte(doc))
	}
	for _, doc := range irregular {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { compareSkim(t, doc) })
}

func compareSkim(t *testing.T, text []byte) {
	t.Helper()
	split := newSplitter(text)
	s := skimmer{triggers: &triggerSet{}}
	for i, key := range metKeys {
		s.triggers.add(i, key, nil)
	}
	s.skim(text) // its keys are known then
	reused := builder{most: largeSlab}
	for {
		d, ok := split.next()
		if !ok {
			return
		}
		if !s.skim(d.data) {
			continue
		}
		wanted, lists, listed := s.wanted, s.lists, slices.Clone(s.listed)
		trees, failed := parseYAML(d.data, d.line)
		if failed != nil {
			t.Fatalf("skimmed, yet line %d: %s\n%s", failed.span.Pos.Line, failed.text, d.data)
		}
		if root := s.build(d.data, d.line); root != nil && !s.head.empty {
			if diff := differ(trees[0].root, root, ""); diff != "" {
				t.Fatalf("built another tree than parsed: %s\n%s", diff, d.data)
			}
			compareOutline(t, d, root)
			compareFieldText(t, d, root)
			for range 2 { // the second in the room of the first
				reused.room.clear()
				if again := s.rebuildBy(&reused, d.data, d.line, false); again == nil || differ(root, again, "") != "" {
					t.Fatalf("another tree in the room of one before\n%s", d.data)
				}
			}
			if again := s.rebuild(d.data, d.line, true); again == nil || differ(root, again, "") != "" {
				t.Fatalf("another tree when it was built again\n%s", d.data)
			}
		}
		if s.head.empty {
			if len(trees) > 1 || len(trees) == 1 && !trees[0].root.IsNull() {
				t.Fatalf("empty, yet parsed as %v\n%s", trees[0].root, d.data)
			}
			continue
		}
		if len(trees) != 1 {
			t.Fatalf("skimmed as one document, parsed as %d\n%s", len(trees), d.data)
		}
		if len(trees[0].duplicates) > 0 {
			t.Fatalf("duplicate %v not seen\n%s", trees[0].duplicates, d.data)
		}
		if met := keysIn(trees[0].root); met != wanted {
			t.Fatalf("triggers %b, want %b\n%s", wanted, met, d.data)
		}
		if lists {
			compareList(t, listed, d, trees[0].root)
		}
		got, want := headObject(&s.head, d.line), objectOf(trees[0].root, "", "")
		if (got == nil) != (want == nil) {
			t.Fatalf("object %v, want %v\n%s", got, want, d.data)
		}
		if got == nil {
			continue
		}
		want.Root = nil
		want.API, want.Known = lifecycle.LookupGV(want.APIVersion, want.Kind)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("head\n%+v, want\n%+v\n%s", got, want, d.data)
		}
	}
}

// metKeys are the triggers of compareSkim.
var metKeys = []string{"name", "c"}

// keysIn are the bits of those that are keys in a tree.
func keysIn(v *wire.Value) (met uint64) {
	for _, f := range v.Fields {
		if i := slices.Index(metKeys, f.Name); i >= 0 {
			met |= 1 << i
		}
		met |= keysIn(f.Value)
	}
	for _, item := range v.Items {
		met |= keysIn(item)
	}
	return met
}

// compareList compares what was skimmed of the items of a list with the objects
// that they are.
func compareList(t *testing.T, listed []listedItem, d document, root *wire.Value) {
	t.Helper()
	found := objects(root)
	if len(listed) != len(found) || !isList(root) {
		t.Fatalf("%d objects in a list, want %d\n%s", len(listed), len(found), d.data)
	}
	j := newJudge(New(options()))
	for i, item := range listed {
		j.source = editable{data: d.data, line: d.line, doc: d, list: d.data, item: &item}
		if diff := differ(found[i].Root, j.sourceTree(), ""); diff != "" {
			t.Fatalf("item %d: %s\n%s", i, diff, d.data)
		}
		if met := keysIn(found[i].Root); met != item.said.wanted {
			t.Fatalf("item %d: triggers %b, want %b\n%s", i, item.said.wanted, met, d.data)
		}
		got, want := headObject(&item.said.head, d.line), found[i]
		want.Root = nil
		want.API, want.Known = lifecycle.LookupGV(want.APIVersion, want.Kind)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("item %d: head\n%+v, want\n%+v\n%s", i, got, want, d.data)
		}
	}
}

// left are the fields that compareOutline leaves out.
var left = []string{"a", "c", "spec", "versions", "labels", "openAPIV3Schema", "containers"}

// compareOutline makes the tree of a document once more, without some fields:
// the rest of it must be as it is with them.
func compareOutline(t *testing.T, d document, root *wire.Value) {
	t.Helper()
	s := skimmer{triggers: &triggerSet{}, leave: outline{names: left}}
	outline := s.build(d.data, d.line)
	if outline == nil {
		if bytes.IndexByte(d.data, '&') >= 0 {
			return // what is left out has an anchor
		}
		t.Fatalf("a tree, yet no outline\n%s", d.data)
	}
	if again := s.rebuild(d.data, d.line, true); again == nil || differ(outline, again, "") != "" {
		t.Fatalf("another outline when what is left out is passed over\n%s", d.data)
	}
	var prune func(v *wire.Value) *wire.Value
	prune = func(v *wire.Value) *wire.Value {
		pruned := *v
		pruned.Fields, pruned.Items = slices.Clone(v.Fields), slices.Clone(v.Items)
		for i := range pruned.Fields {
			if f := &pruned.Fields[i]; slices.Contains(left, f.Name) {
				f.Value = &wire.Value{}
			} else {
				f.Value = prune(f.Value)
			}
		}
		for i := range pruned.Items {
			pruned.Items[i] = prune(pruned.Items[i])
		}
		return &pruned
	}
	if diff := differ(prune(root), prune(outline), ""); diff != "" {
		t.Fatalf("another outline: %s\n%s", diff, d.data)
	}
}

// compareFieldText holds the text of each field of the root to its value.
func compareFieldText(t *testing.T, d document, root *wire.Value) {
	t.Helper()
	o := Object{packed: d.data, packedAt: wire.Pos{Line: d.line}}
	for i := range root.Fields {
		f := &root.Fields[i]
		text := o.FieldText(f.Name)
		if text == nil {
			continue
		}
		trees, failed := parseYAML(text, 1)
		if failed != nil || len(trees) != 1 || len(trees[0].root.Fields) != 1 {
			t.Fatalf("%q is the text of field %q of\n%s", text, f.Name, d.data)
		}
		got, want := appendJSON(nil, trees[0].root.Get(f.Name)), appendJSON(nil, f.Value)
		if string(got) != string(want) {
			t.Fatalf("the text of field %q is %q, which is %s, not %s, in\n%s", f.Name, text, got, want, d.data)
		}
	}
}

// TestOutlineLeavesOut: an outline has the fields that it leaves out, as null.
func TestOutlineLeavesOut(t *testing.T) {
	doc := "spec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties: {a: {}}\n    served: true\n  - schema: {openAPIV3Schema: 1}\n    name: v2\n"
	s := skimmer{triggers: &triggerSet{}, leave: outline{names: []string{"openAPIV3Schema"}}}
	root := s.build([]byte(doc), 1)
	if got := string(appendJSON(nil, root)); got != `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":null},"served":true},{"schema":{"openAPIV3Schema":1},"name":"v2"}]}}` {
		t.Error(got)
	}
}

// TestSkimCorpus compares skimmer and parser on real files, where they are.
func TestSkimCorpus(t *testing.T) {
	root := os.Getenv("KUBEVET_SHARED")
	if root == "" {
		root = "../../shared"
	}
	docs, skimmed := 0, 0
	err := filepath.WalkDir(filepath.Join(root, "data"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		compareSkim(t, data)
		split := newSplitter(data)
		s := skimmer{triggers: &triggerSet{}}
		for d, ok := split.next(); ok; d, ok = split.next() {
			docs++
			if s.skim(d.data) {
				skimmed++
			} else if os.Getenv("SKIM_WHY") != "" {
				t.Logf("%s:%d", path, d.line+s.line-1)
			}
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	t.Logf("%d of %d documents skimmed", skimmed, docs)
}

func BenchmarkSkim(b *testing.B) {
	doc := []byte(regular["deployment"])
	s := skimmer{triggers: &triggerSet{}}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if !s.skim(doc) {
			b.Fatal("irregular")
		}
	}
}

// BenchmarkSkimTree reads every document below BENCH_DIR.
func BenchmarkSkimTree(b *testing.B) {
	dir := os.Getenv("BENCH_DIR")
	if dir == "" {
		b.Skip("set BENCH_DIR to a tree of manifests")
	}
	var files [][]byte
	size := 0
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, "ml") {
			if data, err := os.ReadFile(path); err == nil {
				files = append(files, data)
				size += len(data)
			}
		}
		return nil
	})
	s := skimmer{triggers: &triggerSet{}}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, data := range files {
			split := newSplitter(data)
			for {
				if s.skim(split.rest()) {
					if s.head.empty && !s.marked {
						break
					}
					split.take(s.end, s.lines)
				} else if _, ok := split.next(); !ok {
					break
				}
			}
		}
	}
}

// TestSkippingChangesNothing runs the linter over real trees with skipping on
// and off: findings and counts must be the same.
func TestSkippingChangesNothing(t *testing.T) {
	root := os.Getenv("KUBEVET_SHARED")
	if root == "" {
		root = "../../shared"
	}
	o := options()
	fast := New(o)
	o.ParseAll = true
	full := New(o)
	err := filepath.WalkDir(filepath.Join(root, "data"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") && !strings.HasSuffix(path, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, gotSum := fast.Bytes(path, data)
		want, wantSum := full.Bytes(path, data)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: findings, skipping off and on\n%s", path, diff)
		}
		if diff := cmp.Diff(wantSum, gotSum, cmpopts.IgnoreFields(rules.NotJudged{}, "Detail")); diff != "" {
			t.Errorf("%s: summary, skipping off and on\n%s", path, diff)
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
}

// differ tells where two trees differ, or nothing.
func differ(want, got *wire.Value, path string) string {
	if want.Kind != got.Kind || want.Text != got.Text || want.Pos != got.Pos || want.End != got.End ||
		len(want.Fields) != len(got.Fields) || len(want.Items) != len(got.Items) {
		return fmt.Sprintf("%s: %+v, want %+v", path, *got, *want)
	}
	for i, w := range want.Fields {
		g := got.Fields[i]
		if w.Name != g.Name || w.Pos != g.Pos || w.End != g.End {
			return fmt.Sprintf("%s: field %+v, want %+v", path, g, w)
		}
		if d := differ(w.Value, g.Value, path+"."+w.Name); d != "" {
			return d
		}
	}
	for i := range want.Items {
		if d := differ(want.Items[i], got.Items[i], fmt.Sprintf("%s[%d]", path, i)); d != "" {
			return d
		}
	}
	return ""
}
