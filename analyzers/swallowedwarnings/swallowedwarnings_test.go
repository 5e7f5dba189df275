package swallowedwarnings_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/swallowedwarnings"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, swallowedwarnings.Analyzer, "./swallowedwarnings/...")
}

// Controller-runtime 0.10 to 0.18 have an option that later releases, which
// the other tests use, do not.
func TestOlder(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), swallowedwarnings.Analyzer, "older")
}

// Programs other than API servers use parts of their library.
func TestProbed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), swallowedwarnings.Analyzer, "probed")
}
