package helmchart

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// write writes the files of a txtar archive to a new directory.
func write(t *testing.T, files string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read reads the chart in the directory c of a txtar archive.
func read(t *testing.T, files string) (*Chart, error) {
	t.Helper()
	root, err := os.OpenRoot(write(t, files))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return ReadDir(root, "c", "c", nil)
}

func clusterAt(t *testing.T, version string) Cluster {
	t.Helper()
	target, err := lifecycle.NewTarget(version, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ClusterAt(target, target.From, nil)
}

func render(t *testing.T, files string) (*Rendering, error) {
	t.Helper()
	c, err := read(t, files)
	if err != nil {
		return nil, err
	}
	return c.Render(&Values{}, clusterAt(t, "1.33"), Release{}, nil)
}

const minimal = `-- c/Chart.yaml --
apiVersion: v2
name: c
version: 1.0.0
`

// TestTrace checks the positions to which words in rendered charts are traced:
// the finding's position, then the related positions.
func TestTrace(t *testing.T) {
	tests := []struct {
		name, files string
		want        map[string]string // positions by word
	}{
		{"text and value", `-- c/values.yaml --
name: frida
nested:
  list: [a, b1]
-- c/templates/x.yaml --
literal: plain
value: {{ .Values.name }}
both: pre-{{ .Values.name | upper }}
item: {{ index .Values.nested.list 1 }}
after: last
`, map[string]string{
			"plain":  "c/templates/x.yaml:1:10",
			"frida":  "c/templates/x.yaml:2:8 c/values.yaml:1:7",
			"pre-":   "c/templates/x.yaml:3:7",
			"FRIDA":  "c/templates/x.yaml:3:11",
			"b1":     "c/templates/x.yaml:4:7 c/values.yaml:3:13",
			"last":   "c/templates/x.yaml:5:8",
			"after:": "c/templates/x.yaml:5:1",
		}},
		{"trimmed text", `-- c/templates/x.yaml --
a:
  {{- if true }}
  b: one
  {{- end }}
é: {{ "x" }} two
`, map[string]string{"one": "c/templates/x.yaml:3:6", "two": "c/templates/x.yaml:5:14"}},
		{"helper", `-- c/templates/_h.tpl --
{{- define "c.labels" -}}
app: web
tier: {{ .Values.tier }}
{{- end }}
{{- define "c.outer" -}}
{{ include "c.labels" . }}
more: yes
{{- end }}
-- c/values.yaml --
tier: front
-- c/templates/x.yaml --
labels:
  {{- include "c.outer" . | nindent 4 }}
inline: {{ include "c.labels" . | quote }}
{{ template "c.labels" . }}
`, map[string]string{
			"app: web":    "c/templates/_h.tpl:2:1 c/templates/_h.tpl:6:1 c/templates/x.yaml:2:3",
			"tier: front": "c/templates/_h.tpl:3:1 c/values.yaml:1:7 c/templates/_h.tpl:6:1 c/templates/x.yaml:2:3",
			"front":       "c/templates/_h.tpl:3:7 c/values.yaml:1:7 c/templates/_h.tpl:6:1 c/templates/x.yaml:2:3",
			"more":        "c/templates/_h.tpl:7:1 c/templates/x.yaml:2:3",
		}},
		{"toYaml", `-- c/values.yaml --
# comment
resources:
  limits:
    cpu: 1
    memory: 2Gi
  list:
    - name: one
    - name: two
-- c/templates/x.yaml --
r:
  {{- toYaml .Values.resources | nindent 2 }}
{{- with .Values.resources.limits }}
l: {{ toYaml . | nindent 4 }}
{{- end }}
{{- range .Values.resources.list }}
- {{ .name }}-x
{{- end }}
`, map[string]string{
			"memory: 2Gi": "c/templates/x.yaml:2:3 c/values.yaml:5:13",
			"name: two":   "c/templates/x.yaml:2:3 c/values.yaml:8:13",
			"two-x":       "c/templates/x.yaml:7:3 c/values.yaml:8:13",
		}},
		{"scalars in a range, variables and dictionaries", `-- c/values.yaml --
hosts:
  - a.example
  - b.example
deep: {er: found}
-- c/templates/_h.tpl --
{{- define "c.say" }}said: {{ .what.er }}{{ end }}
-- c/templates/x.yaml --
{{- range $i, $h := .Values.hosts }}
h{{ $i }}: {{ $h }}
{{- end }}
{{- range .Values.hosts }}
d: {{ . }}!
{{- end }}
{{- $d := .Values.deep }}
v: {{ $d.er }}
{{ include "c.say" (dict "what" .Values.deep) }}
`, map[string]string{
			"b.example":   "c/templates/x.yaml:2:12 c/values.yaml:3:5",
			"b.example!":  "c/templates/x.yaml:5:4 c/values.yaml:3:5",
			"v: found":    "c/templates/x.yaml:8:1 c/values.yaml:4:12",
			"said: found": "c/templates/_h.tpl:1:22 c/values.yaml:4:12 c/templates/x.yaml:9:1",
		}},
		{"subcharts, globals and overrides", `-- c/values.yaml --
global: {zone: north}
sub:
  colour: red
-- c/charts/sub/Chart.yaml --
apiVersion: v2
name: sub
version: 1.0.0
-- c/charts/sub/values.yaml --
colour: blue
size: large
-- c/charts/sub/templates/x.yaml --
colour: {{ .Values.colour }}
size: {{ .Values.size }}
zone: {{ .Values.global.zone }}
`, map[string]string{
			"red":   "c/charts/sub/templates/x.yaml:1:9 c/values.yaml:3:11",
			"large": "c/charts/sub/templates/x.yaml:2:7 c/charts/sub/values.yaml:2:7",
			"north": "c/charts/sub/templates/x.yaml:3:7 c/values.yaml:1:16",
		}},
		{"files", `-- c/files/crd.yaml --
kind: Thing
name: from-a-file
-- c/templates/x.yaml --
{{ .Files.Get "files/crd.yaml" }}
---
{{ .Files.Get "files/crd.yaml" | indent 2 }}
`, map[string]string{"from-a-file": "c/files/crd.yaml:2:7 c/templates/x.yaml:1:1"}},
		{"tpl", `-- c/values.yaml --
extra: |
  kind: {{ .Release.Name }}
  other: thing
-- c/templates/_h.tpl --
{{- define "c.tpl" }}{{ tpl .Values.extra . }}{{ end }}
-- c/templates/x.yaml --
{{ include "c.tpl" . }}
`, map[string]string{"other": "c/templates/_h.tpl:1:22 c/values.yaml:3:3 c/templates/x.yaml:1:1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := render(t, minimal+tt.files)
			if err != nil {
				t.Fatal(err)
			}
			for word, want := range tt.want {
				if got := traceWord(r, word); got != want {
					t.Errorf("%q: got %s, want %s\n%s", word, got, want, r.Outputs[len(r.Outputs)-1].Text)
				}
			}
		})
	}
}

// TestLintedText checks that lines are broken where Helm begins a new object
// and YAML does not.
func TestLintedText(t *testing.T) {
	const text = "a: b\n---# one\nc: d\n---\ne: f\n--- # two\ng: h\n---i: j\nk: l\n-----\n"
	got, broken := breakSeparators(text)
	if want := "a: b\n---\n# one\nc: d\n---\ne: f\n--- # two\ng: h\n---\ni: j\nk: l\n-----\n"; got != want {
		t.Errorf("got %q", got)
	}
	var before, after textLines
	for _, word := range []string{"a: b", "# one", "c: d", "e: f", "g: h", "i: j", "k: l"} {
		line, column := after.position(got, strings.Index(got, word))
		unbreak(broken, &line, &column)
		if at := before.offset(text, line, column); !strings.HasPrefix(text[at:], word) {
			t.Errorf("%s: at %d:%d", word, line, column)
		}
	}
}

// traceWord returns the positions of the first line of output that ends with a
// word; if there is none, of the first line that contains it.
func traceWord(r *Rendering, word string) string {
	for i := range r.Outputs {
		out := &r.Outputs[i]
		for _, ends := range []bool{true, false} {
			n := 0
			for line := range strings.Lines(out.Text) {
				n++
				line = strings.TrimRight(line, "\n")
				at := strings.Index(line, word)
				if at < 0 || ends && !strings.HasSuffix(line, word) {
					continue
				}
				column := utf8.RuneCountInString(line[:at]) + 1
				f := rules.Finding{Line: n, Column: column, EndLine: n, EndColumn: column + utf8.RuneCountInString(word)}
				r.Move(out, &f)
				got := fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
				for _, rel := range f.Related {
					got += fmt.Sprintf(" %s:%d:%d", rel.File, rel.Line, rel.Column)
				}
				return got
			}
		}
	}
	return "not written"
}

func TestFailures(t *testing.T) {
	tests := []struct{ name, files, want string }{
		{"parse error", minimal + "-- c/templates/x.yaml --\na: b\nc: {{ if }}\n", "c/templates/x.yaml:2: missing value for if"},
		{"unknown function", minimal + "-- c/templates/x.yaml --\na: {{ nope 1 }}\n", `c/templates/x.yaml:1: function "nope" not defined`},
		{"required", minimal + "-- c/templates/x.yaml --\nname: é\na: {{ required \"a name is needed\" .Values.name }}\n", "c/templates/x.yaml:2: a name is needed"},
		{"fail in a helper", minimal + "-- c/templates/_h.tpl --\n\n{{ define \"h\" }}{{ fail \"no\" }}{{ end }}\n-- c/templates/x.yaml --\na: {{ include \"h\" . }}\n", "c/templates/x.yaml:1: no"},
		{"nil pointer", minimal + "-- c/templates/x.yaml --\na: {{ .Values.a.b.c }}\n", "c/templates/x.yaml:1: executing \"c/templates/x.yaml\" at <.Values.a.b.c>: nil pointer evaluating interface {}.b"},
		{"unknown helper", minimal + "-- c/templates/x.yaml --\na: {{ include \"nobody\" . }}\n", "c/templates/x.yaml:1: executing \"c/templates/x.yaml\" at <include \"nobody\" .>: error calling include: template: no template \"nobody\" associated with template \"gotpl\""},
		{"broken values", minimal + "-- c/values.yaml --\na: b\n c: [\n", "c/values.yaml:2: cannot load values.yaml: cannot unmarshal yaml document: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context"},
		{"broken Chart.yaml", "-- c/Chart.yaml --\nname: [\n", "c/Chart.yaml:1: cannot load Chart.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content"},
		{"no Chart.yaml in charts", minimal + "-- c/charts/sub/values.yaml --\na: b\n", "c/charts/sub: error unpacking subchart sub in c: Chart.yaml file is missing"},
		{"schema", minimal + "-- c/values.yaml --\nsize: word\n-- c/values.schema.json --\n{\"properties\": {\"size\": {\"type\": \"integer\"}}}\n", "c/values.schema.json: values don't meet the specifications of the schema: - at '/size': got string, want integer"},
		{"schema of a subchart", minimal + "-- c/values.yaml --\nsub: {size: word}\n-- c/charts/sub/Chart.yaml --\napiVersion: v2\nname: sub\nversion: 1.0.0\n-- c/charts/sub/values.schema.json --\n{\"properties\": {\"size\": {\"type\": \"integer\"}}}\n", "c/charts/sub/values.schema.json: values don't meet the specifications of the schema: - at '/size': got string, want integer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := render(t, tt.files)
			var fail *Failure
			if !errors.As(err, &fail) {
				t.Fatalf("got %v", err)
			}
			if got := fail.Error(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	t.Run("a schema that wants the network is not applied", func(t *testing.T) {
		if _, err := render(t, minimal+"-- c/values.schema.json --\n{\"$ref\": \"https://example.com/schema.json\"}\n-- c/templates/x.yaml --\na: b\n"); err != nil {
			t.Error(err)
		}
	})
	t.Run("library", func(t *testing.T) {
		if _, err := render(t, minimal+"type: library\n-- c/templates/x.yaml --\na: b\n"); !errors.Is(err, ErrLibrary) {
			t.Error(err)
		}
	})
	t.Run("another Kubernetes", func(t *testing.T) {
		var not *IncompatibleError
		if _, err := render(t, minimal+"kubeVersion: \">=1.34.0-0\"\n-- c/templates/x.yaml --\na: b\n"); !errors.As(err, &not) {
			t.Error(err)
		}
	})
	t.Run("a later patch will do", func(t *testing.T) {
		if _, err := render(t, minimal+"kubeVersion: \">=1.33.4\"\n-- c/templates/x.yaml --\na: b\n"); err != nil {
			t.Error(err)
		}
	})
}

// TestTextLines compares positions with positions that are counted from the
// beginning of the text.
func TestTextLines(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "\n\n", "ä\nbc\n\nd", "a\r\nbü c"} {
		var lines textLines
		line, column := 1, 1
		for at, c := range text + "." {
			if l, c := lines.position(text, at); l != line || c != column {
				t.Errorf("%q: offset %d is at %d:%d, want %d:%d", text, at, l, c, line, column)
			}
			if got := lines.offset(text, line, column); got != at {
				t.Errorf("%q: %d:%d is at %d, want %d", text, line, column, got, at)
			}
			if column++; c == '\n' {
				line, column = line+1, 1
			}
		}
	}
}
