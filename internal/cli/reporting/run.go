// Package reporting runs a verb that reports findings: it opens the outputs,
// applies the baseline, prints the summary and chooses the exit status.
package reporting

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
)

// PagesURL is the address of the directory with the rule pages. A page is <id>.md.
const PagesURL = "https://github.com/kubevet/kubevet/blob/main/rules/"

// Run is one run of a verb that reports findings.
type Run struct {
	*app.App
	*settings.Settings
	Flags *settings.Flags
	// Fixable counts the reported findings that can be fixed.
	Fixable Fixable
	// Remarks are lines to print below the summary.
	Remarks []string
	// Line shows the progress of the run. It shows nothing if standard output is a pipe,
	// because the reader of the pipe may use the same terminal.
	Line *app.StatusLine

	specs           []outputSpec
	color, errColor bool
	outs            outputs
	known           *knownFindings // nil without a baseline
	// read has the files that were checked, by their names in the baseline.
	read map[string]bool
	// baselined counts the findings that the baseline hides, by rule.
	baselined map[string]int
	places    places
	// printed counts the findings in the outputs. notPrinted counts the findings beyond
	// --max-findings.
	printed    int
	notPrinted rules.NotPrinted
	// worst is the highest severity of the reported findings. anyReported is true if
	// there are any.
	worst       rules.Severity
	anyReported bool
	// plutoStatus is the exit status that pluto would have.
	plutoStatus int
}

// New returns a run. It checks the flags for outputs and reads the baseline, but opens
// nothing for writing.
func New(a *app.App, s *settings.Settings, f *settings.Flags) (*Run, error) {
	r := &Run{App: a, Settings: s, Flags: f, read: map[string]bool{}, baselined: map[string]int{}}
	r.Line = app.NewStatusLine(a.Stderr, !f.Quiet && !settings.LikeKubectl(f.Outputs) && a.ShowsStatus() && !app.IsPipe(a.Stdout))
	if f.MaxFindings < 0 {
		return nil, app.Usagef("--max-findings must not be negative; 0 prints all findings")
	}
	var err error
	if r.specs, err = outputSpecs(a, f, settings.OutputFormats(s.Surface)); err != nil {
		return nil, err
	}
	if _, err := NewLinks(a, f.SourceURL, ""); err != nil {
		return nil, err
	}
	if r.Writes(isKubectl) && s.Target.From != s.Target.To {
		return nil, app.Usagef("--output kubectl needs one server: %s has several; give one --target", s.Target)
	}
	if r.color, err = a.Colors(f.Color, a.Stdout); err != nil {
		return nil, err
	}
	if r.errColor, err = a.Colors(f.Color, a.Stderr); err != nil {
		return nil, err
	}
	if r.known, err = openBaseline(a, s, f.WriteBaseline); err != nil {
		return nil, err
	}
	return r, nil
}

// OwnFiles returns the paths of the configuration, the baseline and the outputs. They are
// not inputs.
func (r *Run) OwnFiles() []string {
	files := []string{r.ConfigFile, r.Baseline.Path}
	for _, spec := range r.specs {
		files = append(files, r.Path(spec.file))
	}
	return files
}

// Writes reports whether match returns true for the format of some output.
func (r *Run) Writes(match func(format string) bool) bool {
	return slices.ContainsFunc(r.specs, func(o outputSpec) bool { return match(o.format) })
}

// StdoutFormat returns the format of the report on standard output, or "" if no report
// goes there.
func (r *Run) StdoutFormat() string {
	for _, o := range r.specs {
		if o.file == "" {
			return o.format
		}
	}
	return ""
}

// Redirect replaces standard output by w for this run.
func (r *Run) Redirect(w io.Writer) (err error) {
	a := *r.App
	a.Stdout = w
	r.App = &a
	r.color, err = a.Colors(r.Flags.Color, w)
	return err
}

// Do opens the outputs, calls check, closes the outputs, prints the summary and sets the
// exit status. If check ends early because all readers have closed the outputs, Do
// returns nil.
func (r *Run) Do(check func() (*rules.Summary, error)) error {
	kubectl := settings.LikeKubectl(r.Flags.Outputs)
	if !r.Flags.Quiet && !kubectl {
		r.App.Notes(r.Settings.Notes, r.Flags.Verbose)
	}
	options := r.options()
	var err error
	if r.outs, err = openOutputs(r.App, r.Line, r.specs, options, r.color, r.Flags.SourceURL); err != nil {
		return err
	}
	sum, err := check()
	interrupted := errors.Is(err, app.ErrInterrupted)
	if err != nil && !interrupted && !errors.Is(err, errNoReaders) {
		r.outs.abort()
		return err
	}
	if r.notPrinted.Findings > 0 {
		sum.NotPrinted = &r.notPrinted
	}
	if failed := r.outs.close(sum, !interrupted); failed != nil {
		return failed
	}
	switch {
	case interrupted:
		return app.ErrInterrupted
	case err != nil: // all readers have closed the outputs; a summary of some findings would mislead
	case kubectl:
		r.Status = r.kubectlStatus()
		return nil
	default:
		options.Color, options.Width = r.errColor, app.Width(r.Stderr)
		if err := r.finish(sum, options); err != nil {
			return err
		}
	}
	r.Status = r.status(sum)
	return nil
}

// options returns the options that all reports of the run share.
func (r *Run) options() report.Options {
	o := report.Options{
		Rules:            reportRules(r.Settings),
		ToolVersion:      app.ProgramVersion().Version,
		Category:         r.category(),
		Verbose:          r.Flags.Verbose,
		Errors:           r.Stderr,
		ErrorsColor:      r.errColor,
		WarningsAsErrors: r.Fails && r.FailOn <= rules.Warning,
	}
	if r.Surface == rules.SurfaceManifest {
		o.Target = r.Target.String()
	}
	if !r.Flags.NoSource {
		o.Source = (&sourceLines{dir: r.Dir}).line
	}
	return o
}

// category returns the name of the run in SARIF. It has the target only if the user chose
// the target. With the default target, which changes with kubevet, code scanning would
// never close the findings of the former name.
func (r *Run) category() string {
	if r.Flags.Set("category") {
		return r.Flags.Category
	}
	name := "kubevet/lint"
	if r.Surface == rules.SurfaceGo {
		name = "kubevet/go"
	}
	if r.Flags.Set("target") {
		name += "/" + r.Target.Range.String()
	}
	return name
}

func reportRules(s *settings.Settings) []report.Rule {
	var list []report.Rule
	for _, r := range settings.SurfaceRules(s.Surface) {
		if s.Enabled[r.ID] {
			list = append(list, report.Rule{ID: r.ID, Title: r.Title, Description: r.Page, Severity: s.Severity[r.ID], URL: PagesURL + r.ID + ".md"})
		}
	}
	return list
}

// MarkRead records that a file was checked, so that the baseline finds entries that are
// out of date.
func (r *Run) MarkRead(file string) {
	if r.known != nil {
		r.read[r.known.name(r.Dir, file)] = true
	}
}

// IsKnown reports whether the baseline has a finding, or will have it after this run.
func (r *Run) IsKnown(f rules.Finding) bool { return r.known != nil && r.known.has(f, r.Dir) }

// Report writes a finding to the outputs, unless the baseline has the finding.
func (r *Run) Report(f rules.Finding) error {
	if r.known != nil && r.known.accept(f, r.Dir) {
		r.baselined[f.Rule]++
		return nil
	}
	r.worst, r.anyReported = max(r.worst, f.Severity), true
	r.plutoStatus = max(r.plutoStatus, plutoCode(&f))
	r.Fixable.Count(&f)
	r.places.add(f.File)
	if r.printed == r.Flags.MaxFindings && r.printed > 0 {
		r.notPrinted.Limit = r.printed
		r.notPrinted.Add(&f)
		return nil
	}
	r.printed++
	return r.outs.finding(f)
}

// Discount moves the findings that the baseline hides from sum.Findings to sum.Baselined.
func (r *Run) Discount(sum *rules.Summary) {
	for rule, n := range r.baselined {
		sum.Baselined += n
		if sum.Findings[rule] -= n; sum.Findings[rule] <= 0 {
			delete(sum.Findings, rule)
		}
	}
}

// Appliers returns the open reports in the format kubectl.
func (r *Run) Appliers() []report.Applier {
	var all []report.Applier
	for _, out := range r.outs {
		if a, ok := out.report.(report.Applier); ok {
			all = append(all, a)
		}
	}
	return all
}

func (r *Run) finish(sum *rules.Summary, o report.Options) error {
	if r.known != nil {
		remark, err := r.known.finish(r, sum)
		if err != nil {
			return err
		}
		r.Remarks = append(r.Remarks, remark...)
	}
	if r.Flags.Quiet {
		// Files that could not be read are errors, which are printed even without a
		// summary.
		for _, u := range sum.Unreadable {
			if text, name := quote.Within(u.Error, u.File), quote.Name(u.File); strings.Contains(text, name) {
				r.ComplainLines(text)
			} else {
				r.ComplainLines(name + ": " + text)
			}
		}
		if line := report.UncheckedLine(sum); r.FailOnUnchecked && line != "" {
			r.Complain("%s", line) // this line explains the exit status
		}
		return nil
	}
	if r.Surface == rules.SurfaceManifest {
		r.Remarks = append(r.Remarks, r.places.remarks()...)
	}
	// An error of standard error does not fail the run.
	_ = report.WriteSummary(r.Stderr, sum, o)
	r.PrintRemarks()
	return nil
}

// PrintRemarks prints the remarks to standard error.
func (r *Run) PrintRemarks() {
	for _, remark := range r.Remarks {
		fmt.Fprintln(r.Stderr, quote.Text(remark))
	}
}

// status returns the exit status of the run. For an incomplete run, this is
// StatusIncomplete even if there are findings.
func (r *Run) status(sum *rules.Summary) int {
	switch {
	case r.Pluto && sum.Incomplete():
		return PlutoError
	case r.Pluto:
		return r.plutoStatus
	case sum.Incomplete():
		return app.StatusIncomplete
	case r.Fails && r.anyReported && r.worst >= r.FailOn, r.FailOnUnchecked && sum.Unchecked.Objects > 0:
		return app.StatusFindings
	}
	return app.StatusClean
}

// kubectlStatus returns the exit status of a run whose standard output has the format
// kubectl.
func (r *Run) kubectlStatus() int {
	for _, k := range r.Appliers() {
		if k.Failed() {
			return app.StatusFindings
		}
	}
	return app.StatusClean
}
