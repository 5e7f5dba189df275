package dryrunstrategy_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunstrategy"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, dryrunstrategy.Analyzer, "./dryrunstrategy/...")
}
