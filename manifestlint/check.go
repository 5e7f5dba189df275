package manifestlint

import (
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check implements one rule for objects and scripts. It is immutable. The
// linter calls its functions from several goroutines.
type Check struct {
	// Rule is the ID of the rule.
	Rule string
	// Also are the IDs of further rules whose findings the check reports with
	// Pass.ReportRule; usually nil. One check thus reports all parts of a
	// server's answer, in the server's order.
	Also []string
	// Context are the kinds of the context objects that the check needs, in all
	// API groups; nil for none.
	Context []string
	// Run checks one object. It is nil if the check is only for scripts.
	Run func(*Pass)
	// Metadata is set if Run reads nothing but the object's metadata. The
	// linter skips all other checks for an object that was read without its
	// body.
	Metadata bool
	// Words is needed only for the checks of audit logs. It returns lists of
	// words. The body of a request is parsed only if its text contains, for one
	// of the checks, at least one word of each list. Most bodies do not.
	Words func(lifecycle.Target) [][]string
	// Script checks one text that calls kubectl or oc, such as a shell script or
	// the steps of a CI job. It is nil if the check is only for objects.
	Script func(*scripts.Pass)
	// Fix returns the change that removes a finding of the check, or false if
	// there is no such change. It is nil if the check has no fixes.
	Fix func(*Pass, *rules.Finding) (Change, bool)
}

// Rules returns the IDs of all rules that the check reports.
func (c *Check) Rules() []string { return append([]string{c.Rule}, c.Also...) }
