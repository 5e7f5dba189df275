package analyzers

import (
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
)

// Severity returns the severity of a diagnostic, from the severity of its rule, as the user
// configured it, and from the diagnostic's category. A category such as "removedapi/info"
// has a severity, too. Severity returns the lower one.
func Severity(category string, rule rules.Severity) rules.Severity {
	return scope.Severity(category, rule)
}
