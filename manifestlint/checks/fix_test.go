package checks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/internal/corpustest"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	yaml "go.yaml.in/yaml/v2"
)

// applyFix returns a text after a fix. It fails the test if edits overlap, are
// not in order, or are outside of the text.
func applyFix(t testing.TB, text []byte, fix *rules.CodeFix) []byte {
	t.Helper()
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	offset := func(line, column int) int {
		if line < 1 || line > len(starts) {
			t.Fatalf("line %d of %d", line, len(starts))
		}
		at := starts[line-1]
		if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) && line == 1 {
			at = 3
		}
		for ; column > 1; column-- {
			if at >= len(text) || text[at] == '\n' {
				t.Fatalf("column %d too many in line %d", column, line)
			}
			_, size := utf8.DecodeRune(text[at:])
			at += size
		}
		return at
	}
	var out []byte
	at := 0
	for _, e := range fix.Edits {
		start, end := offset(e.Line, e.Column), offset(e.EndLine, e.EndColumn)
		if start < at || end < start {
			t.Fatalf("edits overlap: %+v", fix.Edits)
		}
		out = append(append(out, text[at:start]...), e.New...)
		at = end
	}
	return append(out, text[at:]...)
}

// applySteps applies steps to an object that encoding/json decoded. It shares
// no code with conversion.Apply, so that the two can be compared.
func applySteps(root any, steps []conversion.Step) (any, error) {
	var err error
	for _, s := range steps {
		switch s.Op {
		case conversion.Set:
			root, err = withValue(root, s.Path, goValue(s.Value))
		case conversion.Delete:
			root = withoutPath(root, s.Path)
		case conversion.Move, conversion.Copy:
			v := valueAt(root, s.Path)
			if s.Op == conversion.Move {
				root = withoutPath(root, s.Path)
			}
			if s.Value != nil {
				v = goValue(s.Value)
			}
			root, err = withValue(root, s.To, v)
		case conversion.Rename:
			v := valueAt(root, s.Path)
			root = withoutPath(root, s.Path)
			root, err = withValue(root, append(slices.Clone(s.Path.Parent()), conversion.Segment{Name: s.Name}), v)
		default:
			err = fmt.Errorf("unknown step %v", s)
		}
		if err != nil {
			return nil, err
		}
	}
	return root, nil
}

func valueAt(v any, p conversion.Path) any {
	for _, s := range p {
		if s.Item {
			v = v.([]any)[s.Index]
		} else {
			v = v.(map[string]any)[s.Name]
		}
	}
	return v
}

func withoutPath(v any, p conversion.Path) any {
	if p[0].Item {
		list, _ := v.([]any)
		if p[0].Index >= len(list) {
			return v
		}
		if len(p) == 1 {
			return slices.Delete(slices.Clone(list), p[0].Index, p[0].Index+1)
		}
		list[p[0].Index] = withoutPath(list[p[0].Index], p[1:])
		return list
	}
	m, _ := v.(map[string]any)
	if len(p) == 1 {
		delete(m, p[0].Name)
	} else if child, ok := m[p[0].Name]; ok {
		m[p[0].Name] = withoutPath(child, p[1:])
	}
	return v
}

func withValue(v any, p conversion.Path, value any) (any, error) {
	if len(p) == 0 {
		return value, nil
	}
	var err error
	if p[0].Item {
		list, _ := v.([]any)
		if p[0].Index == len(list) {
			list = append(list, nil)
		}
		list[p[0].Index], err = withValue(list[p[0].Index], p[1:], value)
		return list, err
	}
	m, ok := v.(map[string]any)
	if !ok && v != nil {
		return nil, fmt.Errorf("%v is no map", v)
	}
	if m == nil {
		m = map[string]any{}
	}
	m[p[0].Name], err = withValue(m[p[0].Name], p[1:], value)
	return m, err
}

func goValue(v *wire.Value) any {
	switch v.Kind {
	case wire.Bool:
		return v.Text == "true"
	case wire.Number:
		return json.Number(v.Text)
	case wire.String:
		return v.Text
	case wire.Map:
		m := map[string]any{}
		for _, f := range v.Fields {
			m[f.Name] = goValue(f.Value)
		}
		return m
	case wire.List:
		l := []any{}
		for _, item := range v.Items {
			l = append(l, goValue(item))
		}
		return l
	}
	return nil
}

// decodeYAML decodes a document with the YAML library of kubectl.
func decodeYAML(t testing.TB, doc []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(doc, &v); err != nil {
		t.Fatalf("the document does not parse any more: %v\n%s", err, doc)
	}
	text, err := json.Marshal(stringKeys(v))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// stringKeys converts the keys of maps to strings, as JSON requires.
func stringKeys(v any) any {
	switch x := v.(type) {
	case map[any]any:
		m := map[string]any{}
		for k, v := range x {
			m[fmt.Sprint(k)] = stringKeys(v)
		}
		return m
	case []any:
		for i := range x {
			x[i] = stringKeys(x[i])
		}
	}
	return v
}

// documents splits a text at "---". The result is good enough to find the
// document that changed.
func documents(text []byte) []string {
	return strings.Split("\n"+string(text), "\n---")
}

// checkFix checks that a fix changes one document, keeps comments and line
// breaks, and removes its finding.
func checkFix(t *testing.T, o manifestlint.Options, name string, text []byte, f rules.Finding) {
	t.Helper()
	after := applyFix(t, text, f.Fix)
	old, now := documents(text), documents(after)
	if len(old) != len(now) {
		t.Fatalf("%s: %d documents became %d", name, len(old), len(now))
	}
	changed := -1
	for i := range old {
		if old[i] != now[i] {
			if changed >= 0 {
				t.Errorf("%s:%d: two documents changed", name, f.Line)
			}
			changed = i
		}
	}
	if changed < 0 {
		t.Errorf("%s:%d: the fix changes nothing", name, f.Line)
		return
	}
	for _, line := range strings.Split(old[changed], "\n") {
		if note := strings.TrimSpace(line); strings.HasPrefix(note, "#") && !strings.Contains(now[changed], note) {
			t.Errorf("%s:%d: comment %q is lost", name, f.Line, note)
		}
	}
	if crlf := strings.Count(old[changed], "\r\n"); crlf > 0 && crlf == strings.Count(old[changed], "\n") && strings.Count(now[changed], "\r\n") != strings.Count(now[changed], "\n") {
		t.Errorf("%s:%d: not all lines end in CRLF any more", name, f.Line)
	}
	if bytes.HasSuffix(text, []byte("\n")) != bytes.HasSuffix(after, []byte("\n")) {
		t.Errorf("%s:%d: the line break at the end came or went", name, f.Line)
	}
	differential(t, o, name, old[changed], now[changed], f)
	left, _ := manifestlint.New(o).Bytes(name, after)
	for _, l := range left {
		if l.Document == f.Document && l.Rule == f.Rule && l.Path == f.Path && l.Message == f.Message && *l.Object == *f.Object {
			t.Errorf("%s:%d: %s is there again: %s", name, f.Line, f.Rule, l.Message)
		}
		if l.Rule == "syntax" && !strings.Contains(fmt.Sprint(f.Rule), "syntax") && l.Document == f.Document {
			t.Errorf("%s:%d: %s", name, l.Line, l.Message)
		}
	}
}

// differential compares an edited document with the result of applySteps on the
// original document.
func differential(t *testing.T, o manifestlint.Options, name, old, now string, f rules.Finding) {
	t.Helper()
	// The text begins with the rest of the line after "---", such as a comment.
	before, after := decodeYAML(t, []byte("---"+old)), decodeYAML(t, []byte("---"+now))
	root, ok := before.(map[string]any)
	if !ok || root["items"] != nil || root["apiVersion"] != f.Object.APIVersion || !slices.Contains([]string{"removedapi", "deprecatedapi", "disabledapi"}, f.Rule) || f.Path != "" {
		return
	}
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	object, err := wire.JSON(text)
	if err != nil {
		t.Fatal(err)
	}
	plan, ok := conversion.Of(object, o.Target)
	if !ok {
		t.Errorf("%s:%d: no plan for the object as JSON", name, f.Line)
		return
	}
	want, err := applySteps(before, plan.Steps)
	if err != nil {
		t.Errorf("%s:%d: %v", name, f.Line, err)
		return
	}
	if !reflect.DeepEqual(want, after) {
		t.Errorf("%s:%d: the edited text differs from the object after the steps\nwant %v\ngot  %v", name, f.Line, want, after)
	}
}

// fixAll applies fixes until no finding has a fix. It fails the test after 200
// fixes.
func fixAll(t *testing.T, o manifestlint.Options, name string, text []byte) []byte {
	t.Helper()
	for range 200 {
		findings, _ := manifestlint.New(o).Bytes(name, text)
		i := slices.IndexFunc(findings, func(f rules.Finding) bool { return f.Fix != nil })
		if i < 0 {
			return text
		}
		text = applyFix(t, text, findings[i].Fix)
	}
	t.Errorf("%s: fixing does not end", name)
	return text
}

func fixing(t testing.TB, target string) manifestlint.Options {
	o := options(t, target)
	o.Fixes, o.FixEdits = true, true
	return o
}

// TestFixCorpus checks all fixes for the objects of the corpus. It logs the
// number of fixes, which BENCHMARKS.md quotes.
func TestFixCorpus(t *testing.T) {
	root := corpustest.Path(t, "corpus")
	targets := []string{"1.37", "1.22", "1.16..1.25"}
	if testing.Short() {
		targets = targets[:1] // the other targets take minutes
	}
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			o := fixing(t, target)
			linter := manifestlint.New(o)
			counts := map[string]int{}
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				findings, _ := linter.Bytes(path, text)
				some := false
				for _, f := range findings {
					version := (f.Rule == "removedapi" || f.Rule == "deprecatedapi") && f.Path == ""
					switch {
					case f.Fix == nil && version && len(f.Notes) > 0:
						counts["explained"]++
					case f.Fix == nil && version:
						counts["unexplained"]++
						t.Errorf("%s:%d: %s has neither a fix nor a note", path, f.Line, f.Rule)
					case f.Fix != nil:
						kind := "review"
						if f.Fix.Safe {
							kind = "safe"
						}
						if version {
							counts[kind]++
						}
						counts["all "+kind]++
						some = true
						checkFix(t, o, path, text, f)
					}
				}
				if some {
					fixAll(t, o, path, text)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("target %s: %v", target, counts)
		})
	}
}

// FuzzFix checks for arbitrary inputs that edits are inside the text and do not
// overlap, and that fixing ends.
func FuzzFix(f *testing.F) {
	for _, seed := range []string{
		"apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata:\n  name: web # n\nspec:\n  backend: {serviceName: a, servicePort: 80}\n  rules:\n  - http:\n      paths:\n      # p\n      - backend:\n          serviceName: a\n          servicePort: b\n---\nkind: x\n",
		"{\"apiVersion\": \"policy/v1beta1\", \"kind\": \"PodDisruptionBudget\", \"spec\": {\"selector\": {}}}",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: autoscaling/v2beta1\n  kind: HorizontalPodAutoscaler\n  metadata: {name: a}\n  spec:\n    maxReplicas: 3\n    scaleTargetRef: {kind: Deployment, name: a, apiVersion: apps/v1beta1}\n    metrics:\n    - type: Resource\n      resource:\n        name: cpu # c\n        targetAverageUtilization: 80\n",
		"apiVersion: extensions/v1beta1\r\nkind: Deployment\r\nmetadata:\r\n  name: w\r\nspec:\r\n  rollbackTo: {}\r\n  template:\r\n    metadata:\r\n      labels: &l {a: b}\r\n    spec:\r\n      containers:\r\n      - name: a\r\n        image: b\r\n",
		"apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations:\n    seccomp.security.alpha.kubernetes.io/pod: runtime/default\nspec:\n  nodeSelector: {beta.kubernetes.io/os: linux}\n  containers:\n  - name: a\n    image: b\n    lifecycle:\n      preStop:\n        exec:\n          command: [sleep, '5']\n",
		"apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    apiVersion: policy/v1beta1\n    kind: PodDisruptionBudget\n  b: c\n",
		"apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata:\n  name: a.b.c\nspec:\n  group: b.c\n  version: v1 # only\n  names: {kind: A, plural: a}\n  validation:\n    openAPIV3Schema: # s\n      type: object\n",
	} {
		f.Add([]byte(seed), "1.37")
		f.Add([]byte(seed), "1.22")
	}
	f.Fuzz(func(t *testing.T, text []byte, target string) {
		if len(text) > 1<<14 || !utf8.Valid(text) || bytes.HasPrefix(text, []byte("\ufeff")) || bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) {
			return
		}
		if target != "1.22" {
			target = "1.37"
		}
		o := fixing(t, target)
		o.Embedded = true
		linter := manifestlint.New(o)
		for round := 0; ; round++ {
			if round == 50 {
				t.Fatal("fixing does not end")
			}
			findings, _ := linter.Bytes("fuzz.yaml", text)
			at := -1
			for i, f := range findings {
				if f.Fix == nil {
					continue
				}
				at = i
				after := applyFix(t, text, f.Fix)
				if fix.Broken(after) > fix.Broken(text) {
					t.Fatalf("%q: a fix of %s breaks it: %q", text, f.Rule, after)
				}
				if bytes.Equal(after, text) {
					t.Fatalf("%q: a fix of %s changes nothing: %+v", text, f.Rule, f.Fix)
				}
			}
			if at < 0 {
				return
			}
			text = applyFix(t, text, findings[at].Fix)
		}
	})
}
