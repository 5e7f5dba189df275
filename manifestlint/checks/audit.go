package checks

import (
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
)

// Audit lists the checks for the bodies of requests in audit logs. A log holds
// what a server has answered, so that what it would answer is not asked again
// of every body, but of those with lifecycle hooks, which tell whom an upgrade
// will break.
func Audit() []manifestlint.Check {
	return []manifestlint.Check{
		removedAPI(),
		auditedHooks(),
		execSleep(),
	}
}

// auditedHooks is preStopSleep for all kinds.
func auditedHooks() manifestlint.Check {
	hooks := preStopSleep()
	others := hooks.Body
	hooks.Body = func(p *manifestlint.Pass) {
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
