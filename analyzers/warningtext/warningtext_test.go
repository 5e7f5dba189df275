package warningtext_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/warningtext"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, warningtext.Analyzer, "./warningtext/...")
}
