package dryrunvalue_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunvalue"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, dryrunvalue.Analyzer, "./dryrunvalue/...")
}
