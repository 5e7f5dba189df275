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
	Doc:              "count writes to Kubernetes APIs and their known settings",
	Requires:         []*analysis.Analyzer{intact.Analyzer, apicall.Analyzer, scope.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Count](),
	Run: intact.Run(func(pass *analysis.Pass) (any, error) {
		r := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
		s := scope.Of(pass)
		c := &Count{Unknown: map[string]int{}, Excluded: Excluded(s.Excluded())}
		if s.ForTests() {
			return c, nil
		}
		c.Unresolved = r.Unresolved
		for _, k := range r.Constructions {
			if !s.Skipped(k.Pos()) {
				c.Clients++
			}
		}
		for _, call := range r.Calls {
			if call.IsReview() || call.Fake || s.Skipped(call.Pos()) {
				continue
			}
			c.Calls++
			for _, setting := range []struct {
				name  string
				state apicall.State
			}{
				{"fieldManager", call.FieldManager.State},
				{"force", call.Force.State},
				{"dryRun", call.DryRun.State},
				{"fieldValidation", call.FieldValidation.State},
			} {
				if setting.state == apicall.Unknown {
					c.Unknown[setting.name]++
				}
			}
		}
		for _, f := range intact.Of(pass).Skipped {
			c.Skipped = append(c.Skipped, Skipped{Name: f.Name, Pos: pass.Fset.PositionFor(f.Pos, false)})
		}
		for _, d := range s.Directives() {
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
	// Excluded is what no rule reports in.
	Excluded Excluded
	// Skipped is the code that could not be type-checked, in order of position.
	Skipped []Skipped
}

// Excluded counts code that no rule reports in. A file counts once; those of a package
// of test code do not count. The option tests includes all but generated files.
type Excluded struct {
	// TestPackage is set if most files of the package import a library for tests.
	TestPackage bool
	// TestFiles are the other files that do, or whose names end in _test.go.
	TestFiles int
	// GeneratedFiles have a comment that says so.
	GeneratedFiles int
	// Fakes are functions that start a server for tests, and methods of types that
	// have one.
	Fakes int
}

// Skipped is a function, or the initial value of a variable, that was not analyzed.
type Skipped struct {
	// Name is how Go code would name it in its package; that of an initial value is
	// "var" and the variable.
	Name string
	Pos  token.Position
}
