package getupdate_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/getupdate"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, getupdate.Analyzer, "./getupdate/...") }
