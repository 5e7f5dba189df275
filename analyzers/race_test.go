package analyzers

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// TestTogether runs all rules at the same time over packages that concern several of them,
// as golangci-lint and multichecker do. With -race, it shows whether the shared packages
// lock their caches. Without -race, the Go runtime may still detect concurrent writes to a
// map.
func TestTogether(t *testing.T) {
	all := &analysis.Analyzer{
		Name: "together", Doc: "runs all rules", Requires: All(),
		Run: func(*analysis.Pass) (any, error) { return nil, nil },
	}
	results := analysistest.Run(silent{}, analyzertest.Dir(), all,
		"./dryrunforward/...", "./optionsdropped/...", "./storagedryrun/...", "./webhookdryrun/...", "./fieldmanager/...", "./applylive/...")
	if len(results) == 0 {
		t.Error("no packages")
	}
	for _, r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
}

// silent ignores the errors of analysistest. Packages have "want" comments for one rule,
// and the test runs all rules.
type silent struct{}

func (silent) Errorf(string, ...any) {}
