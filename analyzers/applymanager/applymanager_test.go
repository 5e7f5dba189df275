package applymanager_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/applymanager"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.RunFixes(t, applymanager.Analyzer, "./applymanager/...")
}
