// Package checks implements the rules for objects. Each rule has a file with
// its name. Other files have checks that report findings of several rules:
//
//   - additional.go: API versions in a list of the user
//   - customresource.go: the server's answers to custom resources
//   - projectresource.go: custom resources of well-known projects
//   - managers.go: field managers that use deprecated or removed versions
//   - policymatch.go: admission policies and bindings that match nothing
//   - serveranswer.go: the server's answers to objects of built-in kinds
//
// Package manifestlint itself reports the rules syntax, duplicatekey and
// unusedsuppression, because they are not about objects.
package checks

import "github.com/kubevet/kubevet/manifestlint"

// All returns the checks in the order of an object's findings: those about the
// API version come before those about fields. set has the context objects; nil
// is an empty set.
func All(set *Set) []manifestlint.Check {
	return []manifestlint.Check{
		removedAPI(),
		disabledAPI(),
		futureAPI(),
		unknownKind(set),
		deprecatedAPI(),
		customResource(set),
		projectResource(set),
		managers(set),
		serverAnswer(set),
		preStopSleep(),
		execSleep(),
		sleepCommand(),
		webhookSideEffects(set),
		policyType(set),
		crdVersions(),
		crdListType(),
		kubectlDryRun(),
	}
}
