package analyzers

import (
	"go/token"
	"reflect"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Census counts what the rules had to go by in a package. It reports nothing;
// its result is a *Count.
var Census = &analysis.Analyzer{
	Name:             "kubevetcensus",
	Doc:              "count writes to Kubernetes APIs and what is known of them",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer, scope.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Count](),
	Run: intact.Run(func(pass *analysis.Pass) (any, error) {
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
		for _, s := range intact.Of(pass).Skipped {
			c.Skipped = append(c.Skipped, Skipped{Name: s.Name, Pos: pass.Fset.PositionFor(s.Pos, false)})
		}
		for _, d := range scope.Of(pass).Directives() {
			if d.Used {
				c.Suppressions++
			}
		}
		return c, nil
	}),
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
	// Skipped is the code that could not be type-checked, in order of position.
	Skipped []Skipped
}

// Skipped is a function, or the initial value of a variable, that was not analyzed.
type Skipped struct {
	// Name is how Go code would name it in its package; that of an initial value is
	// "var" and the variable.
	Name string
	Pos  token.Position
}
