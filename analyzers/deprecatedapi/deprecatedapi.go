// Package deprecatedapi reports Go code that uses versions of Kubernetes APIs
// that the target still serves and has deprecated.
package deprecatedapi

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apiuse"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule deprecatedapi for Go code. Its flag target says
// what the code is judged against.
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
			apiuse.Tell(pass, target.Value(), apiuse.Judge{Held: held, Message: message, Whole: whole, Acknowledged: true})
			return nil, nil
		}),
	}
	a.Flags.Var(&target, "target", apiuse.TargetUsage)
	return a
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

// message is the server's text at the newest of these minors, or what it would
// be if servers before 1.19 sent any.
func message(api, _ lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	m := held.Newest()
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

// whole is the same of a version, none of whose kinds is not deprecated.
func whole(last, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	at := last.LifecycleAt(held.Newest())
	text := fmt.Sprintf("%s is deprecated in v%s+", last.GroupVersion(), at.Deprecated)
	if at.Removed != 0 {
		text += fmt.Sprintf(", unavailable in v%s+", at.Removed)
	}
	if !next.IsZero() {
		text += "; use " + next.GroupVersion()
	}
	return text + apiuse.Minors(held, t)
}
