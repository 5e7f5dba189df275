package analyzers

import (
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
)

// Severity returns the severity of a diagnostic: that of its rule, or the lower one that
// the diagnostic's category carries, as in "removedapi/info". Drivers pass the rule's
// severity as the user configured it.
func Severity(category string, rule rules.Severity) rules.Severity {
	return scope.Severity(category, rule)
}
