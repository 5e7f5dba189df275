// Package dryrun reports writes that cannot run as a dry run. It is for projects that want
// a way to ask for a dry run on every write.
package dryrun

import (
	"fmt"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule dryrun.
var Analyzer = &analysis.Analyzer{
	Name:             "dryrun",
	Doc:              scope.Doc("dryrun"),
	URL:              scope.URL("dryrun"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if scope.ForTests(pass) {
		return nil, nil
	}
	if intact.Of(pass).Says("dryrun") {
		return nil, nil // the code that does not compile may have a flag or a client for dry runs
	}
	dry := pass.ResultOf[dryrun.Analyzer].(*dryrun.Result)
	for _, c := range pass.ResultOf[apicall.Analyzer].(*apicall.Result).Calls {
		if !dryrun.RealWrite(c) || !c.HasOptions && c.Family != apicall.CreateOr {
			continue
		}
		// A write that code reaches only in a dry run, or only outside one, needs no
		// option.
		if dry.Reach(c.Instr, dryrun.Server) != dryrun.Reached || dry.Entry(c.Func, dryrun.Server) == dryrun.Guarded || dry.ClientChosen(c.Instr) || c.Func != nil && dry.Hidden(c.Func) {
			continue
		}
		scope.Report(pass, analysis.Diagnostic{
			Pos: c.Pos(), End: c.End(),
			Message: fmt.Sprintf("this call %s and cannot run as a dry run; %s", dryrun.Describe(c), fixText(c)),
		})
	}
	return nil, nil
}

func fixText(c *apicall.Call) string {
	switch c.Family {
	case apicall.Runtime, apicall.RuntimeSubresource:
		return "take options from the caller, or pass client.DryRunAll for a dry run"
	case apicall.CreateOr:
		return "use client.NewDryRunClient for a dry run"
	case apicall.Helper:
		return "call DryRun on the helper"
	}
	return "take DryRun of its options from the caller"
}
