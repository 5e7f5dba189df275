package applytyped_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/applytyped"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, applytyped.Analyzer, "./applytyped/...") }
