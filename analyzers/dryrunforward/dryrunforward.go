// Package dryrunforward reports writes that change objects in a dry run. The code around
// such a write can read that the user asked for a dry run.
package dryrunforward

import (
	"fmt"
	"go/types"

	"github.com/kubevet/kubevet/analyzers/internal/apicall"
	"github.com/kubevet/kubevet/analyzers/internal/dryrun"
	"github.com/kubevet/kubevet/analyzers/internal/intact"
	"github.com/kubevet/kubevet/analyzers/internal/scope"
	"github.com/kubevet/kubevet/rules"
	"golang.org/x/tools/go/analysis"
)

// Analyzer implements the rule dryrunforward.
var Analyzer = &analysis.Analyzer{
	Name:             "dryrunforward",
	Doc:              scope.Doc("dryrunforward"),
	URL:              scope.URL("dryrunforward"),
	Requires:         []*analysis.Analyzer{intact.Analyzer, scope.Analyzer, apicall.Analyzer, dryrun.Analyzer},
	Run:              intact.Run(run),
	RunDespiteErrors: true,
}

func run(pass *analysis.Pass) (any, error) {
	if scope.ForTests(pass) {
		return nil, nil
	}
	fixer := dryrun.NewFixer(pass)
	r := pass.ResultOf[dryrun.Analyzer].(*dryrun.Result)
	for _, f := range r.Findings() {
		if f.Client {
			report(pass, fixer, f)
		}
	}
	for _, c := range r.IgnoringCommands() {
		d := analysis.Diagnostic{Message: fmt.Sprintf("a command of %s.%s ignores --%s, a flag of all commands, so a dry run %s; let it look at the flag or refuse it",
			c.Maker.Pkg().Name(), c.Maker.Name(), c.Flag, c.Text)}
		d.Pos, d.End = dryrun.Span(pass.Files, c.Pos)
		d.Related = []analysis.RelatedInformation{{Pos: c.FlagPos, Message: "the flag is added here"}}
		scope.Report(pass, d)
	}
	for _, l := range r.UnconfiguredReconcilers() {
		d := analysis.Diagnostic{Message: fmt.Sprintf("%s gets no %s, unlike %s, so a dry run %s; pass the dry run on, unless it is not for this reconciler",
			l.Name, l.Field, l.Other, l.Text)}
		d.Pos, d.End = dryrun.Span(pass.Files, l.Pos)
		d.Related = []analysis.RelatedInformation{{Pos: l.At, Message: "the other reconciler gets it here"}}
		if l.LeftOut {
			d.Message = fmt.Sprintf("%s gets no %s, unlike %s, so a dry run %s; pass the dry run on", l.Name, l.Field, l.Other, l.Text)
			scope.Report(pass, d)
			continue
		}
		scope.ReportAtMost(pass, rules.Info, d)
	}
	for _, l := range r.RealClients() {
		d := analysis.Diagnostic{Message: fmt.Sprintf("%s gets the real client as its %s, unlike %s, so a dry run %s; pass the client for dry runs, unless the dry run is not for this reconciler",
			l.Name, l.Field, l.Other, l.Text)}
		d.Pos, d.End = dryrun.Span(pass.Files, l.Pos)
		d.Related = []analysis.RelatedInformation{{Pos: l.At, Message: "the other reconciler gets its client here"}}
		scope.ReportAtMost(pass, rules.Info, d)
	}
	for _, b := range r.Siblings() {
		w := b.Write
		d := analysis.Diagnostic{Message: fmt.Sprintf("the call of %s %s, unlike %s, so a dry run %s; pass the dry run on", w.Callee.Name(), w.FalseText(""), b.Other, w.Text)}
		d.Pos, d.End = dryrun.Span(pass.Files, w.Pos)
		d.Related = []analysis.RelatedInformation{{Pos: b.At, Message: "the other method passes its dry run here"}}
		scope.Report(pass, d)
	}
	for _, b := range r.BuiltWriters() {
		reportBuilt(pass, b)
	}
	for _, u := range r.IgnoredSpecs() {
		reportUnheeded(pass, u)
	}
	return nil, nil
}

// reportBuilt reports a value whose methods ignore a dry run. The package of the methods
// does not show whether any program uses them.
func reportBuilt(pass *analysis.Pass, b *dryrun.BuiltWriter) {
	place := b.Place
	switch {
	case b.More == 1:
		place += " and 1 more place"
	case b.More > 1:
		place = fmt.Sprintf("%s and %d more places", place, b.More)
	}
	d := analysis.Diagnostic{Message: fmt.Sprintf("the %s built here ignores %s at %s, so a dry run %s; pass the dry run on, unless a dry run never gets there: nothing that leads to the write looks at %s",
		b.Type, b.Source, place, b.Text, b.Source)}
	d.Pos, d.End = dryrun.Span(pass.Files, b.Pos)
	scope.ReportAtMost(pass, rules.Info, d)
}

// reportUnheeded reports a write of a reconciler that runs even if the reconciled object
// asks for a dry run in its spec.
func reportUnheeded(pass *analysis.Pass, u *dryrun.IgnoredSpec) {
	d := analysis.Diagnostic{Message: fmt.Sprintf("the write ignores Spec.%s of the %s, unlike other writes of this reconciler, so a dry run %s; skip the write, unless the dry run is not for it",
		u.Field.Name(), u.Object, u.Write.Text)}
	d.Pos, d.End = dryrun.Span(pass.Files, u.Write.Pos)
	for _, w := range u.Others {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: w.Pos, Message: "so does this: a dry run " + w.Text})
	}
	scope.ReportAtMost(pass, rules.Info, d)
}

func report(pass *analysis.Pass, fixer *dryrun.Fixer, f *dryrun.Finding) {
	w := f.Write
	d := analysis.Diagnostic{Pos: w.Pos, Related: related(pass, f)}
	if w.Call != nil {
		d.End = w.Call.End()
	}
	switch {
	case !f.AtWrite:
		d.Pos, d.End = dryrun.Span(pass.Files, f.Path[0].Pos())
		d.Message = fmt.Sprintf("%s ignores %s, so a dry run %s; %s", callee(f), f.Source.Name(), w.Text, dryrun.CallText(called(f)))
	case w.RealClient != "":
		d.Message = fmt.Sprintf("%s is the method of the real client, although %s gets another client for %s, so a dry run %s; override the method", w.RealClient, knower(f), f.Source.Name(), w.Text)
	case w.ServerOnly:
		what := "write"
		if w.Call == nil {
			d.Pos, d.End = dryrun.Span(pass.Files, w.Pos)
			what = "call"
		}
		d.Message = fmt.Sprintf("%s is a dry run only if %s asks the server for it, so %s %s; skip the %s for it", subject(w), f.Source.Name(), f.Source.ClientDryRun(), w.Text, what)
		d.SuggestedFixes = fixer.SkipForClient(f)
	case w.FalseParam != "":
		d.Pos, d.End = dryrun.Span(pass.Files, w.Pos)
		d.Message = fmt.Sprintf("the call of %s %s, so a dry run %s; pass the dry run on", w.Callee.Name(), w.FalseText(f.Source.Name()), w.Text)
		d.SuggestedFixes = fixer.PassOn(f)
	case w.IgnoredBy != "":
		d.Pos, d.End = dryrun.Span(pass.Files, w.Pos)
		d.Message = fmt.Sprintf("%s does not look at %s, which %s is given, so a dry run %s", w.IgnoredBy, f.Source.Name(), w.Callee.Name(), w.Text)
	case w.Call == nil:
		d.Pos, d.End = dryrun.Span(pass.Files, w.Pos)
		d.Message = fmt.Sprintf("the call of %s ignores %s, so a dry run %s; %s", w.Callee.Name(), f.Source.Name(), w.Text, dryrun.CallText(w.Callee))
	case len(f.Path) > 0 && f.Source.Kind != dryrun.Global:
		d.Message = fmt.Sprintf("%s does not get %s from %s, so a dry run %s; pass the dry run on, then %s", subject(w), f.Source.Name(), knower(f), w.Text, dryrun.FixText(w.Call))
	default:
		d.Message = fmt.Sprintf("%s ignores %s, so a dry run %s; %s", subject(w), f.Source.Name(), w.Text, dryrun.FixText(w.Call))
		d.SuggestedFixes = fixer.Fix(f)
	}
	if d.SuggestedFixes == nil {
		d.SuggestedFixes = fixer.Skipped(f)
	}
	if f.Unconnected {
		// The code does not show whether the write can run in a dry run, so the
		// finding is an info.
		d.Message += fmt.Sprintf(", unless a dry run never gets here: nothing that leads to it looks at %s", f.Source.Name())
		scope.ReportAtMost(pass, rules.Info, d)
		return
	}
	scope.Report(pass, d)
}

// subject describes a write. The call of another function that writes is described as a call.
func subject(w *dryrun.Write) string {
	if w.Call == nil {
		return "the call of " + w.Callee.Name()
	}
	if w.Call.Family == apicall.Wrapper && w.Call.Method != nil {
		return "the call of " + w.Call.Method.Name()
	}
	return "the write"
}

// callee describes the first call of the path. It names the called function, if that is not
// a function literal.
func callee(f *dryrun.Finding) string {
	if next := f.Next(); next != nil && next.Parent() == nil {
		return "the call of " + next.Name()
	}
	return "the call"
}

// called returns the function that the first call of the path runs. It is nil for a
// function literal.
func called(f *dryrun.Finding) *types.Func {
	if f.Next() == nil {
		return nil
	}
	fn, _ := f.Next().Object().(*types.Func)
	return fn
}

// knower names the declared function that can read the dry run. It returns "a function
// literal" for a literal in a package variable, such as a cobra command.
func knower(f *dryrun.Finding) string {
	fn := f.Informed
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Synthetic != "" {
		return "a function literal"
	}
	return fn.Name()
}

// related returns the place of the flag or request, and the calls that lead to the write.
func related(pass *analysis.Pass, f *dryrun.Finding) []analysis.RelatedInformation {
	var got []analysis.RelatedInformation
	if f.Source.FlagPos.IsValid() {
		got = append(got, analysis.RelatedInformation{Pos: f.Source.FlagPos, Message: f.Source.BoundHere()})
	} else if f.Source.Object.Pos().IsValid() && f.Source.Here() {
		got = append(got, analysis.RelatedInformation{Pos: f.Source.Object.Pos(), Message: "the dry run is requested here"})
	}
	for i, at := range f.Path {
		if at.Pos().IsValid() && (i > 0 || f.AtWrite) {
			got = append(got, analysis.RelatedInformation{Pos: at.Pos(), Message: "this call leads to the write, and no condition guards it"})
		}
	}
	if !f.AtWrite {
		at := f.Write.Pos
		if f.Write.Call == nil {
			at, _ = dryrun.Span(pass.Files, at) // the name of the called function
		}
		got = append(got, analysis.RelatedInformation{Pos: at, Message: "the write"})
	}
	return got
}
