// Package removedapi reports Go code that uses a version of a Kubernetes API that the
// target no longer serves.
package removedapi

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apiuse"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule removedapi for Go code. Its flag target sets the Kubernetes
// version that the code is checked for.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	const id = "removedapi"
	var target apiuse.Target
	a := &analysis.Analyzer{
		Name:             id,
		Doc:              scope.Doc(id),
		URL:              scope.URL(id),
		Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apiuse.Analyzer},
		RunDespiteErrors: true,
		Run: intact.Run(func(pass *analysis.Pass) (any, error) {
			rule := apiuse.Rule{Minors: lifecycle.API.RemovedMinors, Message: message, Whole: whole, Markers: true, Registrations: true}
			apiuse.Report(pass, &target, func(bool) apiuse.Rule { return rule })
			return nil, nil
		}),
	}
	a.Flags.Var(&target, "target", apiuse.TargetUsage)
	return a
}

// message returns a text that says when the API was removed, and which API replaces it.
func message(api, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	text := fmt.Sprintf("%s was removed in %s", api, apiuse.Removed(api))
	if !next.IsZero() {
		text += fmt.Sprintf("; use %s", next)
	}
	return text + apiuse.Minors(held, t)
}

// whole returns the message for an API version whose kinds are all removed.
func whole(last, next lifecycle.API, held lifecycle.Minors, t lifecycle.Target) string {
	text := fmt.Sprintf("%s was removed in %s", last.GroupVersion(), apiuse.Removed(last))
	if !next.IsZero() {
		text += "; use " + next.GroupVersion()
	}
	return text + apiuse.Minors(held, t)
}
