package storagedryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/storagedryrun"
)

func Test(t *testing.T) { analyzertest.Run(t, storagedryrun.Analyzer, "./storagedryrun/...") }
