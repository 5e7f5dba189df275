package helmchart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/txtar"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
)

// inMemory returns the chart in a txtar archive, and the texts of its files by
// place. It returns nil if the archive has no chart.
func inMemory(text []byte) (*Chart, map[string]string) {
	texts := map[string]string{}
	var files []file
	for _, f := range txtar.Parse(text).Files {
		name := path.Clean(f.Name)
		place := path.Join("c", name)
		if _, twice := texts[place]; twice || !filepath.IsLocal(name) || name == "." {
			return nil, nil
		}
		texts[place] = string(f.Data)
		files = append(files, file{name: name, place: place, real: true, data: f.Data})
	}
	c := &Chart{Place: "c"}
	var err error
	if c.root, err = splitSubcharts(files, "c", newBudget(), 0); err != nil {
		return nil, nil
	}
	return c, texts
}

// checkPosition fails the test if a position is outside of the chart's files.
func checkPosition(t *testing.T, texts map[string]string, place string, line, column int) {
	t.Helper()
	if line == 0 { // the file as a whole, which may be missing
		return
	}
	text, ok := texts[place]
	if !ok {
		t.Errorf("there is no file %q", place)
		return
	}
	lines := strings.Split(text, "\n")
	if line < 0 || line > len(lines) || column < 1 || column > len(lines[line-1])+1 {
		t.Errorf("%d:%d is not in %q: %q", line, column, place, text)
	}
}

// FuzzRender checks that two renderings of a chart are equal, and that each
// line of output and each literal has a position in a file of the chart. The
// message of a failure must be one line.
func FuzzRender(f *testing.F) {
	const head = "-- Chart.yaml --\napiVersion: v2\nname: c\nversion: 1.0.0\n"
	for _, files := range []string{
		"-- values.yaml --\nname: frida\nnested:\n  list: [a, b1]\n-- templates/x.yaml --\na: {{ .Values.name | upper }}\nb: {{ index .Values.nested.list 1 }}\n",
		"-- values.yaml --\nx: {a: 1, b: [1, {c: d}]}\n-- templates/_h.tpl --\n{{- define \"l\" -}}\na: b\n{{ toYaml .Values.x }}\n{{- end }}\n-- templates/x.yaml --\nl:\n  {{- include \"l\" . | nindent 2 }}\n{{ template \"l\" . }}\n",
		"-- templates/x.yaml --\n{{- range $i, $e := until 3 }}\n- {{ $i }}{{ if eq $e 1 }}-x{{ else }}-y{{ end }}\n{{- end }}\n{{ with .Values.none }}a{{ else }}b{{ end }}\n",
		"-- templates/x.yaml --\n{{ if .Capabilities.APIVersions.Has \"policy/v1\" }}\napiVersion: policy/v1\n{{ else }}\napiVersion: policy/v1beta1\n{{ end }}\nkind: PodDisruptionBudget\n",
		"-- values.schema.json --\n{\"type\": \"object\", \"required\": [\"a\"]}\n-- values.yaml --\na: &x {b: 1}\nc: *x\n-- templates/x.yaml --\n{{ tpl \"{{ .Values.a.b }}\" . }} {{ .Files.Get \"f\" | quote }}\n-- f --\ntext\n",
		"-- templates/x.yaml --\n{{ fail \"no\" }}\n-- templates/NOTES.txt --\n{{ .Release.Name }}\n-- crds/a.yaml --\na: b\n",
		"-- charts/d/Chart.yaml --\napiVersion: v2\nname: d\nversion: 0.1.0\n-- charts/d/values.yaml --\na: 1\n-- charts/d/templates/y.yaml --\na: {{ .Values.a }}{{ .Values.global }}\n-- values.yaml --\nd: {a: 2}\nglobal: {g: h}\n",
		"-- templates/x.yaml --\na: {{ dict \"b\" (list 1 \"x\" nil) | toJson }}\n{{- $x := print \"a\" \"b\" }}\n{{ $x | trunc 1 | b64enc | nindent 4 }}{{/* c */}}\n{{ required \"r\" .Values.r }}\n{{ lookup \"v1\" \"Pod\" \"\" \"\" }}\n",
	} {
		f.Add([]byte(head + files))
	}
	target, err := lifecycle.NewTarget("1.33", nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	cluster := func(lifecycle.Minor) Cluster { return ClusterAt(target, target.From, nil) }
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		c, texts := inMemory(text)
		if c == nil {
			return
		}
		r, err := c.Render(&Values{}, cluster(target.From), Release{}, nil)
		again, errAgain := c.Render(&Values{}, cluster(target.From), Release{}, nil)
		if err != nil || errAgain != nil {
			if err == nil || errAgain == nil || err.Error() != errAgain.Error() {
				t.Errorf("first %v, then %v", err, errAgain)
			}
			var fail *Failure
			var refused *IncompatibleError
			switch {
			case errors.As(err, &fail):
				if fail.Message == "" || len(fail.Message) > maxMessage+10 || strings.Contains(fail.Message, "\n") {
					t.Errorf("message of %d bytes: %.300q", len(fail.Message), fail.Message)
				}
				checkPosition(t, texts, fail.File, fail.Line, max(fail.Column, 1))
			case errors.Is(err, ErrLibrary), errors.As(err, &refused):
			default:
				t.Errorf("%T: %v", err, err)
			}
		} else if !slices.EqualFunc(r.Outputs, again.Outputs, func(a, b Output) bool { return a.Template == b.Template && a.Text == b.Text }) {
			t.Errorf("two renderings differ:\n%+v\n%+v", r.Outputs, again.Outputs)
		}
		var renderings []*Rendering
		if r != nil {
			renderings = append(renderings, r)
			for i := range r.Outputs {
				out := &r.Outputs[i]
				for line := range min(strings.Count(out.Text, "\n")+1, 100) {
					finding := rules.Finding{File: "output", Line: line + 1, Column: 1, EndLine: line + 1, EndColumn: 2}
					r.Move(out, &finding)
					checkPosition(t, texts, finding.File, finding.Line, max(finding.Column, 1))
					for _, related := range finding.Related {
						checkPosition(t, texts, related.File, related.Line, max(related.Column, 1))
					}
				}
			}
		}
		for _, l := range c.Branches(target.Minors(), cluster, renderings...) {
			checkPosition(t, texts, l.File, l.Line, l.Column)
		}
	})
}

// FuzzArchive checks that kubevet and Helm refuse the same archives, and read
// the same files from all others.
func FuzzArchive(f *testing.F) {
	for _, names := range [][2]string{
		{"c/Chart.yaml", "c/templates/a.yaml"}, {"Chart.yaml", "c/a"}, {"c\\Chart.yaml", "c/a"}, {"c\\..\\a", "c/a"}, {"c/../a", "c/a"},
		{"c//a", "c/a"}, {"/c/a", "c/a"}, {"c/..data/a", "c/a"}, {"c", "c/a"}, {"c/a\\b", "c/a"}, {"c/C:/a", "c/a"}, {"c/C:a", "c/a"}, {"c/1:a", "c/a"},
		{"./c/a", "c/a"}, {"c/./a", "c/a"}, {"c/", "c/a"}, {"", "c/a"}, {"../c/a", "c/a"}, {"c/a/..", "c/a"},
	} {
		for _, kind := range []byte{tar.TypeReg, tar.TypeDir, tar.TypeSymlink} {
			f.Add(names[0], names[1], kind, "\ufeffa: b\n")
		}
	}
	f.Fuzz(func(t *testing.T, first, second string, kind byte, text string) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		w := tar.NewWriter(z)
		for _, h := range []*tar.Header{{Name: first, Typeflag: kind, Mode: 0o644}, {Name: second, Typeflag: tar.TypeReg, Mode: 0o644}} {
			if h.Typeflag == tar.TypeReg {
				h.Size = int64(len(text))
			}
			if w.WriteHeader(h) != nil {
				return
			}
			if h.Size > 0 {
				if _, err := w.Write([]byte(text)); err != nil {
					return
				}
			}
		}
		w.Close()
		z.Close()
		want, theirs := archive.LoadArchiveFiles(bytes.NewReader(packed.Bytes()))
		got, ours := readArchive(bytes.NewReader(packed.Bytes()), "c.tgz", newBudget())
		if (ours == nil) != (theirs == nil) {
			t.Fatalf("%q and %q: %v, but Helm: %v", first, second, ours, theirs)
		}
		wanted, read := map[string]string{}, map[string]string{}
		for _, one := range want {
			wanted[one.Name] = string(one.Data)
		}
		for _, one := range got {
			read[one.name] = string(one.data)
		}
		if ours == nil && !maps.Equal(wanted, read) {
			t.Fatalf("%q and %q: %q, but Helm: %q", first, second, read, wanted)
		}
	})
}
