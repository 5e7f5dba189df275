package warningtext_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/warningtext"
)

func TestAnalyzer(t *testing.T) {
	if err := warningtext.Analyzer.Flags.Set("advise", "true"); err != nil {
		t.Fatal(err)
	}
	analyzertest.RunFixes(t, warningtext.Analyzer, "./warningtext/...")
}
