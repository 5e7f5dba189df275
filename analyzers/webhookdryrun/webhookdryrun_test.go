package webhookdryrun_test

import (
	"strings"
	"testing"

	"github.com/kubevet/kubevet/analyzers/internal/analyzertest"
	"github.com/kubevet/kubevet/analyzers/webhookdryrun"
)

func Test(t *testing.T) { analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookdryrun/...") }

// TestEffects sets the option with additional functions.
func TestEffects(t *testing.T) {
	option := webhookdryrun.Analyzer.Flags.Lookup("effects").Value
	if err := option.Set("example.org/clients/webhookextra/bus.Client.Pub*,example.org/clients/webhookextra/bus.Tell"); err != nil {
		t.Fatal(err)
	}
	defer option.Set("")
	analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookextra/...")
}

// TestConfigurations sets the option with the webhooks of manifests.
func TestConfigurations(t *testing.T) {
	option := webhookdryrun.Analyzer.Flags.Lookup("configurations").Value
	if err := option.Set("mutating|/guard|None|create+update|config/webhook.yaml:12, mutating|/lenient|Some||config/webhook.yaml:20," +
		"validating|/a|NoneOnDryRun|delete+update|config/webhook.yaml:40,validating|/b|None|UPDATE|config/webhook.yaml:50,validating||code||pkg/install/install.go:70"); err != nil {
		t.Fatal(err)
	}
	defer option.Set("")
	analyzertest.Run(t, webhookdryrun.Analyzer, "./webhookconfigured/...")
}

func TestConfigurationsText(t *testing.T) {
	option := webhookdryrun.Analyzer.Flags.Lookup("configurations").Value
	for _, text := range []string{"x", "other|/a|None||f.yaml:1", "mutating|/a|None|create"} {
		if err := option.Set(text); err == nil || !strings.Contains(err.Error(), "is no webhook as validating|/validate-v1-pod|None|create+update|config/webhook.yaml:12") {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if got := option.String(); got != "" {
		t.Errorf("%q was set", got)
	}
}
