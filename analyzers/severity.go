package analyzers

import (
	"strings"

	"github.com/kubevet/kubevet/rules"
)

// Severity returns the severity of a diagnostic: that of its rule, or the lower one that
// the diagnostic's category carries, as in "removedapi/info". Drivers pass the rule's
// severity as the user configured it.
func Severity(category string, rule rules.Severity) rules.Severity {
	_, name, ok := strings.Cut(category, "/")
	if !ok {
		return rule
	}
	own, err := rules.ParseSeverity(name)
	if err != nil {
		return rule
	}
	return min(own, rule)
}
