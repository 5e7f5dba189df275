// Package applylive reports server-side apply of an object that was read from the server.
// Such an object contains managedFields, and the fields of all managers.
package applylive

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/objectflow"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer reports an apply of an object that still has its managedFields. The object was
// read from the API, or returned by an earlier write.
var Analyzer = &analysis.Analyzer{
	Name:             "applylive",
	Doc:              scope.Doc("applylive"),
	URL:              scope.URL("applylive"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, objectflow.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	objects := pass.ResultOf[objectflow.Analyzer].(*objectflow.Result)
	sinks := objects.Applies()
	if len(sinks) == 0 {
		return nil, nil
	}
	answers := objects.Ask(objectflow.Question{
		Reads:   append(objects.Reads(), objects.Writes()...),
		Sinks:   sinks,
		Cleared: true,
	})
	reported := map[ssa.CallInstruction]bool{}
	for _, a := range answers {
		if !reported[a.Sink] {
			reported[a.Sink] = true
			report(pass, objects, a)
		}
	}
	return nil, nil
}

func report(pass *analysis.Pass, objects *objectflow.Result, a objectflow.Answer) {
	calls := pass.ResultOf[apicall.Analyzer].(*apicall.Result)
	origin := "read from the API"
	if calls.CallAt(a.Read.Call) != nil {
		origin = "returned by an earlier write"
	}
	var what string
	d := analysis.Diagnostic{Pos: a.Sink.Pos(), Related: related(a, origin)}
	if c := calls.CallAt(a.Sink); c != nil {
		what = "this apply sends " + objectflow.Text(c.Object)
		d.Pos, d.End = c.Pos(), c.End()
	} else {
		what = objectflow.Callee(a.Sink).Name() + " applies an object"
		if e := objects.Expr(a.Sink); e != nil {
			d.Pos, d.End = e.Pos(), e.Lparen
		}
	}
	where := "by " + a.Read.Call.Parent().Name()
	if from := pass.Fset.PositionFor(a.Read.Call.Pos(), true); from.Filename == pass.Fset.PositionFor(d.Pos, true).Filename {
		where = fmt.Sprintf("in line %d", from.Line)
	}
	d.Message = fmt.Sprintf("%s, %s %s, with its managedFields, which the server refuses; build a fresh object with only the fields you own", what, origin, where)
	scope.Report(pass, d)
}

// related returns the position of the call that returned the object, and the positions
// of the calls that passed it on.
func related(a objectflow.Answer, origin string) []analysis.RelatedInformation {
	all := []analysis.RelatedInformation{{Pos: a.Read.Call.Pos(), Message: "the object is " + origin + " here"}}
	for _, call := range a.Via {
		all = append(all, analysis.RelatedInformation{Pos: call.Pos(), Message: "and goes through this call"})
	}
	return all
}
