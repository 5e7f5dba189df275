// Package reporting runs a verb that reports findings: it opens the outputs,
// applies the baseline, prints the summary and chooses the exit status.
package reporting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/rules"
)

// PagesURL is where the page of a rule, <id>.md, is read on the web.
const PagesURL = "https://github.com/kubevet/kubevet/blob/main/rules/"

// New makes a run of what does not depend on what is judged. It opens
// nothing for writing.
func New(a *app.App, s *settings.Settings, f *settings.Flags) (*Run, error) {
	r := &Run{App: a, Settings: s, Flags: f, Judged: map[string]bool{}, Baselined: map[string]int{}}
	var err error
	if r.Specs, err = outputSpecs(a, f, settings.OutputFormats(s.Surface)); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.Specs, func(o OutputSpec) bool { return o.Format == settings.FormatKubectl }) && s.Target.From != s.Target.To {
		return nil, app.Usagef("--output kubectl is the answer of one server: %s has several; give one --target", s.Target)
	}
	if r.Color, err = a.Colors(f.Color, a.Stdout); err != nil {
		return nil, err
	}
	if r.errColor, err = a.Colors(f.Color, a.Stderr); err != nil {
		return nil, err
	}
	if r.Known, err = openBaseline(a, s, f.WriteBaseline); err != nil {
		return nil, err
	}
	return r, nil
}

// Do judges with the outputs open, closes them, and sums up.
func (r *Run) Do(judge func() (*rules.Summary, error)) error {
	options := report.Options{
		Rules:       reportRules(r.Settings),
		ToolVersion: app.ProgramVersion().Version,
		Verbose:     r.Flags.Verbose,
	}
	if r.Surface == rules.SurfaceManifest {
		options.Target = r.Target.String()
	}
	if !r.Flags.NoSource {
		options.Source = (&SourceLines{Dir: r.Dir}).Line
	}
	if !r.Flags.Quiet && !settings.LikeKubectl(r.Flags.Outputs) {
		r.App.Notes(r.Settings.Notes, r.Flags.Verbose)
	}
	options.Errors, options.ErrorsColor = r.Stderr, r.errColor
	options.WarningsAsErrors = r.Fails && r.FailOn <= rules.Warning
	var err error
	if r.Outs, err = openOutputs(r.App, r.Specs, options, r.Color); err != nil {
		return err
	}
	sum, err := judge()
	interrupted := errors.Is(err, app.ErrInterrupted)
	if err != nil && !interrupted && !errors.Is(err, errNobodyReads) {
		r.Outs.abort()
		return err
	}
	if failed := r.Outs.close(sum, !interrupted); failed != nil {
		return failed
	}
	switch {
	case interrupted:
		return app.ErrInterrupted
	case err != nil: // nobody reads: a summary of half a run would mislead
		r.App.Status = r.status(sum)
		return nil
	}
	if settings.LikeKubectl(r.Flags.Outputs) {
		r.App.Status = app.StatusClean
		for _, k := range r.Outs.Appliers() {
			if k.Failed() {
				r.App.Status = app.StatusFindings
			}
		}
		return nil
	}
	options.Color, options.Width = r.errColor, app.Width(r.Stderr)
	if err := r.finish(sum, options); err != nil {
		return err
	}
	r.App.Status = r.status(sum)
	return nil
}

// reportRules is the catalogue as reports want it, with the severities of this
// run: the rules that run.
func reportRules(s *settings.Settings) []report.Rule {
	var list []report.Rule
	for _, r := range settings.SurfaceRules(s.Surface) {
		if s.Enabled[r.ID] {
			list = append(list, report.Rule{ID: r.ID, Title: r.Title, Description: r.Page, Severity: s.Severity[r.ID], URL: PagesURL + r.ID + ".md"})
		}
	}
	return list
}

// Run is one run of a verb that reports findings.
type Run struct {
	*app.App
	*settings.Settings
	Flags           *settings.Flags
	Specs           []OutputSpec
	Color, errColor bool
	Outs            *Outputs
	Known           *knownFindings
	// given are the objects of --crd, stored those of --old.
	Given  []objectcontext.Object
	Stored *objectcontext.Stored
	// judged are the files that were given to the linter, as the baseline
	// names them.
	Judged map[string]bool
	// worst is the gravest severity reported; some is set once any was.
	worst rules.Severity
	// plutoStatus is the status that pluto would exit with.
	plutoStatus int
	some        bool
	// baselined counts findings that the baseline hid, by rule.
	Baselined map[string]int
	// mendable counts the reported findings by how they can be mended.
	Fixable Fixable
	// teller, if not nil, is told of findings instead of the outputs.
	Teller func(rules.Finding) error
	// fixEdits asks for the edits of fixes, whatever the format.
	FixEdits bool
	// remarks are for the end of the summary.
	Remarks []string
}

// Tell reports a finding, unless the baseline has it.
func (r *Run) Tell(f rules.Finding) error {
	if r.Teller != nil {
		return r.Teller(f)
	}
	if r.Known != nil && r.Known.hide(f, r.Dir) {
		r.Baselined[f.Rule]++
		return nil
	}
	r.worst, r.some = max(r.worst, f.Severity), true
	r.plutoStatus = max(r.plutoStatus, plutoCode(&f))
	r.Fixable.Count(&f)
	return r.Outs.finding(f)
}

// Discount takes the findings that the baseline hid out of the summary's.
func (r *Run) Discount(sum *rules.Summary) {
	for rule, n := range r.Baselined {
		sum.Baselined += n
		if sum.Findings[rule] -= n; sum.Findings[rule] <= 0 {
			delete(sum.Findings, rule)
		}
	}
}

// Writes reports whether an output has a format of some sort.
func (r *Run) Writes(sort func(format string) bool) bool {
	return slices.ContainsFunc(r.Specs, func(o OutputSpec) bool { return sort(o.Format) })
}

// finish writes the baseline and tells the user how it went.
func (r *Run) finish(sum *rules.Summary, o report.Options) error {
	if r.Known != nil {
		remark, err := r.Known.finish(r, sum)
		if err != nil {
			return err
		}
		r.Remarks = append(r.Remarks, remark...)
	}
	if r.Flags.Quiet {
		// What could not be read is no summary.
		for _, u := range sum.Unreadable {
			if strings.Contains(u.Error, u.File) {
				r.Complain("%s", u.Error)
			} else {
				r.Complain("%s: %s", u.File, u.Error)
			}
		}
		return nil
	}
	// A standard error that cannot be written to is no reason to fail.
	_ = report.WriteSummary(r.Stderr, sum, o)
	for _, remark := range r.Remarks {
		fmt.Fprintln(r.Stderr, report.Sanitize(remark))
	}
	return nil
}

// status is the exit status: what was not read outweighs what was found.
func (r *Run) status(sum *rules.Summary) int {
	switch {
	case r.App.Pluto && sum.Incomplete():
		return PlutoError
	case r.App.Pluto:
		return r.plutoStatus
	case sum.Incomplete():
		return app.StatusIncomplete
	case r.Fails && r.some && r.worst >= r.FailOn:
		return app.StatusFindings
	}
	return app.StatusClean
}
