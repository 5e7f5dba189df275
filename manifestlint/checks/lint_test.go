package checks

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

func options(t testing.TB, target string) manifestlint.Options {
	tgt, err := lifecycle.NewTarget(target, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sev := map[string]rules.Severity{}
	for _, r := range rules.Catalogue() {
		sev[r.ID] = r.Severity
	}
	return manifestlint.Options{Target: tgt, Checks: All(nil), Severity: sev, Embedded: false}
}

// isInFile reports whether a finding's position is inside the file.
func isInFile(data []byte, f rules.Finding) bool {
	lines := bytes.Split(data, []byte{'\n'})
	if f.Line < 1 || f.Line > len(lines) || f.EndLine < f.Line || f.EndLine > len(lines) {
		return false
	}
	if f.EndLine == f.Line && f.EndColumn <= f.Column || f.Column < 1 {
		return false
	}
	return f.Column <= utf8.RuneCount(lines[f.Line-1])+1 && f.EndColumn <= utf8.RuneCount(lines[f.EndLine-1])+2
}

// FuzzLint checks that no input causes a panic, and that all findings are
// inside the file.
func FuzzLint(f *testing.F) {
	for _, seed := range []string{
		"apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n",
		"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    lifecycle:\n      preStop:\n        sleep:\n          seconds: 99\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1beta1\n  kind: Deployment\n",
		"{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}{\"kind\": 1}",
		"# kubevet:ignore removedapi -- x\napiVersion: extensions/v1beta1\nkind: Ingress\n---\n{{ if .a }}\n",
		"apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef: {apiVersion: extensions/v1beta1, kind: Deployment, name: a}\n",
		"apiVersion: v1\nkind: Pod\nspec: &a\n  containers: [{name: a, lifecycle: {preStop: {exec: {command: [sh, -c, 'sleep 40']}}}}]\nb: *a\n",
		"apiVersion: v1\nitems:\n- apiVersion: apps/v1beta1\n  kind: Deployment\n  metadata:\n    name: a\n- apiVersion: autoscaling/v2\n  kind: HorizontalPodAutoscaler\n  spec:\n    scaleTargetRef:\n      apiVersion: extensions/v1beta1\n      kind: Deployment\nkind: List\n",
		"{\"apiVersion\": \"v1\", \"items\": [\n {\"apiVersion\": \"batch/v1beta1\", \"kind\": \"CronJob\", \"metadata\": {\"name\": \"a\"}},\n {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"ownerReferences\": [{\"apiVersion\": \"apps/v1beta2\", \"kind\": \"ReplicaSet\"}]}}], \"kind\": \"List\"}",
		"{\"kind\": \"Ingress\", \"apiVersion\": \"extensions/v1beta1\", \"metadata\": {\"name\": \"a\"}}",
	} {
		f.Add([]byte(seed), false)
	}
	all := options(f, "1.16..1.37")
	f.Fuzz(func(t *testing.T, data []byte, embedded bool) {
		o := all
		o.Embedded, o.Fixes, o.FixEdits = embedded, true, true
		findings, _ := manifestlint.New(o).Bytes("a.yaml", data)
		for _, finding := range findings {
			if utf8.Valid(data) && !bytes.ContainsAny(data, "\r\u0085\u2028\u2029\ufeff") && !isInFile(data, finding) {
				t.Fatalf("outside the file: %+v\n%q", finding, data)
			}
		}
	})
}

// TestRealTrees checks that findings about real files are inside the files, for
// one target, and for a target with all minors.
func TestRealTrees(t *testing.T) {
	corpus := os.Getenv("KUBEVET_CORPUS")
	if corpus == "" {
		t.Skip("KUBEVET_CORPUS is not set")
	}
	for _, target := range []string{"1.37", "1.16..1.37"} {
		linter := manifestlint.New(options(t, target))
		count := map[string]int{}
		err := filepath.WalkDir(corpus, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "ml") && !strings.HasSuffix(path, ".json") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			findings, _ := linter.Bytes(path, data)
			for _, f := range findings {
				count[f.Rule]++
				if !isInFile(data, f) {
					t.Errorf("outside the file: %+v", f)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", target, count)
	}
}
