package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// pagesURL is where the page of a rule, <id>.md, is read on the web.
const pagesURL = "https://github.com/kubevet/kubevet/blob/main/rules/"

// lint is the verb: it settles everything that can be a mistake of the user's,
// then judges, reports and sums up.
func (a *app) lint(ctx context.Context, f *lintFlags, args []string) error {
	a.pluto = f.plutoExitCodes
	s, err := a.settings(f)
	if err != nil {
		return err
	}
	mends, err := f.mends()
	if err != nil {
		return err
	}
	live, err := a.connect(ctx, f, s)
	if err != nil {
		return err
	}
	r, err := a.prepare(s, &f.commonFlags)
	if err != nil {
		return err
	}
	if len(args) == 0 && live == nil {
		args = []string{"."}
		if isPipe(a.Stdin) {
			s.notes = append(s.notes, "no path given: linting the working directory; to lint standard input, name it with -")
		}
	}
	own := []string{s.configFile, s.baseline}
	for _, spec := range r.specs {
		own = append(own, a.path(spec.file))
	}
	in, err := r.gather(ctx, args, s, own, live)
	if err != nil {
		return err
	}
	defer in.close()
	if s.old != "" {
		if r.stored, err = a.storeOld(ctx, args, in.rendered.Files, s); err != nil {
			return err
		}
	}
	if mends {
		return a.mend(ctx, f, r, in, args)
	}
	return r.do(func() (*rules.Summary, error) {
		sum, err := r.judge(ctx, in)
		r.suggest()
		return sum, err
	})
}

// prepare makes a run of what does not depend on what is judged. It opens
// nothing for writing.
func (a *app) prepare(s *settings, f *commonFlags) (*run, error) {
	r := &run{app: a, settings: s, flags: f, judged: map[string]bool{}, baselined: map[string]int{}}
	var err error
	if r.specs, err = a.outputSpecs(f, outputFormats(s.surface)); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.specs, func(o outputSpec) bool { return o.format == formatKubectl }) && s.target.From != s.target.To {
		return nil, usagef("--output kubectl is the answer of one server: %s has several; give one --target", s.target)
	}
	if r.color, err = a.colors(f.color, a.Stdout); err != nil {
		return nil, err
	}
	if r.errColor, err = a.colors(f.color, a.Stderr); err != nil {
		return nil, err
	}
	if r.known, err = a.openBaseline(s, f.writeBaseline); err != nil {
		return nil, err
	}
	return r, nil
}

// gather makes the inputs of a run: what the arguments mean and a cluster has,
// the definitions that are given besides, and what is rendered of all that. own
// are files that are never judged. The caller closes the inputs.
func (r *run) gather(ctx context.Context, args []string, s *settings, own []string, live *cluster.Connection) (*inputs, error) {
	in, err := r.expand(ctx, args, s, own)
	if err != nil {
		return nil, err
	}
	s.notes = append(s.notes, in.notes...)
	if live != nil {
		if in.live, err = live.Scan(ctx, s.target); err != nil {
			in.close()
			return nil, err
		}
		s.enable(in.live.Enabled)
	}
	if r.given, err = r.gatherCRDs(ctx, s); err != nil {
		in.close()
		return nil, err
	}
	in.given = r.given
	r.render(ctx, in, s, r.dir, "")
	s.notes = append(s.notes, in.rendered.Notes...)
	return in, nil
}

// do judges with the outputs open, closes them, and sums up.
func (r *run) do(judge func() (*rules.Summary, error)) error {
	options := report.Options{
		Rules:       reportRules(r.settings),
		ToolVersion: programVersion().Version,
		Verbose:     r.flags.verbose,
	}
	if r.surface == rules.SurfaceManifest {
		options.Target = r.target.String()
	}
	if !r.flags.noSource {
		options.Source = (&sourceLines{dir: r.dir}).line
	}
	if !r.flags.quiet && !likeKubectl(r.flags.outputs) {
		r.app.notes(r.settings.notes, r.flags.verbose)
	}
	options.Errors, options.ErrorsColor = r.Stderr, r.errColor
	options.WarningsAsErrors = r.fails && r.failOn <= rules.Warning
	var err error
	if r.outs, err = r.openOutputs(r.specs, options, r.color); err != nil {
		return err
	}
	sum, err := judge()
	interrupted := errors.Is(err, errInterrupted)
	if err != nil && !interrupted && !errors.Is(err, errNobodyReads) {
		r.outs.abort()
		return err
	}
	if failed := r.outs.close(sum, !interrupted); failed != nil {
		return failed
	}
	switch {
	case interrupted:
		return errInterrupted
	case err != nil: // nobody reads: a summary of half a run would mislead
		r.app.status = r.status(sum)
		return nil
	}
	if likeKubectl(r.flags.outputs) {
		r.app.status = StatusClean
		for _, k := range r.outs.appliers() {
			if k.Failed() {
				r.app.status = StatusFindings
			}
		}
		return nil
	}
	options.Color, options.Width = r.errColor, width(r.Stderr)
	if err := r.finish(sum, options); err != nil {
		return err
	}
	r.app.status = r.status(sum)
	return nil
}

// notes shows the user what is no finding and no error. A tree with many links
// is not worth as many lines.
func (a *app) notes(notes []string, all bool) {
	const shown = 5
	for i, note := range notes {
		if !all && i == shown && len(notes) > shown+1 {
			a.complain("note: and %d more; -v shows them", len(notes)-shown)
			return
		}
		a.complain("note: %s", note)
	}
}

// reportRules is the catalogue as reports want it, with the severities of this
// run: the rules that run.
func reportRules(s *settings) []report.Rule {
	var list []report.Rule
	for _, r := range surfaceRules(s.surface) {
		if s.enabled[r.ID] {
			list = append(list, report.Rule{ID: r.ID, Title: r.Title, Description: r.Page, Severity: s.severity[r.ID], URL: pagesURL + r.ID + ".md"})
		}
	}
	return list
}

// run is one run of a verb that reports findings.
type run struct {
	*app
	*settings
	flags           *commonFlags
	specs           []outputSpec
	color, errColor bool
	outs            *outputs
	known           *knownFindings
	// given are the objects of --crd, stored those of --old.
	given  []manifestlint.Given
	stored *manifestlint.Stored
	// judged are the files that were given to the linter, as the baseline
	// names them.
	judged map[string]bool
	// worst is the gravest severity reported; some is set once any was.
	worst rules.Severity
	// plutoStatus is the status that pluto would exit with.
	plutoStatus int
	some        bool
	// baselined counts findings that the baseline hid, by rule.
	baselined map[string]int
	// mendable counts the reported findings by how they can be mended.
	mendable mendable
	// teller, if not nil, is told of findings instead of the outputs.
	teller func(rules.Finding) error
	// fixEdits asks for the edits of fixes, whatever the format.
	fixEdits bool
	// remarks are for the end of the summary.
	remarks []string
}

// tell reports a finding, unless the baseline has it.
func (r *run) tell(f rules.Finding) error {
	if r.teller != nil {
		return r.teller(f)
	}
	if r.known != nil && r.known.hide(f, r.dir) {
		r.baselined[f.Rule]++
		return nil
	}
	r.worst, r.some = max(r.worst, f.Severity), true
	r.plutoStatus = max(r.plutoStatus, plutoCode(&f))
	r.mendable.count(&f)
	return r.outs.finding(f)
}

// discount takes the findings that the baseline hid out of the summary's.
func (r *run) discount(sum *rules.Summary) {
	for rule, n := range r.baselined {
		sum.Baselined += n
		if sum.Findings[rule] -= n; sum.Findings[rule] <= 0 {
			delete(sum.Findings, rule)
		}
	}
}

// judge runs the linter and reports what it finds.
func (r *run) judge(ctx context.Context, in *inputs) (*rules.Summary, error) {
	enabled := func(rule string) bool { return r.enabled[rule] }
	kinds := checks.NeededKinds(enabled)
	if len(r.outs.appliers()) > 0 { // they tell the whole answer
		kinds = checks.GatheredKinds()
	}
	set := checks.NewSet(nil)
	options := manifestlint.Options{
		Target:         r.target,
		Checks:         r.checks(set),
		Enabled:        enabled,
		Severity:       r.severity,
		Embedded:       r.embedded,
		ReleaseHistory: r.releaseHistory,
		NoScripts:      !r.scripts,
		Kubectl:        r.kubectl,
		RequireReason:  r.requireReason,
		MaxDocument:    int(r.maxDocument),
		NewReader:      in.newReader,
		Validation:     r.validation,
		Old:            r.old(),
		FixEdits:       r.fixEdits || r.writes(carriesFixes),
	}
	// The summary counts the fixes.
	options.Fixes = options.FixEdits || !r.flags.quiet || r.teller != nil || r.writes(showsFixes)
	if appliers := r.outs.appliers(); len(appliers) > 0 {
		apply := &kubectlApply{run: r, set: set, reports: appliers}
		if options.Each, options.Bodies = apply.each, true; apply.missing(in) {
			options.Each = nil
		}
	}
	linter := manifestlint.New(options)
	if r.known != nil {
		for _, i := range in.list {
			r.judged[r.known.name(r.dir, i.Name)] = true
		}
	}
	held := &folded{}
	sum, err := linter.RunTogether(ctx, in.seq(), manifestlint.TogetherOptions{
		Kinds:  kinds,
		Fill:   func(given []manifestlint.Given) { set.Fill(slices.Concat(r.given, given)) },
		Memory: in.memory,
		Left: func(n int) {
			r.remarks = append(r.remarks, fmt.Sprintf("note: %d custom resource definitions, namespaces or webhook configurations are too many to remember: other objects are not judged by them", n))
		},
	}, func(f rules.Finding) error {
		if held.add(f) {
			return nil
		}
		return r.tell(f)
	})
	if err == nil && in.rendered != nil && len(in.rendered.Sketches) > 0 && options.Each == nil {
		err = r.tellSketches(ctx, linter, in, held, sum)
	}
	if err == nil {
		err = r.tellRendered(in, held, sum)
	}
	if err == nil {
		err = r.tellLive(in.live, sum)
	}
	r.discount(sum)
	for _, p := range in.unreadable {
		sum.Fail(p.Name, errors.New(p.Text))
	}
	return sum, err
}

// writes reports whether an output has a format of some sort.
func (r *run) writes(sort func(format string) bool) bool {
	return slices.ContainsFunc(r.specs, func(o outputSpec) bool { return sort(o.format) })
}

// checks are those of the catalogue and the user's own list.
func (r *run) checks(set *checks.Set) []manifestlint.Check {
	all := checks.All(set)
	if r.additional != nil {
		all = append(all, checks.Additional(r.additional))
	}
	return all
}

// old finds the stored objects; nil if all objects are new.
func (r *run) old() func(string, *manifestlint.Object) *wire.Value {
	if r.stored == nil {
		return nil
	}
	return r.stored.Of
}

// finish writes the baseline and tells the user how it went.
func (r *run) finish(sum *rules.Summary, o report.Options) error {
	if r.known != nil {
		remark, err := r.known.finish(r, sum)
		if err != nil {
			return err
		}
		r.remarks = append(r.remarks, remark...)
	}
	if r.flags.quiet {
		// What could not be read is no summary.
		for _, u := range sum.Unreadable {
			if strings.Contains(u.Error, u.File) {
				r.complain("%s", u.Error)
			} else {
				r.complain("%s: %s", u.File, u.Error)
			}
		}
		return nil
	}
	// A standard error that cannot be written to is no reason to fail.
	_ = report.WriteSummary(r.Stderr, sum, o)
	for _, remark := range r.remarks {
		fmt.Fprintln(r.Stderr, report.Sanitize(remark))
	}
	return nil
}

// status is the exit status: what was not read outweighs what was found.
func (r *run) status(sum *rules.Summary) int {
	switch {
	case r.app.pluto && sum.Incomplete():
		return plutoError
	case r.app.pluto:
		return r.plutoStatus
	case sum.Incomplete():
		return StatusIncomplete
	case r.fails && r.some && r.worst >= r.failOn:
		return StatusFindings
	}
	return StatusClean
}
