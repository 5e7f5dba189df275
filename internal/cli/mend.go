package cli

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
	"github.com/kubevet/kubevet/internal/cli/atomicfile"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/nearest"
	"github.com/kubevet/kubevet/internal/fixset"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// mending mends what `kubevet lint` finds: in rounds, each of which judges the
// files as the ones before it leave them, until nothing more can be mended.
type mending struct {
	*run
	in *inputs
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
	rest mendable
}

// maxRounds bounds the rounds: one suffices unless fixes are in each other's
// way.
const maxRounds = 16

// mends reports whether anything is to be mended or shown, and says what is
// wrong with the flags.
func (f *lintFlags) mends() (bool, error) {
	switch f.fix {
	case fixNone, fixSafe, fixAll:
	default:
		return false, usagef("unknown --fix %q: want %s%s", f.fix, config.OneOf([]string{fixSafe, fixAll}), nearest.Question(f.fix, []string{fixSafe, fixAll}))
	}
	if f.diff && f.fix == fixNone {
		f.fix = fixSafe
	}
	switch {
	case f.fix == fixNone && f.fixTarget != "":
		return false, usagef("--fix-target says what to mend for: give --fix or --diff, too")
	case f.fix == fixNone:
		return false, nil
	case f.writeBaseline:
		return false, usagef("--fix and --write-baseline exclude each other: mend first, then remember what is left")
	case likeKubectl(f.outputs):
		return false, usagef("--fix and --output kubectl exclude each other: kubectl mends nothing")
	case f.diff && len(f.outputs) > 0:
		return false, usagef("--diff and --output exclude each other: a diff is all that --diff prints")
	}
	return true, nil
}

// mend mends the inputs, or shows how, and reports what is left.
func (a *app) mend(ctx context.Context, f *lintFlags, r *run, in *inputs, args []string) error {
	m := &mending{run: r, in: in, all: f.fix == fixAll, target: r.target, old: map[string][]byte{}, new: map[string][]byte{}, refused: map[string]string{}}
	if f.fixTarget != "" {
		var err error
		if m.target, err = lifecycle.NewTarget(f.fixTarget, f.featureGates, f.runtimeConfig); err != nil {
			return usage(fmt.Errorf("--fix-target: %w", err))
		}
	}
	piped := in.streams[stdinName] != nil
	if piped && !f.diff {
		if slices.ContainsFunc(r.specs, func(o outputSpec) bool { return o.file == "" }) && len(f.outputs) > 0 {
			return usagef("with --fix, standard output gets what is mended of standard input: give --output a file, as in --output %s=FILE", r.specs[0].format)
		}
	}
	r.fixEdits = true
	m.roots = a.writable(args)
	sum, err := m.rounds(ctx)
	if err != nil {
		return err
	}
	if f.diff {
		return m.show(sum)
	}
	if err := m.write(); err != nil {
		return err
	}
	m.refresh(ctx)
	if piped {
		aside := *a // findings give way to the document
		aside.Stdout = a.Stderr
		r.app = &aside
		if r.color, err = aside.colors(f.color, aside.Stdout); err != nil {
			return err
		}
	}
	err = r.do(func() (*rules.Summary, error) {
		sum, err := r.judge(ctx, in)
		if err == nil {
			m.remark("mended")
			m.suggestRest()
		}
		return sum, err
	})
	a.status = r.app.status
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
		return fmt.Errorf("writing to standard output: %w", cause(err))
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
		m.in.overlay = m.new
		m.in.memory = manifestlint.NewMemory(keptMemory)
	}
	return sum, nil
}

// findings judges the inputs as they are now, and keeps to itself what it
// finds.
func (m *mending) findings(ctx context.Context) ([]rules.Finding, *rules.Summary, error) {
	quiet := *m.run
	settings := *m.settings
	settings.target = m.target
	quiet.settings = &settings
	quiet.outs = &outputs{}
	quiet.baselined = map[string]int{}
	var all []rules.Finding
	m.rest = mendable{}
	quiet.teller = func(f rules.Finding) error {
		m.rest.count(&f)
		if f.Fix != nil && !(m.known != nil && m.known.has(f, m.dir)) {
			all = append(all, f)
		}
		return nil
	}
	sum, err := quiet.judge(ctx, m.in)
	if errors.Is(err, errInterrupted) {
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
				m.refused[e.File] = cause(err).Error()
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
	if s := m.in.streams[name]; s != nil {
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
	for i := range m.in.list {
		if from := &m.in.list[i]; from.Name == name && from.Path != "" {
			return from.Path
		}
	}
	return m.path(filepath.FromSlash(name))
}

// mayWrite says why a file is not to be written: it is none, or it lies, by
// way of a link, outside of what was named.
func (m *mending) mayWrite(name string) error {
	if name == stdinName {
		return nil
	}
	if m.in.streams[name] != nil {
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
func (a *app) writable(args []string) []string {
	var roots []string
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && !slices.Contains(roots, real) {
			roots = append(roots, real)
		}
	}
	add(a.dir)
	for _, arg := range args {
		base, _ := doublestar.SplitPattern(filepath.ToSlash(arg))
		for _, path := range []string{a.path(arg), a.path(filepath.FromSlash(base))} {
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
			errs = append(errs, fmt.Errorf("writing %w", bare(err, name)))
		} else {
			continue
		}
		delete(m.new, name)
	}
	return errors.Join(errs...)
}

// refresh makes the inputs what was written.
func (m *mending) refresh(ctx context.Context) {
	m.in.overlay = m.new
	m.in.memory = manifestlint.NewMemory(keptMemory)
	if len(m.new) > 0 && m.in.rendered != nil && len(m.in.rendered.Units) > 0 {
		m.app.render(ctx, m.in, m.settings, m.dir, "")
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
			return fmt.Errorf("writing to standard output: %w", cause(err))
		}
	}
	if !m.flags.quiet {
		m.remarks = nil // of the rounds
		m.remark("would mend")
		m.mendable = m.rest
		m.suggestRest()
		for _, remark := range m.remarks {
			fmt.Fprintln(m.Stderr, report.Sanitize(remark))
		}
	}
	switch {
	case sum.Incomplete():
		for _, u := range sum.Unreadable {
			m.complain("%s: %s", u.File, u.Error)
		}
		m.app.status = StatusIncomplete
	case len(m.new) > 0:
		m.app.status = StatusFindings
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
	m.remarks = append(m.remarks, fmt.Sprintf("%s %s in %s", done, count(m.mended, "finding"), count(len(m.new), "file")))
	if m.left > 0 {
		m.remarks = append(m.remarks, fmt.Sprintf("left out %s, because others change the same lines", count(m.left, "fix")))
	}
	m.refusals(func(format string, args ...any) { m.remarks = append(m.remarks, fmt.Sprintf(format, args...)) })
}

// suggestRest tells how what is left can be mended, without what was tried.
func (m *mending) suggestRest() {
	m.run.mendable.safe = 0
	if m.all {
		m.run.mendable.review = 0
	}
	m.suggest()
}

// mendable counts findings by how they can be mended.
type mendable struct{ safe, review, explained int }

func (m *mendable) count(f *rules.Finding) {
	switch {
	case f.Fix != nil && f.Fix.Safe:
		m.safe++
	case f.Fix != nil:
		m.review++
	case len(f.Notes) > 0:
		m.explained++
	}
}

// suggest tells how what was found can be mended. Findings about Go code have
// a like of their own.
func (r *run) suggest() {
	m := r.mendable
	if m.safe > 0 {
		r.remarks = append(r.remarks, count(m.safe, "finding")+" can be mended with --fix; --diff shows how")
	}
	if m.review > 0 {
		r.remarks = append(r.remarks, count(m.review, "finding")+" can be mended with --fix=all, and then need a look; --fix=all --diff shows how")
	}
	if m.explained > 0 {
		r.remarks = append(r.remarks, count(m.explained, "finding")+" must be mended by hand: the notes say why")
	}
}
