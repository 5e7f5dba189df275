package manifestlint

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// reportKinds is a check that reports the API version, kind and name of each
// object.
var reportKinds = Check{Rule: "removedapi", Run: func(p *Pass) {
	p.Report(p.Object.KindAt, rules.Finding{Message: p.Object.APIVersion + " " + p.Object.Ref().String()})
}}

// reportMarks is a check that reports each map in the body that has a key
// "mark".
var reportMarks = Check{
	Rule: "prestopsleep",
	Run: func(p *Pass) {
		if f := p.Object.Root.Get("spec").Field("mark"); f != nil {
			p.Report(SpanOfField(f), rules.Finding{Message: "mark", Path: "spec.mark"})
		}
	},
}

func options() Options {
	sev := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		sev[r.ID] = r.Severity
	}
	return Options{Target: lifecycle.Known(), Checks: []Check{reportKinds, reportMarks}, Severity: sev}
}

func show(findings []rules.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%d:%d-%d:%d doc %d %s: %s", f.Line, f.Column, f.EndLine, f.EndColumn, f.Document, f.Rule, f.Message))
	}
	return all
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		skipped    map[string]int
	}{
		{name: "one object", text: "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod a"}},
		{name: "stream", text: "# c\n---\napiVersion: v1\nkind: Pod\n---\n# nothing\n--- # c\napiVersion: v1\nkind: Service\nmetadata: {name: b, namespace: ns}\n...\n",
			want:    []string{"4:7-4:10 doc 0 removedapi: v1 Pod", "9:7-9:14 doc 2 removedapi: v1 Service ns/b"},
			skipped: map[string]int{"empty": 1}},
		{name: "broken document between good ones", text: "apiVersion: v1\nkind: Pod\n---\na: b: c\n---\napiVersion: v1\nkind: Pod\n",
			want: []string{
				"2:7-2:10 doc 0 removedapi: v1 Pod",
				"4:1-4:8 doc 1 syntax: mapping values are not allowed in this context",
				"7:7-7:10 doc 2 removedapi: v1 Pod"},
			skipped: map[string]int{"broken": 1}},
		{name: "broken, but not a manifest", text: "a: b\n---\na: b: c\n", skipped: map[string]int{"notKubernetes": 1, "unparsable": 1}},
		{name: "byte order marks", text: "\ufeffapiVersion: v1\nkind: Pod\n---\n\ufeffapiVersion: v1\nkind: Pod\n\ufeff---\n# c\n\ufeffapiVersion: v1\nkind: Pod\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "5:7-5:10 doc 1 removedapi: v1 Pod", "9:7-9:10 doc 2 removedapi: v1 Pod"}},
		{name: "comment right behind the marker", text: "apiVersion: v1\nkind: Pod\n---# c\napiVersion: v1\nkind: Pod\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "5:7-5:10 doc 1 removedapi: v1 Pod"}},
		{name: "text behind the marker", text: "apiVersion: v1\nkind: Pod\n---apiVersion: v1\nspec: a\n--- {apiVersion: v1, kind: Pod}\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod",
				"3:1-3:18 doc 0 syntax: kubectl stops here: invalid Yaml document separator: apiVersion: v1",
				"5:28-5:31 doc 1 removedapi: v1 Pod",
				"5:1-5:32 doc 1 syntax: kubectl stops here: invalid Yaml document separator: {apiVersion: v1, kind: Pod}"}},
		{name: "text behind the marker of a document without an object", text: "---a\n---\napiVersion: v1\nkind: Pod\n--- b\n",
			want: []string{
				"1:1-1:5 doc 0 syntax: kubectl stops here: invalid Yaml document separator: a",
				"4:7-4:10 doc 1 removedapi: v1 Pod",
				"5:1-5:6 doc 2 syntax: kubectl stops here: invalid Yaml document separator: b"},
			skipped: map[string]int{"notKubernetes": 2}},
		{name: "text behind the marker of what is not a manifest", text: "--- a\n---b\n", skipped: map[string]int{"notKubernetes": 1}},
		{name: "control character behind the last document", text: "apiVersion: v1\nkind: Pod\n...\n\n# \x03\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "5:3-5:4 doc 0 syntax: control character U+0003 is not allowed"}},
		{name: "list of nothing", text: "apiVersion: v1\nkind: PodList\nitems:\n"},
		{name: "directive behind a document", text: "apiVersion: v1\nkind: Pod\n...\n%YAML 9.9\n---\napiVersion: v1\nkind: Pod\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "7:7-7:10 doc 1 removedapi: v1 Pod", "4:1-4:10 doc 1 syntax: found incompatible YAML document"}},
		{name: "null key", text: "apiVersion: v1\nkind: Pod\n~: 1\n", want: []string{"3:1-3:5 doc 0 syntax: map key is null"}, skipped: map[string]int{"broken": 1}},
		{name: "infinite number", text: "apiVersion: v1\nkind: Pod\na: .inf\nb: [.nan]\n", want: []string{"3:4-3:8 doc 0 syntax: JSON has no number .inf"}, skipped: map[string]int{"broken": 1}},
		{name: "list", text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n- kind: Service\n  apiVersion: v1\n  spec:\n    mark: 1\n",
			want: []string{"5:9-5:12 doc 0 removedapi: v1 Pod a", "8:9-8:16 doc 0 removedapi: v1 Service", "11:11-11:12 doc 0 prestopsleep: mark"}},
		{name: "typed list", text: "apiVersion: v1\nkind: PodList\nitems:\n- metadata:\n    name: a\n",
			want: []string{"4:3-4:4 doc 0 removedapi: v1 Pod a"}},
		{name: "items without a list", text: "apiVersion: v1\nkind: NotAList\nitems: {}\nspec: 1\n",
			want: []string{"2:7-2:15 doc 0 removedapi: v1 NotAList"}},
		{name: "list without an API version", text: "kind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n",
			want: []string{"4:9-4:12 doc 0 removedapi: v1 Pod"}},
		{name: "list of lists", text: `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod"}]}]}`,
			want: []string{"1:111-1:116 doc 0 removedapi: v1 Pod"}},
		{name: "json values", text: "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}\n{\"apiVersion\":\"v1\",\n \"kind\":\"Service\",\"spec\":{\"mark\":1}}",
			want: []string{"1:27-1:32 doc 0 removedapi: v1 Pod", "3:9-3:18 doc 1 removedapi: v1 Service", "3:34-3:35 doc 1 prestopsleep: mark"}},
		{name: "broken json value", text: "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}\n{\"apiVersion\":\"v1\",}}\n",
			want:    []string{"1:27-1:32 doc 0 removedapi: v1 Pod", "2:20-2:21 doc 1 syntax: invalid character '}' looking for beginning of object key string"},
			skipped: map[string]int{"broken": 1}},
		{name: "flow map that is no json", text: "{apiVersion: v1, kind: Pod}\n",
			want: []string{"1:24-1:27 doc 0 removedapi: v1 Pod"}},
		{name: "not kubernetes", text: "on: push\njobs:\n  a: b\n---\n- a\n---\nabc\n", skipped: map[string]int{"notKubernetes": 3}},
		{name: "empty file", text: "", skipped: map[string]int{"empty": 1}},
		{name: "comments only", text: "# a\n\n# b\n", skipped: map[string]int{"empty": 1}},
		{name: "duplicate key", text: "apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    a.b/c: x\n    a.b/c: y\nkind: Service\n",
			want: []string{
				`6:5-6:10 doc 0 duplicatekey: key "a.b/c" is set again: this value counts, the one on line 5 is dropped`,
				`7:1-7:5 doc 0 duplicatekey: key "kind" is set again: this value counts, the one on line 2 is dropped`,
				"7:7-7:14 doc 0 removedapi: v1 Service"}},
		{name: "helm template", text: "{{- if .Values.a }}\napiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n---\na: b\n{{- end }}\n---\napiVersion: v1\nkind: Service\n",
			want:    []string{"12:7-12:14 doc 3 removedapi: v1 Service"},
			skipped: map[string]int{"templated": 3}},
		{name: "unquoted markup as value", text: "apiVersion: v1\nkind: Pod\nspec:\n  a: {{ b }}\n", skipped: map[string]int{"templated": 1}},
		{name: "jinja", text: "apiVersion: v1\nkind: Pod\n{% for a in b %}\n{{ a }}: c\n{% endfor %}\n", skipped: map[string]int{"templated": 1}},
		{name: "placeholder", text: "apiVersion: v1\nkind: Service\nspec:\n  clusterIP: {PREFIX}.16\n  a: b\n", skipped: map[string]int{"templated": 1}},
		{name: "markup within text", text: "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    {{ $labels.x }}\n  b: x {{ y }}\n",
			want: []string{"2:7-2:16 doc 0 removedapi: v1 ConfigMap"}},
		{name: "crlf", text: "apiVersion: v1\r\nkind: Pod\r\n---\r\nkind: Pod\r\napiVersion: v1\r\nspec:\r\n  mark: \"x\"\r\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "4:7-4:10 doc 1 removedapi: v1 Pod", "7:9-7:12 doc 1 prestopsleep: mark"}},
		{name: "byte order mark", text: "\ufeffapiVersion: v1\nkind: Pod\n", want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod"}},
		{name: "columns count characters", text: "apiVersion: v1\nkind: Pod\nspec: {\"日本\": é, mark: é}\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "3:23-3:24 doc 0 prestopsleep: mark"}},
		{name: "control character", text: "apiVersion: v1\nkind: P\x01d\n", skipped: map[string]int{"broken": 1},
			want: []string{"2:8-2:9 doc 0 syntax: control character U+0001 is not allowed"}},
		{name: "binary", text: "\x1f\x8b\x08\x00---\n---\n\x00\n", skipped: map[string]int{"binary": 1}},
		{name: "utf-16 without a mark", text: "k\x00i\x00n\x00d\x00:\x00 \x00a\x00", skipped: map[string]int{"binary": 1},
			want: []string{"1:2-1:3 doc 0 syntax: binary data: a manifest is text"}},
		{name: "invalid utf-8", text: "apiVersion: v1\nkind: é\xffd\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 é\ufffdd", "2:8-2:9 doc 0 syntax: invalid UTF-8"}},
		{name: "merge key", text: "apiVersion: v1\nkind: Pod\nbase: &b\n  mark: 1\nspec:\n  <<: *b\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "4:9-4:10 doc 0 prestopsleep: mark"}},
		{name: "generated name", text: "apiVersion: v1\nkind: Pod\nmetadata:\n  generateName: a-\n",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod a-*"}},
		{name: "kustomization", text: "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- a.yaml\n",
			skipped: map[string]int{"notKubernetes": 1}},
		{name: "directive", text: "%YAML 1.1\n---\napiVersion: v1\nkind: Pod\n", want: []string{"4:7-4:10 doc 0 removedapi: v1 Pod"}},
		{name: "lone carriage returns", text: "apiVersion: v1\rkind: Pod\r---\rapiVersion: v1\rkind: Service\r",
			want: []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "5:7-5:14 doc 1 removedapi: v1 Service"}},
		{name: "alias bomb", text: bomb(), skipped: map[string]int{"broken": 1},
			want: []string{"1:1-1:15 doc 0 syntax: document contains excessive aliasing"}},
		{name: "alias within itself", text: "kind: &a\n  b: *a\n", skipped: map[string]int{"broken": 1},
			want: []string{`2:6-2:8 doc 0 syntax: anchor "a" value contains itself`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings, sum := New(options()).Bytes("a.yaml", []byte(c.text))
			if diff := cmp.Diff(c.want, show(findings)); diff != "" {
				t.Errorf("findings (-want +got)\n%s", diff)
			}
			if len(c.skipped)+len(sum.Skipped) > 0 {
				if diff := cmp.Diff(c.skipped, sum.Skipped); diff != "" {
					t.Errorf("skipped (-want +got)\n%s", diff)
				}
			}
		})
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\na0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	return b.String()
}

func TestUTF16(t *testing.T) {
	text := "apiVersion: v1\nkind: Pod\n"
	le := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		le = append(le, byte(u), byte(u>>8))
	}
	findings, _ := New(options()).Bytes("a.yaml", le)
	if diff := cmp.Diff([]string{"2:7-2:10 doc 0 removedapi: v1 Pod"}, show(findings)); diff != "" {
		t.Error(diff)
	}
}

func TestDeepNesting(t *testing.T) {
	deep := "apiVersion: v1\nkind: Pod\nspec:\n"
	for i := range 60 {
		deep += strings.Repeat(" ", i+1) + "a:\n"
	}
	long := "apiVersion: v1\nkind: Pod\nspec:\n  a: \"" + strings.Repeat("x", 220_000) + "\"\n"
	for name, text := range map[string]string{"nesting": deep, "long line": long} {
		findings, sum := New(options()).Bytes("a.yaml", []byte(text))
		if len(findings) != 1 || sum.Objects != 1 {
			t.Errorf("%s: findings %v, summary %+v", name, show(findings), sum)
		}
	}
	hostile := strings.Repeat("[", 100_000)
	findings, _ := New(options()).Bytes("a.yaml", []byte("kind: "+hostile))
	if len(findings) != 1 || findings[0].Rule != "syntax" {
		t.Errorf("hostile nesting: %v", show(findings))
	}
}

// TestDeepLists checks that an object in deeply nested lists is found.
func TestDeepLists(t *testing.T) {
	const depth = 4900 // lists; each list adds two levels of nesting, and wire.MaxDepth is the limit
	text := strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, depth) + `{"apiVersion":"v1","kind":"Pod"}` + strings.Repeat("]}", depth)
	findings, sum := New(options()).Bytes("a.json", []byte(text))
	if len(findings) != 1 || findings[0].Rule != "removedapi" || sum.Objects != 1 {
		t.Errorf("findings %v, %d objects", show(findings), sum.Objects)
	}
	findings, _ = New(options()).Bytes("a.json", []byte(strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 6000)))
	if len(findings) != 1 || !strings.Contains(findings[0].Message, "exceeded max depth") {
		t.Errorf("deeper: %v", show(findings))
	}
}

func TestPartialAndTemplateInputs(t *testing.T) {
	l := New(options())
	run := func(in Input, text string) ([]string, *rules.Summary) {
		in.Name = "a.yaml"
		in.Open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		var all []rules.Finding
		sum, err := l.Run(context.Background(), slices.Values([]Input{in}), func(f rules.Finding) error { all = append(all, f); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return show(all), sum
	}
	got, sum := run(Input{Partial: "kustomization.yaml"}, "apiVersion: v1\nkind: Pod\nspec:\n  mark: 1\n---\na: b: c\n")
	if diff := cmp.Diff([]string{"6:1-6:8 doc 1 syntax: mapping values are not allowed in this context"}, got); diff != "" {
		t.Error(diff)
	}
	if sum.Skipped[rules.SkipPatch] != 1 || sum.Objects != 0 {
		t.Errorf("summary %+v", sum)
	}
	got, sum = run(Input{Template: "chart"}, "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"{{ .Release.Name }}\"\n---\napiVersion: v1\nkind: Pod\n")
	if diff := cmp.Diff([]string{"7:7-7:10 doc 1 removedapi: v1 Pod"}, got); diff != "" {
		t.Error(diff)
	}
	if sum.Skipped[rules.SkipTemplated] != 1 {
		t.Errorf("summary %+v", sum)
	}
}

func TestEmbedded(t *testing.T) {
	o := options()
	text := "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: |\n    # c\n    apiVersion: v1\n    kind: Pod\n    spec:\n      mark: 1\n  b.json: '{\"apiVersion\": \"v1\", \"kind\": \"Service\"}'\n"
	findings, _ := New(o).Bytes("a.yaml", []byte(text))
	if diff := cmp.Diff([]string{"2:7-2:16 doc 0 removedapi: v1 ConfigMap"}, show(findings)); diff != "" {
		t.Error(diff)
	}
	o.Embedded = true
	findings, _ = New(o).Bytes("a.yaml", []byte(text))
	if diff := cmp.Diff([]string{
		"2:7-2:16 doc 0 removedapi: v1 ConfigMap",
		"7:11-7:14 doc 0 removedapi: v1 Pod",
		"9:13-9:14 doc 0 prestopsleep: mark",
		"10:11-10:52 doc 0 removedapi: v1 Service",
	}, show(findings)); diff != "" {
		t.Error(diff)
	}
}

// TestTooLarge checks that a document over the limit is counted, and that the
// documents around it have the right positions.
func TestTooLarge(t *testing.T) {
	good := "apiVersion: v1\nkind: Pod\n"
	large := "apiVersion: v1\nkind: Secret\ndata:\n" + strings.Repeat("  a: b\n", 400_000)
	text := good + "---\n" + large + "---\n" + good
	o := options()
	o.MaxDocument = 1 << 20
	var got []rules.Finding
	in := Input{Name: "a.yaml", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	sum, err := New(o).Run(context.Background(), one(in), func(f rules.Finding) error { got = append(got, f); return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2:7-2:10 doc 0 removedapi: v1 Pod", "400009:7-400009:10 doc 2 removedapi: v1 Pod"}
	if diff := cmp.Diff(want, show(got)); diff != "" {
		t.Error(diff)
	}
	if sum.Skipped[rules.SkipTooLarge] != 1 || !sum.Incomplete() {
		t.Errorf("summary %+v", sum)
	}
}
