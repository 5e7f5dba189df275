package analyzers

import (
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
)

// Severity returns the severity of a diagnostic. The second argument is the
// severity of the diagnostic's rule, as the user configured it. The category
// can contain a severity of its own, as in "removedapi/info". Then Severity
// returns the lower one of this severity and the severity of the rule.
func Severity(category string, rule rules.Severity) rules.Severity {
	return scope.Severity(category, rule)
}
