package analyzers

import (
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
)

// Severity returns the severity of a diagnostic. The second argument is the severity of the
// diagnostic's rule, as the user configured it. The category can carry another severity, as
// in "removedapi/info". Severity then returns the lower of the two.
func Severity(category string, rule rules.Severity) rules.Severity {
	return scope.Severity(category, rule)
}
