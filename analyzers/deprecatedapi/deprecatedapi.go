// Package deprecatedapi reports Go code that uses versions of Kubernetes APIs
// that the target still serves and has deprecated.
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
// version that the code is checked for.
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
			apiuse.Tell(pass, &target, ruleFor)
			return nil, nil
		}),
	}
	a.Flags.Var(&target, "target", apiuse.TargetUsage)
	return a
}

// ruleFor describes the rule's findings for a configured target or, if inferred, for the
// minor of the program's client-go. In the latter case the program may meet any later
// server, so APIs that a later minor has removed are reported as well, as info.
func ruleFor(inferred bool) apiuse.Rule {
	j := apiuse.Rule{Held: held, Message: message, Whole: whole, Acknowledged: true}
	if inferred {
		j.Held, j.AtMost = heldOrRemovedLater, severity
	}
	return j
}

// heldOrRemovedLater are the minors that serve the API, if they or later ones have
// deprecated it and a later one has removed it.
func heldOrRemovedLater(api lifecycle.API, t lifecycle.Target) lifecycle.Minors {
	if found := held(api, t); found != 0 {
		return found
	}
	if api.Servable().Newest() < lifecycle.Newest {
		return api.ServedMinors(t)
	}
	return 0
}

// severity is info for APIs that no minor of the target has deprecated.
func severity(api lifecycle.API, held lifecycle.Minors) rules.Severity {
	if api.IsDeprecated(held.Newest()) {
		return rules.Error
	}
	return rules.Info
}

// removedLater says when an API will be removed that the target has not deprecated.
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

// held are the minors that serve the API and have deprecated it.
func held(api lifecycle.API, t lifecycle.Target) lifecycle.Minors {
	var held lifecycle.Minors
	for m := range api.ServedMinors(t).All() {
		if api.IsDeprecated(m) {
			held = held.With(m)
		}
	}
	return held
}

// message is the server's text at the newest of these minors, or the text that servers
// before 1.19 would send if they sent any.
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

// whole is the message for a version all of whose kinds are deprecated.
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
