package dryrunforward_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunforward"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, dryrunforward.Analyzer, "./dryrunforward/...")
}
