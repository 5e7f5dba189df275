package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
)

// Audit returns the checks for the bodies of requests in audit logs. A log
// already contains what the server answered. Only bodies with lifecycle hooks
// are checked against other releases, to report whom an upgrade will break.
func Audit() []manifestlint.Check {
	return []manifestlint.Check{
		removedReferences(),
		auditedHooks(),
		execSleep(),
	}
}

// auditedHooks is preStopSleep for all kinds.
func auditedHooks() manifestlint.Check {
	hooks := preStopSleep()
	others := hooks.Run
	hooks.Run = func(p *manifestlint.Pass) {
		o := p.Object
		if !hasHook(o.Root) {
			return
		}
		for _, c := range overRange(p.Target, func(s apiserver.Server) []apiserver.Cause {
			return validation.LifecycleHooks(s, apiserver.Request{APIVersion: o.APIVersion, Kind: o.Kind, New: o.Root})
		}) {
			p.Report(blame(o.Root, c.Cause), c.finding())
		}
		others(p)
	}
	return hooks
}

// removedReferences is the part of removedAPI that looks into bodies. The API
// that a client requests is reported from the request.
func removedReferences() manifestlint.Check {
	check := removedAPI()
	check.Run, check.Words = references, referenceWords
	return check
}
