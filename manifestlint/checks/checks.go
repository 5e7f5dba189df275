// Package checks holds the implementations of the catalogue's rules for
// objects, one file each.
package checks

import "github.com/kubevet/kubevet/manifestlint"

// All lists the checks in the order in which an object's findings are
// reported: what decides whether the server looks at the object at all comes
// before what it says of the object's fields. Set is what else is known of the
// cluster; nil: nothing.
func All(set *Set) []manifestlint.Check {
	return []manifestlint.Check{
		removedAPI(),
		disabledAPI(),
		futureAPI(),
		deprecatedAPI(),
		customResource(set),
		managers(set),
		serverAnswer(set),
		preStopSleep(),
		execSleep(),
		sleepCommand(),
		webhookSideEffects(set),
		crdVersions(),
		crdListType(),
		kubectlDryRun(),
	}
}
