package applylive_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/applylive"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, applylive.Analyzer, "./applylive/...") }
