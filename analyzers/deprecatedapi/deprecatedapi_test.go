package deprecatedapi_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/deprecatedapi"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func TestNewest(t *testing.T) {
	analyzertest.Run(t, deprecatedapi.Analyzer, "./deprecatedapi/endpoints")
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
