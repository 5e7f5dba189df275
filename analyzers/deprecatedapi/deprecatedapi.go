// Package deprecatedapi reports Go code that uses a deprecated version of a
// Kubernetes API. The target, a Kubernetes minor or a range of minors, still
// serves the version.
package deprecatedapi

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apiuse"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule deprecatedapi for Go code. Its flag target sets the
// Kubernetes version that the code is checked for.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	const id = "deprecatedapi"
	var target apiuse.Target
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apiuse.Analyzer},
		RunDespiteErrors: true,
		Run: intact.Run(func(pass *analysis.Pass) (any, error) {
			apiuse.Report(pass, &target, ruleFor)
			return nil, nil
		}),
	}
	a.Flags.Var(&target, "target", apiuse.TargetUsage)
	return a
}

// ruleFor returns the rule for a target. If inferred is true, the target is the minor
// of the program's client-go, and the program may run with later servers. The rule then
// also reports, as info, APIs that a later minor has removed.
func ruleFor(inferred bool) apiuse.Rule {
	j := apiuse.Rule{Minors: deprecatedMinors, Message: message, Whole: whole, Acknowledged: true}
	if inferred {
		j.Minors, j.AtMost = findingMinors, severity
	}
	return j
}

// findingMinors returns the minors that a finding is about: the minors of the target
// that deprecate the API. If there are none and a later minor has removed the API, it
// returns all minors of the target that serve the API.
func findingMinors(api lifecycle.API, t lifecycle.Target) lifecycle.Minors {
	if found := deprecatedMinors(api, t); found != 0 {
		return found
	}
	if api.Servable().Newest() < lifecycle.Newest {
		return api.ServedMinors(t)
	}
	return 0
}

// severity returns the highest severity that a finding may have. It is info if the
// target does not deprecate the API, and otherwise error, which means no limit.
func severity(api lifecycle.API, held lifecycle.Minors) rules.Severity {
	if api.IsDeprecated(held.Newest()) {
		return rules.Error
	}
	return rules.Info
}

// removedLater returns the message for an API that the target has not deprecated and a
// later minor has removed.
func removedLater(name string, api, next lifecycle.API, replacement string, at lifecycle.Minor) string {
	text := fmt.Sprintf("%s is served by %s and was removed in %s", name, at, apiuse.Removed(api))
	if !next.IsZero() {
		text += "; use " + replacement
		if first := next.Servable().Oldest(); first > at {
			text += fmt.Sprintf(", which servers have from %s on", first)
		}
	}
	return text
}

// deprecatedMinors returns the minors of the target that serve the API and have
// deprecated it.
func deprecatedMinors(api lifecycle.API, t lifecycle.Target) lifecycle.Minors {
	var held lifecycle.Minors
	for m := range api.ServedMinors(t).All() {
		if api.IsDeprecated(m) {
			held = held.With(m)
		}
	}
	return held
}

// message returns the warning that the newest of these minors sends. Servers before 1.19
// send no warnings. For them, message returns a similar text.
func message(api, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	m := held.Newest()
	if !api.IsDeprecated(m) {
		return removedLater(api.String(), api, next, next.String(), m)
	}
	text := api.Warning(m)
	if text == "" {
		at := api.LifecycleAt(m)
		text = fmt.Sprintf("%s is deprecated in v%s+", api, at.Deprecated)
		if at.Removed != 0 {
			text += fmt.Sprintf(", unavailable in v%s+", at.Removed)
		}
		if !at.Replacement.IsZero() {
			text += fmt.Sprintf("; use %s", at.Replacement)
		}
	}
	return text + apiuse.Minors(held, t)
}

// whole returns the message for an API version whose kinds are all deprecated.
func whole(last, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	at := last.LifecycleAt(held.Newest())
	if !last.IsDeprecated(held.Newest()) {
		return removedLater(last.GroupVersion(), last, next, next.GroupVersion(), held.Newest())
	}
	text := fmt.Sprintf("%s is deprecated in v%s+", last.GroupVersion(), at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(", unavailable in v%s+", at.Removed)
	}
	if !next.IsZero() {
		text += "; use " + next.GroupVersion()
	}
	return text + apiuse.Minors(held, t)
}
