package removedapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/removedapi"
	"github.com/kubevet/kubevet/rules"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.Run(t, removedapi.Analyzer, "./removedapi/...")
}

// TestSeverity checks that findings have severity info if the code sends no request with
// the removed API. The test data marks these lines.
func TestSeverity(t *testing.T) {
	const mark = "/* info */"
	for _, r := range analyzertest.Run(t, removedapi.Analyzer, "./removedapi/unsent", "./removedapi/unsent/table", "./removedapi/schemes", "./removedapi/priority", "./removedapi/passed", "./removedapi/codegen", "./removedapi/markers", "./removedapi/types") {
		lines := map[string][]string{}
		for _, d := range r.Diagnostics {
			at := r.Pass.Fset.Position(d.Pos)
			if lines[at.Filename] == nil {
				text, err := os.ReadFile(at.Filename)
				if err != nil {
					t.Fatal(err)
				}
				lines[at.Filename] = strings.Split(string(text), "\n")
			}
			want := rules.Error
			if strings.Contains(lines[at.Filename][at.Line-1], mark) || filepath.Base(at.Filename) == "markers.go" {
				want = rules.Info
			}
			if got := analyzers.Severity(d.Category, rules.Error); got != want {
				t.Errorf("%s: %s has severity %s, want %s", at, d.Message, got, want)
			}
		}
	}
}

func TestTarget(t *testing.T) {
	target := removedapi.Analyzer.Flags.Lookup("target").Value
	for _, wrong := range []string{"1", "2.0", "1.37..1.31", "newest"} {
		if err := target.Set(wrong); err == nil {
			t.Errorf("target %q is accepted", wrong)
		}
	}
	if got := target.String(); got != "" {
		t.Errorf("after mistakes the target is %q", got)
	}
}
