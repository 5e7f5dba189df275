package lintcmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/internal/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/fixrun"
	"github.com/kubevet/kubevet/internal/quote"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// wantsFix checks the flags for fixes, and reports whether the run should apply or show
// fixes.
func wantsFix(f *lintrun.Flags) (bool, error) {
	switch f.Fix {
	case settings.FixNone, settings.FixSafe, settings.FixAll:
	default:
		return false, app.Usagef("unknown --fix %q: want %s%s", f.Fix, config.OneOf([]string{settings.FixSafe, settings.FixAll}), nearest.Question(f.Fix, []string{settings.FixSafe, settings.FixAll}))
	}
	if f.Diff && f.Fix == settings.FixNone {
		f.Fix = settings.FixSafe
	}
	switch {
	case f.Fix == settings.FixNone && f.FixTarget != "":
		return false, app.Usagef("--fix-target needs --fix or --diff")
	case f.Fix == settings.FixNone:
		return false, nil
	case f.WriteBaseline:
		return false, app.Usagef("--fix and --write-baseline exclude each other: fix first, then write the baseline of what is left")
	case settings.LikeKubectl(f.Outputs):
		return false, app.Usagef("--fix and --output kubectl exclude each other: kubectl fixes nothing")
	case f.Diff && len(f.Outputs) > 0:
		return false, app.Usagef("--diff and --output exclude each other: --diff prints only the diff")
	}
	return true, nil
}

// fixRun applies or shows fixes. It lints and fixes in rounds.
type fixRun struct {
	*lintrun.Run
	flags  *lintrun.Flags
	in     *lintrun.Inputs
	target lifecycle.Target
	// sum is the summary of the last round. remaining counts the findings of the last
	// round.
	sum       *rules.Summary
	remaining reporting.Fixable
}

// fix applies fixes or shows them as a diff. Then it reports the remaining findings.
func fix(ctx context.Context, r *lintrun.Run, f *lintrun.Flags, in *lintrun.Inputs, args []string) error {
	x := &fixRun{Run: r, flags: f, in: in, target: r.Target}
	if f.FixTarget != "" {
		var err error
		if x.target, err = lifecycle.NewTarget(f.FixTarget, f.FeatureGates, f.RuntimeConfig); err != nil {
			return app.Usage(fmt.Errorf("--fix-target: %w", err))
		}
	}
	piped := in.Stream(fixrun.Stdin) != nil
	if format := r.StdoutFormat(); piped && !f.Diff && format != "" && len(f.Outputs) > 0 {
		return app.Usagef("with --fix, standard output gets the fixed standard input: give --output a file, as in --output %s=FILE", format)
	}
	r.FixEdits = true
	roots := writable(r.App, args)
	result, err := fixrun.Run(ctx, fixrun.Options{
		All:    f.Fix == settings.FixAll,
		Roots:  roots,
		Shown:  f.Diff,
		Find:   x.find,
		Path:   func(name string) string { return in.Path(r.App, name) },
		Stream: in.Stream,
	})
	if err != nil {
		return err
	}
	if f.Diff {
		return x.show(result)
	}
	var paths []string
	for i := range in.List {
		paths = append(paths, in.List[i].Path)
	}
	atomicfile.SweepBeside(paths, roots)
	if err := result.Write(ctx); err != nil {
		return err
	}
	in.Replace(result.New)
	if len(result.New) > 0 {
		r.RenderAgain(ctx, in)
	}
	if !piped {
		return x.report(ctx, result)
	}
	a := r.App
	// The fixed document needs standard output, so findings go to standard error.
	if err := r.Redirect(a.Stderr); err != nil {
		return err
	}
	err = x.report(ctx, result)
	a.Status = r.Status
	if err != nil {
		return err
	}
	return printStdin(result, a.Stdout)
}

// find lints the inputs for one round and returns the findings that are not in the
// baseline.
func (x *fixRun) find(ctx context.Context, overlay map[string][]byte) (list []rules.Finding, err error) {
	x.in.Replace(overlay)
	x.remaining = reporting.Fixable{}
	x.sum, err = x.Find(ctx, x.in, x.target, func(f rules.Finding) error {
		x.remaining.Count(&f)
		if f.Fix != nil && !x.IsKnown(f) {
			list = append(list, f)
		}
		return nil
	})
	return list, err
}

// report lints the fixed files and reports the remaining findings.
func (x *fixRun) report(ctx context.Context, result *fixrun.Result) error {
	return x.Do(func() (*rules.Summary, error) {
		sum, err := x.Lint(ctx, x.in)
		if err == nil {
			x.remark("fixed", result)
			x.Suggest(x.flags.Fix)
		}
		return sum, err
	})
}

// printStdin writes the fixed text of the standard input to w.
func printStdin(result *fixrun.Result, w io.Writer) error {
	text, ok := result.New[fixrun.Stdin]
	if !ok {
		var err error
		if text, err = result.Original(fixrun.Stdin); err != nil {
			return err
		}
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing to standard output: %w", app.Cause(err))
	}
	return nil
}

// show prints the fixes as a diff. If there are any, the exit status is 1.
func (x *fixRun) show(result *fixrun.Result) error {
	if err := result.Diff(x.PrintPatch); err != nil {
		return err
	}
	if !x.flags.Quiet {
		x.remark("would fix", result)
		x.Fixable = x.remaining
		x.Suggest(x.flags.Fix)
		x.PrintRemarks()
	}
	switch {
	case x.sum.Incomplete():
		for _, u := range x.sum.Unreadable {
			x.ComplainLines(quote.Name(u.File) + ": " + quote.Within(u.Error, u.File))
		}
		x.Status = app.StatusIncomplete
	case len(result.New) > 0:
		x.Status = app.StatusFindings
	}
	return nil
}

// remark adds remarks about findings that were fixed or could not be fixed. done is the
// first word, such as "fixed".
func (x *fixRun) remark(done string, result *fixrun.Result) {
	x.Remarks = append(x.Remarks, fmt.Sprintf("%s %s in %s", done, report.Count(result.Fixed, "finding"), report.Count(len(result.New), "file")))
	if result.Left > 0 {
		x.Remarks = append(x.Remarks, fmt.Sprintf("left out %s, because others change the same lines", report.Count(result.Left, "fix")))
	}
	x.Remarks = append(x.Remarks, result.Refusals()...)
}

// writable returns the directories in which files may be written, without symbolic links:
// the working directory, the directories in args, and the directories of the files in
// args.
func writable(a *app.App, args []string) []string {
	var roots []string
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(roots, real) {
			roots = append(roots, real)
		}
	}
	add(a.Dir)
	for _, arg := range args {
		base, _ := doublestar.SplitPattern(filepath.ToSlash(arg))
		for _, path := range []string{a.Path(arg), a.Path(filepath.FromSlash(base))} {
			if info, err := os.Lstat(path); err == nil {
				if stat, err := os.Stat(path); err == nil && stat.IsDir() {
					add(path)
				} else if info.Mode()&os.ModeSymlink == 0 || info.Mode().IsRegular() {
					add(filepath.Dir(path))
				}
				break
			}
		}
	}
	return roots
}
