package dryrunforward_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunforward"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

// TestDesigns runs the rule on ways in which programs keep a wish for a dry run, each with
// a place that forgets it and one that does not.
func TestDesigns(t *testing.T) {
	analyzertest.Run(t, dryrunforward.Analyzer, "./dryrundesigns/...")
}
