// Package lintrun lints manifests with the settings of a command line. It finds the
// inputs, renders kustomizations and charts, and runs the linter.
package lintrun

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/internal/chartworker"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/kubectlapply"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/checks"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/schemas"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/cluster"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Run lints manifests once.
type Run struct {
	*reporting.Run
	// If FixEdits is true, the edits of fixes are computed even if no output contains
	// them.
	FixEdits bool
	// Observe becomes manifestlint.Options.Each. It may be nil. The output format kubectl
	// ignores it.
	Observe func(manifestlint.Event) func(manifestlint.Event) error

	set *Settings
	// contextObjects has the objects of --context and --crd.
	contextObjects []objectcontext.Object
	// schemas has the schemas of --context and --crd.
	schemas *schemas.Catalog
	// stored has the objects of --old. It is nil without this flag.
	stored *objectcontext.Stored
}

// New returns a run with the settings.
func New(a *app.App, s *Settings, f *Flags) (*Run, error) {
	common, err := reporting.New(a, s.Settings, &f.Flags)
	if err != nil {
		return nil, err
	}
	return &Run{Run: common, set: s}, nil
}

// Gather finds the inputs of a run: the files for the arguments and, if live is not nil,
// the objects of a cluster. It also reads the objects of --context and --crd, and renders
// kustomizations and charts. The caller closes the inputs.
func (r *Run) Gather(ctx context.Context, args []string, live *cluster.Connection) (*Inputs, error) {
	in, err := r.findFiles(ctx, args)
	if err != nil {
		return nil, err
	}
	if r.Isolate {
		r.set.workers = chartworker.NewPool(ctx, r.set.helm.timeout, "--render-timeout")
		in.workers = r.set.workers
	}
	if err := r.gather(ctx, in, live); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

func (r *Run) gather(ctx context.Context, in *Inputs, live *cluster.Connection) (err error) {
	if live != nil {
		step := app.NewStep(r.Line, "reading the cluster", 0)
		in.Live, err = live.Scan(ctx, r.Target)
		step.Done()
		if err != nil {
			return err
		}
		r.set.enableAPIs(in.Live.Enabled)
	}
	if r.contextObjects, err = r.readContextPaths(ctx); err != nil {
		return err
	}
	in.contextObjects = r.contextObjects
	r.Render(ctx, in)
	r.note(in.rendered.Notes...)
	return nil
}

func (r *Run) note(notes ...string) { r.Settings.Notes = append(r.Settings.Notes, notes...) }

// Lint lints the inputs and reports the findings. Only the function that is passed to Do
// may call it.
func (r *Run) Lint(ctx context.Context, in *Inputs) (*rules.Summary, error) {
	sum, err := r.lint(ctx, in, lintPass{
		emit:     r.Report,
		fixes:    !r.Flags.Quiet || r.Writes(reporting.ShowsFixes), // the summary has the number of findings with fixes
		edits:    r.FixEdits || r.Writes(reporting.CarriesFixes),
		fold:     true,
		appliers: r.Appliers(),
	})
	r.Discount(sum)
	return sum, err
}

// Find lints the inputs for a target and calls found with each finding, including
// findings in the baseline. It changes nothing in the run's report.
func (r *Run) Find(ctx context.Context, in *Inputs, target lifecycle.Target, found func(rules.Finding) error) (*rules.Summary, error) {
	common := *r.Settings
	common.Target = target
	set := *r.set
	set.Settings = &common
	run := *r.Run
	run.Settings, run.Remarks = &common, nil
	quiet := *r
	quiet.Run, quiet.set = &run, &set
	return quiet.lint(ctx, in, lintPass{emit: found, fixes: true, edits: r.FixEdits || r.Writes(reporting.CarriesFixes)})
}

// lintPass has the options for linting the inputs once.
type lintPass struct {
	emit func(rules.Finding) error
	// If fixes is true, the linter reports which findings have a fix. If edits is true,
	// it also computes the edits.
	fixes, edits bool
	// If fold is true, equal findings in scripts become one finding.
	fold     bool
	appliers []report.Applier
}

// lint runs the linter. It holds back findings in rendered objects, which several builds
// may share, and in scripts, which may be copies, until all inputs are linted.
func (r *Run) lint(ctx context.Context, in *Inputs, p lintPass) (*rules.Summary, error) {
	set, err := r.collectContext(ctx, in, len(p.appliers) > 0)
	if err != nil {
		return rules.NewSummary(), err
	}
	return r.lintWith(ctx, in, set, p)
}

// lintWith is like lint, for context objects that were already collected.
func (r *Run) lintWith(ctx context.Context, in *Inputs, set *checks.Set, p lintPass) (*rules.Summary, error) {
	options := r.options(in, set, p)
	if len(p.appliers) > 0 {
		apply := &kubectlapply.Apply{Target: r.Target, Validation: r.set.Validation, Set: set, Reports: p.appliers}
		if !reportMissing(p.appliers, in.unreadable) {
			options.Each = apply.Each
		}
	}
	applied := options.Each != nil
	if !applied {
		options.Each = r.Observe
	}
	linter := manifestlint.New(options)
	for i := range in.List {
		r.MarkRead(in.List[i].Name)
	}
	held := &renderedFindings{}
	emit := func(f rules.Finding) error {
		// Findings in the baseline are not folded, because the baseline has one entry for
		// each finding.
		if held.add(f) || p.fold && !r.IsKnown(f) && held.scripts.add(f) {
			return nil
		}
		return p.emit(f)
	}
	inputs, done := r.progress("linting", in)
	defer done()
	sum, err := linter.Run(ctx, inputs, emit)
	if err == nil && in.rendered != nil && len(in.rendered.Sketches) > 0 && !applied {
		pieces := options
		pieces.Each = nil // Observe does not see the templates that were not rendered
		err = lintSketches(ctx, manifestlint.New(pieces), in, sum, emit)
	}
	if err == nil {
		err = r.reportRendered(in, held, sum, p.emit)
	}
	if err == nil {
		err = r.reportLive(in.Live, sum, p.emit)
	}
	r.remarkNamed(in, sum)
	for _, p := range in.packed {
		sum.Skip(rules.NotJudged{File: p.Name, Reason: rules.SkipNotRendered, Detail: p.Text})
	}
	for _, u := range in.unreadable {
		sum.Fail(u.Name, errors.New(u.Text))
	}
	for _, p := range r.schemas.Problems() {
		sum.Fail(p.Name, p.Err)
	}
	return sum, err
}

// reportMissing adds the arguments that do not exist to the reports in the format
// kubectl. It returns true if it added any. In this case, kubectl sends nothing to the
// server.
func reportMissing(appliers []report.Applier, unreadable []source.Problem) bool {
	none := false
	for _, p := range unreadable {
		text := p.Error()
		if p.Kind == source.Missing {
			none = true
			text = fmt.Sprintf("the path %q does not exist", p.Name)
		}
		for _, r := range appliers {
			r.Unread(text, 0)
		}
	}
	return none
}

// maxNamed is the maximal number of files in the remark of remarkNamed.
const maxNamed = 10

// remarkNamed adds a remark about named files that are not manifests and do not parse.
// They are not findings, because tools such as pre-commit pass every changed YAML and
// JSON file.
func (r *Run) remarkNamed(in *Inputs, sum *rules.Summary) {
	if sum.Skipped[rules.SkipUnparsable] == 0 {
		return
	}
	named := map[string]bool{}
	for i := range in.List {
		named[in.List[i].Name] = in.List[i].Named()
	}
	remarked := 0
	for _, n := range sum.NotJudged {
		if n.Reason != rules.SkipUnparsable || !named[n.File] {
			continue
		}
		named[n.File] = false // list each file once
		if remarked++; remarked <= maxNamed {
			r.Remarks = append(r.Remarks, fmt.Sprintf("note: %s does not parse and has no sign of a manifest, so it is skipped: line %d: %s", quote.Name(n.File), n.Line, n.Detail))
		}
	}
	if more := remarked - maxNamed; more > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("note: %s more do not parse and are skipped; -v names them", report.Count(more, "file")))
	}
}

// collectContext collects the objects that other objects are checked against, such as
// custom resource definitions. If whole is true, it collects all kinds of these objects,
// for the full answer of a server in the format kubectl.
func (r *Run) collectContext(ctx context.Context, in *Inputs, whole bool) (*checks.Set, error) {
	kinds := checks.NeededKinds(r.enabled)
	if whole {
		kinds = checks.ContextKinds()
	}
	inputs, done := r.progress("reading definitions", in)
	defer done()
	further := func(collected []objectcontext.Object) []string {
		return checks.FurtherKinds(slices.Concat(r.contextObjects, collected))
	}
	collected, err := objectcontext.Collect(ctx, inputs, objectcontext.Options{
		Kinds: kinds, Further: further, MaxDocument: int(r.set.maxDocument), NewReader: in.NewReader, Old: r.oldVersion(),
		Left: func(n int) {
			r.Remarks = append(r.Remarks, fmt.Sprintf("note: %d definitions, namespaces, webhook configurations, policies or parameters exceed %d MiB: other objects are not checked against them", n, objectcontext.MaxCollected>>20))
		},
	})
	if err != nil {
		return nil, err
	}
	given, err := r.readContextKinds(ctx, further(collected))
	set := r.checkSet(slices.Concat(r.contextObjects, given, collected))
	for i, policy := range set.UnclearPolicies() {
		if i == maxNamed {
			r.Remarks = append(r.Remarks, fmt.Sprintf("note: %d more policies are not evaluated", len(set.UnclearPolicies())-i))
			break
		}
		r.Remarks = append(r.Remarks, fmt.Sprintf("note: %s is not evaluated: several different objects have this name", quote.Text(policy)))
	}
	return set, err
}

// checkSet returns the checks' data about the cluster: its objects, its schemas and the
// releases of its components.
func (r *Run) checkSet(objects []objectcontext.Object) *checks.Set {
	return checks.NewSet(objects).WithSchemas(r.schemas).WithReleases(r.set.releases, r.set.additional).WithUser(r.set.user)
}

func (r *Run) enabled(rule string) bool { return r.Enabled[rule] }

// oldVersion returns a function that finds the old version of an object, or nil without
// --old.
func (r *Run) oldVersion() func(string, *manifestlint.Object) *wire.Value {
	if r.stored == nil {
		return nil
	}
	return r.stored.Of
}

func (r *Run) options(in *Inputs, set *checks.Set, p lintPass) manifestlint.Options {
	all := checks.All(set)
	if r.set.additional != nil {
		all = append(all, checks.Additional(r.set.additional))
	}
	return manifestlint.Options{
		Target:         r.Target,
		Checks:         all,
		Enabled:        r.enabled,
		Severity:       r.Severity,
		Embedded:       r.set.embedded,
		ReleaseHistory: r.set.releaseHistory,
		NoScripts:      !r.set.scripts,
		Kubectl:        r.set.kubectl,
		RequireReason:  r.RequireReason,
		MaxDocument:    int(r.set.maxDocument),
		NewReader:      in.NewReader,
		Validation:     r.set.Validation,
		Described:      set.Describes,
		Old:            r.oldVersion(),
		FixEdits:       p.edits,
		Fixes:          p.fixes || p.edits,
	}
}
