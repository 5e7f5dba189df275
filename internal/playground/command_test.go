package playground_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubevet/kubevet/internal/cli"
	"github.com/kubevet/kubevet/internal/playground"
)

// TestAsCommand compares a report with the command's report for standard input.
func TestAsCommand(t *testing.T) {
	for _, q := range []playground.Question{
		{Text: oldCron, Target: "1.25"},
		{Text: oldCron, Target: "1.16..1.37"},
		{Text: sleepZero, Target: "1.32", Gates: "PodLifecycleSleepActionAllowZero=false"},
		{Text: goodMap + "---\n" + oldCron + "---\n{{ .Values.a }}\n---\na: [\n", Target: "1.24"},
		{Text: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  run.sh: |\n    kubectl create --dry-run -f x\n    kubectl create --dry-run -f y\n", Target: "1.37"},
	} {
		result, err := playground.Lint(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"lint", "--no-config", "-o", "json", "--target", q.Target, "-"}
		if q.Gates != "" {
			args = append(args, "--feature-gates", q.Gates)
		}
		var stdout, stderr bytes.Buffer
		cmd := cli.Command{Stdin: strings.NewReader(q.Text), Stdout: &stdout, Stderr: &stderr, Dir: t.TempDir()}
		cmd.Main(t.Context(), args)
		if diff := cmp.Diff(decodeReport(t, stdout.Bytes()), decodeReport(t, result.Report)); diff != "" {
			t.Errorf("%s (-command +playground)\n%s\n%s", q.Target, diff, &stderr)
		}
	}
}

// decodeReport decodes a report without the run time and without the edits of fixes,
// which the command computes only for --fix.
func decodeReport(t *testing.T, report []byte) any {
	t.Helper()
	var v struct {
		Findings []map[string]any
		Summary  map[string]any
	}
	if err := json.Unmarshal(report, &v); err != nil {
		t.Fatalf("%v in %q", err, report)
	}
	delete(v.Summary, "seconds")
	return v
}
