package kubectldryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/kubectldryrun"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, kubectldryrun.Analyzer, "./kubectldryrun/...")
}
