// Package fixrun fixes findings in files, in rounds, until no fix is left.
package fixrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/lintrun"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// mending mends what `kubevet lint` finds: in rounds, each of which judges the
// files as the ones before it leave them, until nothing more can be mended.
type mending struct {
	*reporting.Run
	in *lintrun.Inputs
	// all also makes the fixes that need a look.
	all bool
	// target is what is mended for.
	target lifecycle.Target
	// roots are the directories, without links, below which files may be
	// written.
	roots []string

	old, new map[string][]byte // by the input's name: files that change
	mended   int
	// refused says of files why they are left alone.
	refused map[string]string
	// left are the fixes of the last round that could not be made, rest how
	// what is found after it can be mended.
	left int
	rest reporting.Fixable
}

// maxRounds bounds the rounds: one suffices unless fixes are in each other's
// way.
const maxRounds = 16

// Wanted reports whether anything is to be mended or shown, and says what is
// wrong with the flags.
func Wanted(f *lintrun.Flags) (bool, error) {
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
		return false, app.Usagef("--fix-target says what to mend for: give --fix or --diff, too")
	case f.Fix == settings.FixNone:
		return false, nil
	case f.WriteBaseline:
		return false, app.Usagef("--fix and --write-baseline exclude each other: mend first, then remember what is left")
	case settings.LikeKubectl(f.Outputs):
		return false, app.Usagef("--fix and --output kubectl exclude each other: kubectl mends nothing")
	case f.Diff && len(f.Outputs) > 0:
		return false, app.Usagef("--diff and --output exclude each other: a diff is all that --diff prints")
	}
	return true, nil
}

// Fix mends the inputs, or shows how, and reports what is left.
func Fix(ctx context.Context, a *app.App, f *lintrun.Flags, r *reporting.Run, in *lintrun.Inputs, args []string) error {
	m := &mending{Run: r, in: in, all: f.Fix == settings.FixAll, target: r.Target, old: map[string][]byte{}, new: map[string][]byte{}, refused: map[string]string{}}
	if f.FixTarget != "" {
		var err error
		if m.target, err = lifecycle.NewTarget(f.FixTarget, f.FeatureGates, f.RuntimeConfig); err != nil {
			return app.Usage(fmt.Errorf("--fix-target: %w", err))
		}
	}
	piped := in.Streams[stdinName] != nil
	if piped && !f.Diff {
		if slices.ContainsFunc(r.Specs, func(o reporting.OutputSpec) bool { return o.File == "" }) && len(f.Outputs) > 0 {
			return app.Usagef("with --fix, standard output gets what is mended of standard input: give --output a file, as in --output %s=FILE", r.Specs[0].Format)
		}
	}
	r.FixEdits = true
	m.roots = writable(a, args)
	sum, err := m.rounds(ctx)
	if err != nil {
		return err
	}
	if f.Diff {
		return m.show(sum)
	}
	if err := m.write(); err != nil {
		return err
	}
	m.refresh(ctx)
	if piped {
		aside := *a // findings give way to the document
		aside.Stdout = a.Stderr
		r.App = &aside
		if r.Color, err = aside.Colors(f.Color, aside.Stdout); err != nil {
			return err
		}
	}
	err = r.Do(func() (*rules.Summary, error) {
		sum, err := lintrun.Judge(ctx, r, in)
		if err == nil {
			m.remark("mended")
			m.suggestRest()
		}
		return sum, err
	})
	a.Status = r.App.Status
	if err == nil && piped {
		err = m.print(a.Stdout)
	}
	return err
}

// stdinName is what standard input is called.
const stdinName = "-"

// print writes standard input as it is now.
func (m *mending) print(w io.Writer) error {
	text, ok := m.new[stdinName]
	if !ok {
		var err error
		if text, err = m.read(stdinName); err != nil {
			return err
		}
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing to standard output: %w", app.Cause(err))
	}
	return nil
}

// rounds mends in memory.
func (m *mending) rounds(ctx context.Context) (*rules.Summary, error) {
	var sum *rules.Summary
	for round := range maxRounds {
		findings, s, err := m.findings(ctx)
		if err != nil {
			return s, err
		}
		sum = s
		if made, err := m.round(findings, round == 0); err != nil || !made {
			return sum, err
		}
		m.in.Overlay = m.new
	}
	return sum, nil
}

// findings judges the inputs as they are now, and keeps to itself what it
// finds.
func (m *mending) findings(ctx context.Context) ([]rules.Finding, *rules.Summary, error) {
	quiet := *m.Run
	settings := *m.Settings
	settings.Target = m.target
	quiet.Settings = &settings
	quiet.Outs = &reporting.Outputs{}
	quiet.Baselined = map[string]int{}
	var all []rules.Finding
	m.rest = reporting.Fixable{}
	quiet.Teller = func(f rules.Finding) error {
		m.rest.Count(&f)
		if f.Fix != nil && !(m.Known != nil && m.Known.Has(f, m.Dir)) {
			all = append(all, f)
		}
		return nil
	}
	sum, err := lintrun.Judge(ctx, &quiet, m.in)
	if errors.Is(err, app.ErrInterrupted) {
		return nil, sum, err
	}
	return all, sum, err
}

// round makes the fixes of findings as far as they fit, and reports whether
// any was made. What was rendered is only judged once, from files as they are
// on the disk, so that its findings count in the first round alone.
func (m *mending) round(findings []rules.Finding, first bool) (bool, error) {
	texts := map[string]*lineIndex{}
	set := &fixset.Set{}
	alone := map[string]int{} // the first fix of each file
	var list [][]fixset.Edit
	for _, f := range findings {
		if !f.Fix.Safe && !m.all || len(f.RenderedBy) > 0 && !first {
			continue
		}
		edits, ok, err := m.bytes(f.Fix, texts)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if _, had := alone[edits[0].File]; !had {
			alone[edits[0].File] = len(list)
		}
		list = append(list, edits)
		set.Add(edits)
	}
	read := func(name string) ([]byte, error) { return texts[name].raw, nil }
	files, err := set.Apply(read, finishManifest)
	if err != nil {
		return false, err
	}
	m.left = set.Skipped()
	if len(files) == 0 && len(list) > 0 {
		// Together they do not go; one at a time they may.
		set = &fixset.Set{}
		for _, i := range slices.Sorted(maps.Values(alone)) {
			set.Add(list[i])
		}
		if files, err = set.Apply(read, finishManifest); err != nil {
			return false, err
		}
		m.left = len(list) - set.Applied()
	}
	m.mended += set.Applied()
	for _, f := range files {
		if _, had := m.old[f.Name]; !had {
			m.old[f.Name] = f.Old
		}
		m.new[f.Name] = f.New
	}
	return len(files) > 0, nil
}

// bytes gives the edits of a fix in bytes; not ok: one of its files is not to
// be written.
func (m *mending) bytes(fix *rules.CodeFix, texts map[string]*lineIndex) ([]fixset.Edit, bool, error) {
	var edits []fixset.Edit
	for _, e := range fix.Edits {
		if m.refused[e.File] != "" {
			return nil, false, nil
		}
		text := texts[e.File]
		if text == nil {
			raw, err := m.current(e.File)
			if err != nil {
				m.refused[e.File] = app.Cause(err).Error()
				return nil, false, nil
			}
			text = newLineIndex(raw)
			texts[e.File] = text
		}
		if text.odd != "" {
			m.refused[e.File] = text.odd
			return nil, false, nil
		}
		start, ok := text.offset(e.Line, e.Column)
		end, ok2 := text.offset(e.EndLine, e.EndColumn)
		if !ok || !ok2 {
			m.refused[e.File] = "it changed while it was read"
			return nil, false, nil
		}
		edits = append(edits, fixset.Edit{File: e.File, Start: start, End: end, New: e.New})
	}
	return edits, len(edits) > 0, nil
}

// finishManifest refuses a text in which more documents are broken than were.
func finishManifest(name string, old, text []byte) ([]byte, error) {
	if manifestlint.Broken(text) > manifestlint.Broken(old) {
		return nil, fmt.Errorf("%s: the fixes do not go together", name)
	}
	return text, nil
}

// current gives a file as the rounds so far leave it.
func (m *mending) current(name string) ([]byte, error) {
	if text, ok := m.new[name]; ok {
		return text, nil
	}
	if err := m.mayWrite(name); err != nil {
		return nil, err
	}
	return m.read(name)
}

// read gives an input's bytes as they are on the disk or came through a pipe.
func (m *mending) read(name string) ([]byte, error) {
	if s := m.in.Streams[name]; s != nil {
		rc, err := s.Open()
		if err != nil {
			return nil, err
		}
		defer rc.Close()
		return io.ReadAll(rc)
	}
	return os.ReadFile(m.file(name))
}

// file gives the path of an input.
func (m *mending) file(name string) string {
	for i := range m.in.List {
		if from := &m.in.List[i]; from.Name == name && from.Path != "" {
			return from.Path
		}
	}
	return m.Path(filepath.FromSlash(name))
}

// mayWrite says why a file is not to be written: it is none, or it lies, by
// way of a link, outside of what was named.
func (m *mending) mayWrite(name string) error {
	if name == stdinName {
		return nil
	}
	if m.in.Streams[name] != nil {
		return errors.New("it is no file, and cannot be written back")
	}
	real, err := filepath.EvalSymlinks(m.file(name))
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	for _, root := range m.roots {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return errors.New("a link leads to it, and it lies outside of what was named")
}

// writable gives the directories that arguments stand for: the working
// directory, and those that are named or hold what is.
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

// write writes the files that changed.
func (m *mending) write() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(m.new)) {
		if name == stdinName {
			continue
		}
		if now, err := os.ReadFile(m.file(name)); err != nil || !bytes.Equal(now, m.old[name]) {
			errs = append(errs, fmt.Errorf("%s is left alone: it changed while it was read", name))
		} else if err := atomicfile.Write(m.file(name), m.new[name]); err != nil {
			errs = append(errs, fmt.Errorf("writing %w", app.Bare(err, name)))
		} else {
			continue
		}
		delete(m.new, name)
	}
	return errors.Join(errs...)
}

// refresh makes the inputs what was written.
func (m *mending) refresh(ctx context.Context) {
	m.in.Overlay = m.new
	if len(m.new) > 0 && m.in.Rendered != nil && len(m.in.Rendered.Units) > 0 {
		lintrun.Render(ctx, m.Run.App, m.in, m.Settings, m.Dir, "")
	}
}

// show prints what would be changed. The exit status is 1 if anything would.
func (m *mending) show(sum *rules.Summary) error {
	for _, name := range slices.Sorted(maps.Keys(m.new)) {
		file := fixset.File{Name: name, Old: m.old[name], New: m.new[name]}
		shown := name
		if name == stdinName {
			shown = "stdin"
		}
		if _, err := io.WriteString(m.Stdout, file.Diff(shown)); err != nil {
			return fmt.Errorf("writing to standard output: %w", app.Cause(err))
		}
	}
	if !m.Flags.Quiet {
		m.Remarks = nil // of the rounds
		m.remark("would mend")
		m.Fixable = m.rest
		m.suggestRest()
		for _, remark := range m.Remarks {
			fmt.Fprintln(m.Stderr, report.Sanitize(remark))
		}
	}
	switch {
	case sum.Incomplete():
		for _, u := range sum.Unreadable {
			m.Complain("%s: %s", u.File, u.Error)
		}
		m.App.Status = app.StatusIncomplete
	case len(m.new) > 0:
		m.App.Status = app.StatusFindings
	}
	return nil
}

// refusals tells which files were left alone, and why.
func (m *mending) refusals(tell func(format string, args ...any)) {
	for _, name := range slices.Sorted(maps.Keys(m.refused)) {
		tell("note: %s is not mended: %s", name, m.refused[name])
	}
}

// remark tells what was done.
func (m *mending) remark(done string) {
	m.Remarks = append(m.Remarks, fmt.Sprintf("%s %s in %s", done, app.Count(m.mended, "finding"), app.Count(len(m.new), "file")))
	if m.left > 0 {
		m.Remarks = append(m.Remarks, fmt.Sprintf("left out %s, because others change the same lines", app.Count(m.left, "fix")))
	}
	m.refusals(func(format string, args ...any) { m.Remarks = append(m.Remarks, fmt.Sprintf(format, args...)) })
}

// suggestRest tells how what is left can be mended, without what was tried.
func (m *mending) suggestRest() {
	m.Run.Fixable.Safe = 0
	if m.all {
		m.Run.Fixable.Review = 0
	}
	m.Suggest()
}
