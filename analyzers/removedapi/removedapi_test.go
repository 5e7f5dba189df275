package removedapi_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/removedapi"
)

func TestAnalyzer(t *testing.T) {
	analyzertest.Run(t, removedapi.Analyzer, "./removedapi/...")
}

func TestTarget(t *testing.T) {
	target := removedapi.Analyzer.Flags.Lookup("target").Value
	for _, wrong := range []string{"1", "2.0", "1.37..1.31", "newest"} {
		if err := target.Set(wrong); err == nil {
			t.Errorf("target %q is accepted", wrong)
		}
	}
	if got := target.String(); got != "" {
		t.Errorf("after mistakes the target is %q", got)
	}
}
