package forcenonapply_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/forcenonapply"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, forcenonapply.Analyzer, "./forcenonapply/...")
}
