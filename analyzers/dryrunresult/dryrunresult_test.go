package dryrunresult_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/dryrunresult"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, dryrunresult.Analyzer, "./dryrunresult/...") }
