package webhookdryrun_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/webhookdryrun"
)

func Test(t *testing.T) { analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookdryrun/...") }

// TestEffects gives functions to the option that has more of them.
func TestEffects(t *testing.T) {
	option := webhookdryrun.Analyzer.Flags.Lookup("effects").Value
	if err := option.Set("example.org/clients/webhookextra/bus.Client.Pub*,example.org/clients/webhookextra/bus.Tell"); err != nil {
		t.Fatal(err)
	}
	defer option.Set("")
	analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookextra/...")
}
