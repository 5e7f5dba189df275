package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
)

// Audit returns the checks for the bodies of requests in audit logs. A log
// already contains the server's answer. Only lifecycle hooks are checked against
// other releases, to report the clients that an upgrade breaks.
func Audit() []manifestlint.Check {
	return []manifestlint.Check{
		removedReferences(),
		auditedHooks(),
		execSleep(),
	}
}

// auditedHooks returns preStopSleep for built-in kinds too.
func auditedHooks() manifestlint.Check {
	hooks := preStopSleep()
	customResources := hooks.Run
	hooks.Run = func(p *manifestlint.Pass) {
		o := p.Object
		if !hasHook(o.Root) {
			return
		}
		for _, m := range overTarget(p.Target, func(s apiserver.Server) apiserver.Answer {
			return apiserver.Answer{Causes: validation.LifecycleHooks(s, apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root})}
		}) {
			p.Report(causeSpan(o.Root, *m.cause), m.finding())
		}
		customResources(p)
	}
	return hooks
}

// removedReferences returns the part of removedAPI that checks references in
// bodies. The API of the body itself is reported from the request.
func removedReferences() manifestlint.Check {
	check := removedAPI()
	check.Run, check.Words = references, referenceWords
	return check
}
