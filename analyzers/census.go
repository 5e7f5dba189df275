package analyzers

import (
	"reflect"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Census counts what the rules had to go by in a package. It reports nothing;
// its result is a *Count.
var Census = &analysis.Analyzer{
	Name:       "kubevetcensus",
	Doc:        "count writes to Kubernetes APIs and what is known of them",
	Requires:   []*analysis.Analyzer{apicall.Analyzer, scope.Analyzer},
	ResultType: reflect.TypeFor[*Count](),
	Run: func(pass *analysis.Pass) (any, error) {
		r := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
		c := &Count{Calls: len(r.Calls), Clients: len(r.Constructions), Unresolved: r.Unresolved, Unknown: map[string]int{}}
		for _, call := range r.Calls {
			for _, s := range []struct {
				name  string
				state apicall.State
			}{
				{"fieldManager", call.FieldManager.State},
				{"force", call.Force.State},
				{"dryRun", call.DryRun.State},
				{"fieldValidation", call.FieldValidation.State},
			} {
				if s.state == apicall.Unknown {
					c.Unknown[s.name]++
				}
			}
		}
		for _, d := range scope.Of(pass).Directives() {
			if d.Used {
				c.Suppressions++
			}
		}
		return c, nil
	},
}

// Count is what a package does with Kubernetes APIs.
type Count struct {
	// Suppressions are the comments that suppressed something, in a driver
	// that runs Census after all rules.
	Suppressions int
	// Calls are the writes that were understood, Clients the places where a
	// client is built.
	Calls, Clients int
	// Unresolved are calls that look like writes and were not understood.
	Unresolved int
	// Unknown counts, by setting, the calls of which it is not known whether
	// they have it. Rules about the setting are silent on these.
	Unknown map[string]int
}
