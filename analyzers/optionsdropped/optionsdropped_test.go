package optionsdropped_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/optionsdropped"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, optionsdropped.Analyzer, "./optionsdropped/...")
}
