package gocmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/gocode"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/goload"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/unit"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type run struct {
	*reporting.Run
	flags    *flags
	patterns []string
	// clientTarget returns the target for the client-go version of the packages, and the
	// module that decided the version. It is nil if flags or configuration choose a
	// target.
	clientTarget func(modules []lifecycle.Module) (lifecycle.Target, lifecycle.Origin)
	result       *goload.Result
}

// findingWithEdits is a finding with the edits that fix it.
type findingWithEdits struct {
	rules.Finding
	edits []fixset.Edit // with byte offsets; empty without a fix
}

// check analyzes the packages, applies fixes if a flag requests them, and reports the
// remaining findings.
func (g *run) check(ctx context.Context) (*rules.Summary, error) {
	findings, sum, err := g.analyze(ctx)
	if err != nil {
		return sum, err
	}
	if g.flags.fix != settings.FixNone {
		files, fixes, chosen, err := g.fix(findings)
		if err != nil {
			return sum, err
		}
		if err := g.write(ctx, files); err != nil {
			return sum, err
		}
		g.addFixRemarks(fixes, len(files))
		left := findings[:0]
		for i, f := range findings {
			if at, ok := chosen[i]; !ok || !fixes.Made(at) {
				left = append(left, f)
			}
		}
		findings = left
	}
	for _, f := range findings {
		sum.Findings[f.Rule]++
		if err := g.Report(f.Finding); err != nil {
			return sum, err
		}
	}
	g.Discount(sum)
	g.Fixable.Explained = 0 // the notes of manifests in Go code do not say how to fix the code
	g.Suggest(g.flags.fix)
	return sum, nil
}

// write writes the fixed files. If the context ends, it completes the current file and
// stops.
func (g *run) write(ctx context.Context, files []fixset.File) error {
	atomicfile.SweepBeside(g.result.Files, g.writable())
	var errs []error
	for _, f := range files {
		if ctx.Err() != nil {
			return errors.Join(append(errs, context.Cause(ctx))...)
		}
		if err := atomicfile.Replace(f.Name, f.Old, f.New); err != nil {
			errs = append(errs, fmt.Errorf("%s is not changed: %w", quote.Name(g.Name(f.Name)), app.Cause(err)))
		}
	}
	return errors.Join(errs...)
}

// writable returns the directories in which files may be written, without symbolic links:
// the working directory, the module and its workspace.
func (g *run) writable() []string {
	dir := g.Path(g.flags.directory)
	var roots []string
	for _, root := range []string{g.Dir, dir, gocode.ModuleRoot(dir), gocode.WorkspaceRoot(dir)} {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			roots = append(roots, real)
		}
	}
	return roots
}

// addFixRemarks adds remarks about the number of fixed findings.
func (g *run) addFixRemarks(fixes *fixset.Set, files int) {
	g.Remarks = append(g.Remarks, fmt.Sprintf("fixed %s in %s", report.Count(fixes.Applied(), "finding"), report.Count(files, "file")))
	if skipped := fixes.Skipped(); skipped > 0 {
		g.Remarks = append(g.Remarks, fmt.Sprintf("left out %d of the fixes, because others change the same lines: run it again", skipped))
	}
}

// diff prints the fixes as a diff. If there are any, the exit status is 1.
func (g *run) diff(ctx context.Context) error {
	findings, sum, err := g.analyze(ctx)
	if err != nil {
		return err
	}
	files, _, _, err := g.fix(findings)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := g.Name(f.Name)
		if err := g.PrintPatch(name, f.Diff(name)); err != nil {
			return err
		}
	}
	if !g.flags.Quiet {
		g.PrintRemarks()
	}
	switch {
	case sum.Incomplete():
		for _, u := range sum.Unreadable {
			g.ComplainLines(quote.Name(u.File) + ": " + quote.Within(u.Error, u.File))
		}
		g.App.Status = app.StatusIncomplete
	case len(files) > 0:
		g.App.Status = app.StatusFindings
	}
	return nil
}

// fix selects the fixes that may be applied and applies them in memory. It returns the
// changed files, the fixes, and the index of the fix for each fixed finding. For a file
// that must not be written, it adds a remark with the reason.
func (g *run) fix(findings []findingWithEdits) ([]fixset.File, *fixset.Set, map[int]int, error) {
	fixes := &fixset.Set{}
	chosen := map[int]int{}
	roots := g.writable()
	texts := map[string][]byte{}
	refused := map[string]bool{}
	mayWrite := func(e fixset.Edit) bool {
		if texts[e.File] != nil || refused[e.File] {
			return !refused[e.File]
		}
		check := atomicfile.Check
		if g.flags.diff {
			check = atomicfile.CheckInside
		}
		err := check(e.File, roots)
		if err == nil {
			texts[e.File], err = g.result.Reread(e.File)
		}
		if err != nil {
			refused[e.File] = true
			g.Remarks = append(g.Remarks, fmt.Sprintf("note: %s is not fixed: %v", quote.Name(g.Name(e.File)), app.Cause(err)))
		}
		return err == nil
	}
	var candidates []candidate
	for i, f := range findings {
		switch {
		case len(f.edits) == 0 || !f.Fix.Safe && g.flags.fix != settings.FixAll:
		case g.IsKnown(f.Finding):
			// Findings in the baseline are not fixed.
		case !slices.ContainsFunc(f.edits, func(e fixset.Edit) bool { return !mayWrite(e) }):
			candidates = append(candidates, candidate{finding: i, edits: f.edits})
		}
	}
	t := &fixTrial{texts: texts, compile: g.result.Compile}
	files, fixes, err := t.choose(candidates)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, c := range t.kept {
		chosen[c.finding] = c.number
	}
	for _, r := range t.refused {
		f := findings[r.finding]
		g.Remarks = append(g.Remarks, fmt.Sprintf("note: %s:%d: the fix of %s is left out, because the code would not compile: %s",
			quote.Name(f.File), f.Line, f.Rule, quote.Text(r.reason)))
	}
	return files, fixes, chosen, nil
}

// analyze runs the rules and returns the findings, sorted by position.
func (g *run) analyze(ctx context.Context) ([]findingWithEdits, *rules.Summary, error) {
	start := time.Now()
	sum := rules.NewSummary()
	sum.Code = &rules.CodeSummary{Unknown: map[string]int{}}
	chosen := analyzers.Select(func(id string) bool { return g.Enabled[id] })
	if g.RequireReason {
		for _, a := range chosen {
			if f := a.Flags.Lookup("reasons"); f != nil && a.Name == "unusedsuppression" {
				if err := f.Value.Set("true"); err != nil {
					return nil, sum, err
				}
			}
		}
	}
	o := goload.Options{
		Dir:           g.Path(g.flags.directory),
		Env:           g.Env,
		Patterns:      g.patterns,
		AllowDownload: g.flags.allowDownload,
		Tests:         g.flags.tests,
		Analyzers:     append(slices.Clone(chosen), analyzers.Census),
		Relevant:      analyzers.Relevant,
		Library:       analyzers.Library,
		Facts:         analyzers.Facts(),
		Markers:       analyzers.Markers(),
		Listed:        func(modules []goload.Module) { g.setTarget(modules, sum) },
		Visit:         func(_ *unit.Package, results []unit.Result) { g.addCounts(sum, results) },
	}
	if g.flags.tags != "" {
		o.BuildFlags = append(o.BuildFlags, "-tags="+g.flags.tags)
	}
	result, err := goload.Run(ctx, o)
	switch {
	case errors.Is(err, goload.ErrNoPackages):
		return nil, sum, app.Usage(err)
	case err != nil:
		return nil, sum, err
	}
	g.result = result
	for _, note := range result.Notes {
		if !g.flags.Quiet {
			g.Complain("note: %s", note)
		}
	}
	sum.Files, sum.Bytes = len(result.Files), result.Bytes
	slices.SortFunc(sum.Code.SkippedFunctions, func(x, y rules.SkippedFunction) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Name, y.Name))
	})
	slices.SortFunc(sum.Code.UnresolvedCalls, func(x, y rules.UnresolvedCall) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Name, y.Name))
	})
	sum.Code.Excluded.TestFiles += result.TestFiles
	sum.Code.Packages, sum.Code.Skipped = result.Packages, result.Skipped
	g.addFailures(sum, result.Failures)
	if text := gocode.NotDownloaded(result.Missing); text != "" {
		g.Complain("%s", text)
	}
	for _, name := range result.Files {
		g.MarkRead(g.Name(name))
	}
	text := &gocode.Text{}
	excluded := g.exclusions()
	var findings []findingWithEdits
	for _, d := range result.Diagnostics {
		f := g.finding(d, text)
		if !excluded(f.File) {
			findings = append(findings, f)
		}
	}
	for _, f := range g.manifests(result.Matched) {
		if !excluded(f.File) {
			findings = append(findings, findingWithEdits{Finding: f})
		}
	}
	slices.SortStableFunc(findings, func(x, y findingWithEdits) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message))
	})
	findings = slices.CompactFunc(findings, func(x, y findingWithEdits) bool {
		return x.File == y.File && x.Line == y.Line && x.Column == y.Column && x.Rule == y.Rule && x.Message == y.Message
	})
	sum.Elapsed(start)
	return findings, sum, nil
}

// setTarget sets the target. sum names the target only if a rule about API versions runs.
func (g *run) setTarget(modules []goload.Module, sum *rules.Summary) {
	if g.clientTarget != nil {
		known := make([]lifecycle.Module, len(modules))
		for i, m := range modules {
			known[i] = lifecycle.Module(m)
		}
		var origin lifecycle.Origin
		g.Target, origin = g.clientTarget(known)
		sum.Code.TargetSource, sum.Code.TargetLimit = origin.Module, origin.Limit
	}
	if slices.ContainsFunc(gocode.VersionRules, func(rule string) bool { return g.Enabled[rule] }) {
		sum.Target = g.Target.Range.String()
	} else {
		sum.Code.TargetSource, sum.Code.TargetLimit = "", ""
	}
}

// addCounts adds the counters of packages to the summary.
func (g *run) addCounts(sum *rules.Summary, results []unit.Result) {
	for _, r := range results {
		if r.Analyzer != analyzers.Census || r.Err != nil {
			continue
		}
		c := r.Value.(*analyzers.Count)
		sum.Code.Writes += c.Calls
		sum.Code.Clients += c.Clients
		for _, u := range c.Unresolved {
			sum.Code.AddUnresolved(rules.UnresolvedCall{Name: u.Name, File: g.Name(u.Pos.Filename), Line: u.Pos.Line})
		}
		for name, n := range c.Unknown {
			sum.Code.Unknown[name] += n
		}
		excluded := &sum.Code.Excluded
		if c.Excluded.TestPackage {
			excluded.TestPackages++
		}
		excluded.TestFiles += c.Excluded.TestFiles
		excluded.GeneratedFiles += c.Excluded.GeneratedFiles
		excluded.Fakes += c.Excluded.Fakes
		for _, s := range c.Skipped {
			sum.Code.SkipFunction(rules.SkippedFunction{Name: s.Name, File: g.Name(s.Pos.Filename), Line: s.Pos.Line})
		}
		sum.Suppressed += c.Suppressions
	}
}

// addFailures adds the packages that could not be analyzed completely to the summary.
func (g *run) addFailures(sum *rules.Summary, failures []goload.Failure) {
	for _, f := range failures {
		var lines []string
		for _, e := range f.Errors {
			line := strings.Join(strings.Fields(e.Msg), " ") // a message may have several lines
			if e.Internal {
				line = "kubevet failed: " + line
			}
			if e.Pos.Filename != "" {
				pos := e.Pos
				if !filepath.IsAbs(pos.Filename) { // the go command prints names relative to its working directory
					pos.Filename = filepath.Join(g.Path(g.flags.directory), pos.Filename)
				}
				pos.Filename = quote.Name(g.Name(pos.Filename))
				line = pos.String() + ": " + line
			}
			lines = append(lines, line)
		}
		if f.More > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", f.More))
		}
		sum.Fail(f.Package, errors.New(strings.Join(lines, "\n")))
	}
}

func (g *run) finding(d goload.Diagnostic, text *gocode.Text) findingWithEdits {
	id := d.Analyzer.Name
	f := findingWithEdits{Finding: rules.Finding{Rule: id, Severity: analyzers.Severity(d.Category, g.Severity[id]), Message: d.Message, File: g.Name(d.Pos.Filename)}}
	f.Line, f.Column = d.Pos.Line, text.Column(d.Pos)
	f.EndLine, f.EndColumn = d.End.Line, text.Column(d.End)
	for _, r := range d.Related {
		f.Related = append(f.Related, rules.Related{
			File: g.Name(r.Pos.Filename), Line: r.Pos.Line, Column: text.Column(r.Pos),
			EndLine: r.End.Line, EndColumn: text.Column(r.End), Message: r.Message,
		})
	}
	if len(d.Fixes) == 0 || !d.Own {
		return f
	}
	// Analyzers put the preferred fix first.
	fix := d.Fixes[0]
	f.edits = fix.Edits
	f.Fix = &rules.CodeFix{Message: fix.Message, Safe: analyzers.SafeFixes(id)}
	for _, e := range fix.Edits {
		from, to := text.Place(e.File, e.Start), text.Place(e.File, e.End)
		f.Fix.Edits = append(f.Fix.Edits, rules.Edit{
			File: g.Name(e.File), Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column, New: e.New,
		})
	}
	return f
}

// exclusions returns a function that reports whether flags or configuration exclude a
// file.
func (g *run) exclusions() func(name string) bool {
	patterns := slices.Clone(g.Exclude)
	for _, p := range g.ConfigExclude {
		patterns = append(patterns, settings.Rebase(p, filepath.Dir(g.ConfigFile), g.Dir)...)
	}
	return func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return excludesFile(p, name) })
	}
}

// excludesFile reports whether a pattern matches a file or one of its parent directories.
// Patterns mean the same as for manifests.
func excludesFile(pattern, name string) bool {
	pattern, anchored := strings.CutPrefix(filepath.ToSlash(pattern), "./")
	pattern, directory := strings.CutSuffix(pattern, "/")
	base := !anchored && !strings.Contains(pattern, "/")
	for at, file := name, true; at != "." && at != "/" && at != ""; at, file = path.Dir(at), false {
		text := at
		if base {
			text = path.Base(at)
		}
		if (!directory || !file) && doublestar.MatchUnvalidated(pattern, text) {
			return true
		}
	}
	return false
}
