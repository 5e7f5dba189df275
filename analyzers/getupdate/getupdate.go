// Package getupdate implements the rule getupdate. It reports an object that is read,
// changed and written back, if no code retries a conflict.
package getupdate

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports an update of an object that was read before. It does not report
// updates in reconcilers, because a work queue runs them again, and updates in
// functions that other code retries.
var Analyzer = &analysis.Analyzer{
	Name:             "getupdate",
	Doc:              scope.Doc("getupdate"),
	URL:              scope.URL("getupdate"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, objectflow.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if isExempt(pass.Pkg) {
		return nil, nil
	}
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
	sinks := map[ssa.CallInstruction]ssa.Value{}
	updates := map[ssa.CallInstruction]*apicall.Call{}
	var loops *reconcilers
	for _, c := range calls.Calls {
		if c.Verb != apicall.VerbUpdate || c.Func == nil || c.Fake {
			continue
		}
		object := objectflow.Object(c)
		if object == nil || objects.CallsNamed(c.Func, "onflict") || isRetried(objects, c.Func) {
			continue
		}
		if loops == nil {
			loops = newReconcilers(pass, objects)
		}
		if objects.SelfOrCaller(c.Func, loops.has) || objects.Hidden(c.Func) {
			continue
		}
		sinks[c.Instr], updates[c.Instr] = object, c
	}
	if len(sinks) == 0 {
		return nil, nil
	}
	var reads []objectflow.Read
	for _, r := range objects.Reads() {
		if r.Kind != objectflow.List {
			reads = append(reads, r)
		}
	}
	reported := map[*apicall.Call]bool{}
	for _, a := range objects.Ask(objectflow.Question{Reads: reads, Sinks: sinks}) {
		c := updates[a.Sink]
		if reported[c] {
			continue
		}
		reported[c] = true
		scope.Report(pass, analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: fmt.Sprintf("%s is read%s and written back whole, so the update fails with a conflict if the object changes in between, and no code retries it; use retry.RetryOnConflict or a patch",
				objectflow.Text(c.Object), readPlace(pass, a, c)),
			Related: []analysis.RelatedInformation{{Pos: a.Read.Call.Pos(), Message: "the read"}},
		})
	}
	return nil, nil
}

// isExempt reports whether the rule skips a package, because it imports a test library,
// or because its import path says that it is a controller. The work queue of a
// controller tries again.
func isExempt(pkg *types.Package) bool {
	for part := range strings.SplitSeq(apicall.ImportPath(pkg), "/") {
		switch strings.TrimSuffix(part, "s") {
		case "controller", "reconciler":
			return true
		}
	}
	for _, imported := range pkg.Imports() {
		switch path := apicall.ImportPath(imported); {
		case path == "testing", strings.HasPrefix(path, "github.com/onsi/"), strings.HasPrefix(path, "github.com/stretchr/testify"):
			return true
		}
	}
	return false
}

// readPlace returns the part of the message that says where the object is read.
func readPlace(pass *analysis.Pass, a objectflow.Answer, c *apicall.Call) string {
	from := pass.Fset.PositionFor(a.Read.Call.Pos(), true)
	if from.Filename != pass.Fset.PositionFor(c.Pos(), true).Filename {
		return " by " + a.Read.Call.Parent().Name()
	}
	return fmt.Sprintf(" in line %d", from.Line)
}

// isRetried reports whether other code runs a function again. Such a function is, or is
// inside, a literal that is an argument of retry.OnError, wait.Poll or a similar
// function. A literal that a function returns counts too, because a caller may pass it
// to retry.OnError.
func isRetried(objects *objectflow.Result, fn *ssa.Function) bool {
	return objects.SelfOrCaller(fn, func(f *ssa.Function) bool {
		if f.Parent() == nil {
			return false
		}
		for _, b := range f.Parent().Blocks {
			for _, instr := range b.Instrs {
				if r, ok := instr.(*ssa.Return); ok && slices.ContainsFunc(r.Results, func(v ssa.Value) bool { return isLiteral(v, f) }) {
					return true
				}
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				callee := objectflow.Callee(call)
				if callee == nil || !retriesArgument(callee) {
					continue
				}
				for _, arg := range call.Common().Args {
					if isLiteral(arg, f) {
						return true
					}
				}
			}
		}
		return false
	})
}

// isLiteral reports whether a value is the function literal fn.
func isLiteral(v ssa.Value, fn *ssa.Function) bool {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.MakeClosure:
			return x.Fn == fn
		case *ssa.Function:
			return x == fn
		default:
			return false
		}
	}
}

// retriesArgument reports whether a function runs its argument until the argument
// succeeds.
func retriesArgument(fn *types.Func) bool {
	switch apicall.ImportPath(fn.Pkg()) {
	case "k8s.io/client-go/util/retry", "k8s.io/apimachinery/pkg/util/wait":
		return true
	}
	lower := strings.ToLower(fn.Name())
	for _, word := range []string{"retry", "backoff", "poll", "eventually", "until"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}
