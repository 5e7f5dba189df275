package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
)

// Audit returns the checks for the bodies of requests in audit logs. A log
// contains the server's answers, so most checks are not needed. Lifecycle hooks
// are checked for other releases, to report clients that an upgrade breaks.
func Audit() []manifestlint.Check {
	return []manifestlint.Check{
		removedReferences(),
		auditedHooks(),
		execSleep(),
	}
}

// auditedHooks returns the check preStopSleep, extended to built-in kinds.
func auditedHooks() manifestlint.Check {
	hooks := preStopSleep()
	customResources := hooks.Run
	hooks.Run = func(p *manifestlint.Pass) {
		o := p.Object
		if !hasHook(o.Root) {
			return
		}
		for _, m := range mergeAnswers(p.Target, func(s apiserver.Server) apiserver.Answer {
			return apiserver.Answer{Causes: validation.LifecycleHooks(s, apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root})}
		}) {
			p.Report(causeSpan(o.Root, *m.cause), m.finding())
		}
		customResources(p)
	}
	return hooks
}

// removedReferences returns the part of removedAPI that checks references to
// other objects. It leaves out the object's own version, because the audit
// event contains it.
func removedReferences() manifestlint.Check {
	check := removedAPI()
	check.Run, check.Words = checkReferences, referenceWords
	return check
}
