package webhookdryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/webhookdryrun"
)

func Test(t *testing.T) { analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookdryrun/...") }
