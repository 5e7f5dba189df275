package checks

import (
	"net/http"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/podspec"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/validation"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

const rulePreStopSleep = "prestopsleep"

// preStopSleep reports invalid lifecycle hooks in custom resources that look
// like workloads. The message is the error that a server sends for a built-in
// workload. serverAnswer reports the hooks of built-in workloads.
func preStopSleep() manifestlint.Check {
	return manifestlint.Check{
		Rule:  rulePreStopSleep,
		Words: func(lifecycle.Target) [][]string { return [][]string{hookFields[:]} },
		Run: func(p *manifestlint.Pass) {
			o := p.Object
			if !mayHavePods(o) || !hasHook(o.Root) {
				return
			}
			for _, spec := range podspec.Of(o.APIVersion, o.Kind, o.Root) {
				if spec.BuiltIn {
					continue
				}
				// The custom resource's schema is unknown, so this may not be a pod
				// template.
				for _, m := range mergeAnswers(p.Target, func(s apiserver.Server) apiserver.Answer {
					return apiserver.Answer{Causes: validation.TemplateLifecycleHooks(s, spec.Path, spec.Value)}
				}) {
					f := m.finding()
					f.Server = nil // no server sends this error for a custom resource
					f.Message = m.Field + ": " + m.Text
					p.ReportAs(rules.Preview, causeSpan(o.Root, *m.cause), f)
				}
			}
		},
	}
}

// mayHavePods reports whether an object is a workload or has an unknown kind.
func mayHavePods(o *manifestlint.Object) bool {
	if !o.Known {
		return true
	}
	_, ok := apiserver.PodSpecPath(o.APIVersion, o.Kind)
	return ok
}

// hookFields are the names of the fields around a hook. Each hook is in at
// least one of these fields.
var hookFields = [...]string{"lifecycle", "preStop", "postStart"}

// hasHook reports whether a value contains a hook at any depth.
func hasHook(v *wire.Value) bool {
	for i := range v.Fields {
		f := &v.Fields[i]
		for _, name := range hookFields {
			if f.Name == name {
				return true
			}
		}
		if hasHook(f.Value) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items, hasHook)
}

// isHookError reports whether an error is about a lifecycle hook or about the
// grace period.
func isHookError(c *apiserver.Cause) bool {
	return c.LifecycleHook || c.Code == http.StatusBadRequest &&
		(strings.Contains(c.Text, ".lifecycle.") || strings.Contains(c.Text, ".terminationGracePeriodSeconds"))
}
