package getbeforeapply_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/getbeforeapply"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, getbeforeapply.Analyzer, "./getbeforeapply/...") }
