package dryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
)

func TestFacts(t *testing.T) {
	analyzertest.Run(t, dryrun.Analyzer, "./dryrunfacts")
}
