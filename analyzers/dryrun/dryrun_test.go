package dryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.Run(t, dryrun.Analyzer, "./dryrun/...")
}
