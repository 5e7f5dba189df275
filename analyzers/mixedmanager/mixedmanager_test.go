package mixedmanager_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/mixedmanager"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.Run(t, mixedmanager.Analyzer, "./mixedmanager/...")
}
