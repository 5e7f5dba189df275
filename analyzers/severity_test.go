package analyzers_test

import (
	"testing"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/rules"
)

func TestSeverity(t *testing.T) {
	for _, tt := range []struct {
		category   string
		rule, want rules.Severity
	}{
		{"removedapi", rules.Error, rules.Error},
		{"removedapi/info", rules.Error, rules.Info},
		{"removedapi/warning", rules.Info, rules.Info}, // the user lowered the severity
		{"removedapi/else", rules.Error, rules.Error},
		{"", rules.Warning, rules.Warning},
	} {
		if got := analyzers.Severity(tt.category, tt.rule); got != tt.want {
			t.Errorf("Severity(%q, %s) = %s, want %s", tt.category, tt.rule, got, tt.want)
		}
	}
}
