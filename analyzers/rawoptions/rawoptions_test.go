package rawoptions_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/rawoptions"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, rawoptions.Analyzer, "./rawoptions/...")
}
