package analyzers

import (
	"go/token"
	"reflect"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Census counts the writes, clients and suppressions in a package, and the code that the
// rules could not check. It reports no findings. Its result is a *Count.
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
		for _, u := range r.Unresolved {
			if !s.Skipped(u.Pos) {
				c.Unresolved = append(c.Unresolved, Unresolved{Name: u.Name, Pos: pass.Fset.PositionFor(u.Pos, false)})
			}
		}
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

// Count says how much of a package the rules could check.
type Count struct {
	// Suppressions is the number of comments //kubevet:ignore that suppressed a finding. It
	// is complete only if the driver runs Census after all rules.
	Suppressions int
	// Calls is the number of writes to Kubernetes APIs. Clients is the number of places
	// that build a client.
	Calls, Clients int
	// Unresolved has the calls that look like writes but could not be understood, in order
	// of position.
	Unresolved []Unresolved
	// Unknown has, for each setting, the number of writes for which it is not known
	// whether they have the setting. Its keys are fieldManager, force, dryRun and
	// fieldValidation. Rules about a setting ignore these writes.
	Unknown map[string]int
	// Excluded counts the code in which no rule reports findings.
	Excluded Excluded
	// Skipped has the code that could not be type-checked, in order of position.
	Skipped []Skipped
}

// Excluded counts code in which no rule reports findings. Each file counts once, and the
// files of a TestPackage do not count. With the option tests, only generated files are
// excluded.
type Excluded struct {
	// TestPackage is set if more than half of the package's files import a library for
	// tests. Files whose names end in _test.go do not count.
	TestPackage bool
	// TestFiles is the number of files that import a library for tests, or whose names end
	// in _test.go. It is 0 for a TestPackage.
	TestFiles int
	// GeneratedFiles is the number of files with a header "Code generated … DO NOT EDIT.",
	// or with a name that begins with zz_generated.
	GeneratedFiles int
	// Fakes is the number of functions that start a test server, plus the number of
	// methods of test doubles. A type is a test double in one of these cases:
	//   - It has a test server, its client or the state of a test.
	//   - At least two of its methods only panic.
	Fakes int
}

// Unresolved is a call that looks like a write but could not be understood.
type Unresolved struct {
	// Name is the name of the called function, such as "(client.Writer).Update".
	Name string
	Pos  token.Position
}

// Skipped is a function, or the initial value of a variable, that could not be type-checked
// and was not analyzed.
type Skipped struct {
	// Name is the function's name as other code of the package writes it. For the initial
	// value of the variable v, it is "var v".
	Name string
	Pos  token.Position
}
