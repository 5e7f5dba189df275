package dryrunforward_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunforward"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

// TestDesigns runs the rule on several ways in which programs store the wish for a dry run.
// Each way has a write that ignores the wish and a write that respects it.
func TestDesigns(t *testing.T) {
	analyzertest.Run(t, dryrunforward.Analyzer, "./dryrundesigns/...")
}
