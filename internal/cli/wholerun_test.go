package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/txtar"
)

// fuzzTrees are directories in the format of txtar. Together they have every kind of file
// that a run reads.
var fuzzTrees = []string{
	"-- a.yaml --\n" + removed + "-- b/c.json --\n{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a\"}}\n",
	"-- a\x1b[2J.yaml --\n" + removed + "-- ::error::b.yaml --\n" + removed + "---\n{{ if .x }}\n---\na: [\n",
	"-- a.yaml --\n# kubevet:ignore removedapi -- not yet\n" + removed + "--- # kubevet:ignore\napiVersion: v1\nkind: Pod\nspec: {containers: [{nam: a}]}\n",
	"-- .kubevet.yaml --\ntarget: 1.20..1.37\nrules: {removedapi: warning}\nexclude: [b/]\nbaseline: base.json\ncrds: [crd.yaml]\n" +
		"-- base.json --\n{\"findings\": []}\n-- crd.yaml --\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec:\n  group: b.c\n  scope: Cluster\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: integer, maximum: 3}}}}\n" +
		"-- x.yaml --\napiVersion: b.c/v1\nkind: A\nmetadata: {name: x}\nspec: 4\n-- b/a.yaml --\n" + removed,
	"-- .gitignore --\n*.json\n!a.json\n-- a.json --\n{}\n-- b.json --\n{}\n-- run.sh --\nkubectl apply --dry-run -f - <<E\n" + removed + "E\n-- Makefile --\nall:\n\tkubectl run --generator=a b\n",
	"-- kustomization.yaml --\nresources: [a.yaml, base]\npatches: [{path: p.yaml}, {patch: \"- {op: remove, path: /spec}\", target: {kind: Service}}]\nnamePrefix: x-\nconfigMapGenerator: [{name: c, files: [f.txt], literals: [a=b]}]\n" +
		"-- a.yaml --\n" + removed + "-- p.yaml --\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 1}\n-- f.txt --\nx\n-- base/kustomization.yaml --\nresources: [s.yaml]\n-- base/s.yaml --\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}]}\n",
	"-- c/Chart.yaml --\napiVersion: v2\nname: c\nversion: 1.0.0\n-- c/values.yaml --\nname: web\nlist: [{a: 1}]\n-- c/values.schema.json --\n{\"type\": \"object\"}\n" +
		"-- c/templates/_h.tpl --\n{{- define \"v\" -}}\n{{- if .Capabilities.APIVersions.Has \"policy/v1\" }}policy/v1{{ else }}policy/v1beta1{{ end }}\n{{- end }}\n" +
		"-- c/templates/a.yaml --\napiVersion: {{ include \"v\" . }}\nkind: PodDisruptionBudget\nmetadata: {name: {{ .Values.name | quote }}}\n{{- range .Values.list }}\n---\napiVersion: batch/v1beta1\nkind: CronJob\nspec:\n  {{- toYaml . | nindent 2 }}\n{{- end }}\n",
	"-- a.yaml --\napiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata:\n  name: web # n\nspec:\n  backend: {serviceName: a, servicePort: 80}\n  rules:\n  - http:\n      paths:\n      # p\n      - backend:\n          serviceName: a\n          servicePort: b\n" +
		"-- l.yaml --\napiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1beta1\n  kind: Deployment\n  metadata: {name: a}\n  spec: {template: {spec: {containers: [{name: a, image: b}]}}}\n",
}

// unpack writes the files of a tree below dir. It returns false if the tree is not a
// valid directory, for example because a file occurs twice.
func unpack(dir string, tree []byte) bool {
	files := txtar.Parse(tree).Files
	if len(files) == 0 || len(files) > 20 {
		return false
	}
	for _, f := range files {
		name := filepath.FromSlash(f.Name)
		if !filepath.IsLocal(name) || strings.ContainsRune(name, 0) || strings.Contains(name, ".git"+string(filepath.Separator)) || strings.Contains(name, `\`) {
			return false
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return false
		}
		w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return false
		}
		_, err = w.Write(f.Data)
		if w.Close(); err != nil {
			return false
		}
	}
	return true
}

// contents returns the text of each file below a directory, by its path with slashes.
func contents(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if name, relErr := filepath.Rel(dir, path); relErr == nil {
			files[filepath.ToSlash(name)] = string(text)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

// duration matches the run time in a report, the only text that differs between two runs.
var duration = regexp.MustCompile(`,\s*"seconds": [0-9.e-]+`)

// runCommand matches a command of GitHub Actions or Azure Pipelines in a log.
var runCommand = regexp.MustCompile(`(?m)^[ \t]*::[A-Za-z]|##[A-Za-z]*\[`)

// checkPrintable fails the test if a text has an escape sequence or a command of a CI
// system.
func checkPrintable(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("output is not UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && (!unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Errorf("output has %U: %q", r, text)
			break
		}
	}
	if m := runCommand.FindString(text); m != "" {
		t.Errorf("output has the command %q: %q", m, text)
	}
}

// FuzzLintTree runs lint on directories. It checks these properties:
//
//   - The run ends with a documented status and changes no files.
//   - Two runs print the same.
//   - Findings are in files of the directory.
//   - Reports for people have only printable characters.
//   - After a run with fixes, a second run finds nothing to fix.
func FuzzLintTree(f *testing.F) {
	for _, tree := range fuzzTrees {
		for mode := range uint8(3) {
			f.Add([]byte(tree), mode)
		}
	}
	f.Fuzz(checkLintTree)
}

// checkLintTree runs lint on a tree. mode%3 chooses the output: JSON, text, or fixes.
func checkLintTree(t *testing.T, tree []byte, mode uint8) {
	if len(tree) > 1<<15 {
		return
	}
	dir := t.TempDir()
	// The search for a configuration in parent directories ends at a directory with .git.
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if !unpack(dir, tree) {
		return
	}
	before := contents(t, dir)
	lint := func(args ...string) (stdout, stderr string, status int) {
		var out, errs bytes.Buffer
		c := Command{Stdout: &out, Stderr: &errs, Dir: dir}
		status = c.Main(t.Context(), append([]string{"lint"}, args...))
		if status < 0 || status > 3 || status == StatusUsage && before[".kubevet.yaml"] == "" && before[".kubevet.yml"] == "" {
			t.Errorf("%q: status %d: %s", args, status, &errs)
		}
		checkPrintable(t, errs.String())
		return duration.ReplaceAllString(out.String(), ""), errs.String(), status
	}
	switch mode % 3 {
	case 0:
		out, errs, status := lint("-o", "json", "-q")
		if again, errsAgain, statusAgain := lint("-o", "json", "-q"); out != again || errs != errsAgain || status != statusAgain {
			t.Errorf("two runs differ: status %d and %d\n%s\n%s", status, statusAgain, cmp.Diff(out, again), cmp.Diff(errs, errsAgain))
		}
		if status == StatusUsage {
			return
		}
		var result struct{ Findings []rules.Finding }
		if err := json.Unmarshal([]byte(out), &result); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		named := map[string]string{} // file names as JSON spells them
		for name, text := range before {
			named[string([]rune(name))] = text
		}
		for _, finding := range result.Findings {
			checkPlace(t, named, finding)
		}
	case 1:
		out, _, _ := lint("-v", "--embedded")
		checkPrintable(t, out)
	case 2:
		lint("--fix=all", "-q")
		once := contents(t, dir)
		if len(once) != len(before) {
			t.Errorf("--fix: %d files, %d before", len(once), len(before))
		}
		lint("--fix=all", "-q")
		if diff := cmp.Diff(once, contents(t, dir)); diff != "" {
			t.Errorf("the second --fix changes files:\n%s", diff)
		}
		return
	}
	if after := contents(t, dir); !maps.Equal(before, after) {
		t.Errorf("lint changed files:\n%s", cmp.Diff(before, after))
	}
}

// checkPlace fails the test if the file of a finding does not exist, or is too short for
// the lines of the finding.
func checkPlace(t *testing.T, files map[string]string, f rules.Finding) {
	t.Helper()
	text, ok := files[f.File]
	if !ok {
		t.Errorf("there is no file %q: %+v", f.File, f)
		return
	}
	if lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1; f.Line < 0 || f.Line > lines || f.EndLine < f.Line || f.EndLine > lines {
		t.Errorf("%q has %d lines: %+v", f.File, lines, f)
	}
}
