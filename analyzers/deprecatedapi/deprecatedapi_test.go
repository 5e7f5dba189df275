package deprecatedapi_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/deprecatedapi"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestNewest(t *testing.T) {
	analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/endpoints", "./deprecatedapi/locks", "./deprecatedapi/lockboth", "./deprecatedapi/accepted")
}

// Client-go up to 0.23 has locks in Endpoints, which later releases do not.
func TestOlder(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), deprecatedapi.Analyzer, "oldlocks")
}

func TestTarget(t *testing.T) {
	target := deprecatedapi.Analyzer.Flags.Lookup("target").Value
	if err := target.Set("1.24"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.Set(""); err != nil {
			t.Error(err)
		}
	})
	analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/served")
}
