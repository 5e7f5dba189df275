package manifestlint

import (
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Check is the implementation of one rule for objects and scripts. It is
// immutable; the linter calls its functions from several goroutines.
type Check struct {
	// Rule is the ID of the rule in the catalogue.
	Rule string
	// Also are the IDs of further rules that the check reports, with
	// Pass.ReportRule, so that the parts of one server answer keep their
	// order. Usually nil.
	Also []string
	// Context are the kinds of the context objects that the check needs, in any group.
	// nil: it checks the object alone.
	Context []string
	// Run checks one object. nil: the check is about scripts only.
	Run func(*Pass)
	// Metadata reports whether Run looks only at metadata. Other checks are
	// not run on objects of which only the metadata was read.
	Metadata bool
	// Words, if not nil, returns lists of words. Run finds nothing in an object
	// whose JSON text lacks all words of one of the lists, so that most bodies
	// in an audit log need not be parsed.
	Words func(lifecycle.Target) [][]string
	// Script checks one text that calls kubectl or oc, such as a shell script
	// or the steps of a CI system. nil: the check is about objects only.
	Script func(*scripts.Pass)
	// Fix returns the change that removes a finding of the check; false if it
	// knows none. nil: the check has no fixes.
	Fix func(*Pass, *rules.Finding) (Change, bool)
}

// Rules returns the IDs of all rules that the check reports.
func (c *Check) Rules() []string { return append([]string{c.Rule}, c.Also...) }
