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

// TestOlder checks an option of controller-runtime 0.10 to 0.18. The other tests use a
// later release.
func TestOlder(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), swallowedwarnings.Analyzer, "older")
}

// TestProbed checks a program that uses parts of the library of API servers, but is not a
// server.
func TestProbed(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), swallowedwarnings.Analyzer, "probed")
}
