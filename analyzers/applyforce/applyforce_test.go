package applyforce_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/applyforce"
	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
)

func Test(t *testing.T) { analyzertest.Run(t, applyforce.Analyzer, "./applyforce/cli") }

func TestController(t *testing.T) {
	setMode(t, "controller")
	analyzertest.Run(t, applyforce.Analyzer, "./applyforce/controller")
}

func setMode(t *testing.T, mode string) {
	t.Helper()
	flag := applyforce.Analyzer.Flags.Lookup("mode")
	before := flag.Value.String()
	if err := flag.Value.Set(mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Value.Set(before); err != nil {
			t.Error(err)
		}
	})
}
