// Package dryrunstrategy reports writes that are not dry runs although the user asked for a
// server-side dry run. The code around them checks only for a client-side dry run.
package dryrunstrategy

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule dryrunstrategy.
var Analyzer = &analysis.Analyzer{
	Name:             "dryrunstrategy",
	Doc:              scope.Doc("dryrunstrategy"),
	URL:              scope.URL("dryrunstrategy"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if scope.ForTests(pass) {
		return nil, nil
	}
	fixer := dryrun.NewFixer(pass)
	for _, f := range pass.ResultOf[dryrun.Analyzer].(*dryrun.Result).Findings() {
		if !f.Server || f.Client {
			continue
		}
		d := analysis.Diagnostic{Pos: f.Write.Pos}
		if f.Write.Call != nil {
			d.End = f.Write.Call.End()
		} else {
			d.Pos, d.End = dryrun.Span(pass.Files, f.Write.Pos)
		}
		fixText := dryrun.FixText(f.Write.Call)
		if !f.AtWrite {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: d.Pos, Message: "the write"})
			d.Pos, d.End = dryrun.Span(pass.Files, f.Path[0].Pos())
			fixText = dryrun.FixText(nil)
		} else {
			d.SuggestedFixes = fixer.Fix(f)
		}
		if f.Source.FlagPos.IsValid() {
			d.Related = append(d.Related, analysis.RelatedInformation{Pos: f.Source.FlagPos, Message: f.Source.BoundHere()})
		}
		d.Message = fmt.Sprintf("%s is checked only for a client-side dry run, so %s %s; %s",
			f.Source.Name(), f.Source.ServerDryRun(), f.Write.Text, fixText)
		scope.Report(pass, d)
	}
	return nil, nil
}
