package lintrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/kustomize"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Render renders the kustomizations and charts among the inputs.
func (r *Run) Render(ctx context.Context, in *Inputs) { r.set.render(ctx, in, r.Dir, "") }

// RenderAgain renders the inputs again after files changed, if they had anything
// to render.
func (r *Run) RenderAgain(ctx context.Context, in *Inputs) {
	if in.rendered != nil && len(in.rendered.Units) > 0 {
		r.Render(ctx, in)
	}
}

// render renders inputs that are in a directory: the working directory, or a copy
// of it at another revision.
func (s *Settings) render(ctx context.Context, in *Inputs, dir, boundary string) {
	start := time.Now()
	defer func() { in.renderTime = time.Since(start) }()
	in.sources = rendered.NewSources(func(name string) ([]byte, error) { return readSource(dir, name) })
	in.rendered = &rendered.Set{}
	if s.kustomize.enabled {
		in.rendered.Add(kustomize.Build(ctx, in.List, kustomize.Options{
			Name:        (&app.App{Dir: dir}).Name,
			Sources:     in.sources,
			Anywhere:    s.kustomize.anywhere,
			Boundary:    boundary,
			EnableHelm:  s.kustomize.helm,
			HelmCommand: s.kustomize.helmCommand,
			Inflate:     s.inflate,
		}))
	}
	if s.helm.enabled {
		in.rendered.Add(in.renderCharts(ctx, s, boundary))
	}
	in.watched = map[string]bool{}
	for _, name := range in.rendered.Watched {
		in.watched[name] = true
	}
}

// maxSource is the maximal size of a file that findings are traced to.
const maxSource = 64 << 20

func readSource(dir, name string) ([]byte, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errors.New("not a regular file"))
	}
	return io.ReadAll(io.LimitReader(f, maxSource))
}

// place sets what renders a plain input.
func (in *Inputs) place(from *source.Input, input *manifestlint.Input) {
	if in.rendered == nil {
		return
	}
	input.Rendered = in.rendered.Judged[from.Name]
	if input.Rendered != "" || in.watched[from.Name] {
		input.Used = func(line int, rule string) { in.sources.Use(from.Name, line, rule) }
	}
}

// units yields the rendered inputs.
func (in *Inputs) units(yield func(manifestlint.Input) bool) bool {
	if in.rendered == nil {
		return true
	}
	for i := range in.rendered.Units {
		input := in.rendered.Units[i].Input()
		input.Source = in.sources.Text
		if !yield(input) {
			return false
		}
	}
	return true
}

// folded are the findings in rendered objects, each once.
type folded struct {
	list []rules.Finding
	at   map[foldKey]int
	// repeats counts the findings that others repeat, by rule.
	repeats map[string]int
	// written are the findings in scripts. A chart may include such a script, which
	// must not be reported twice.
	written map[wordsKey]bool
}

type wordsKey struct {
	rule, file, message string
	line, column        int
}

func keyOfWords(f *rules.Finding) wordsKey {
	return wordsKey{f.Rule, f.File, f.Message, f.Line, f.Column}
}

// drop removes findings that were reported in scripts.
func (l *folded) drop() {
	if len(l.written) == 0 {
		return
	}
	l.list = slices.DeleteFunc(l.list, func(f rules.Finding) bool {
		again := l.written[keyOfWords(&f)]
		if again {
			l.repeats[f.Rule]++
		}
		return again
	})
}

type foldKey struct {
	rule, file, message              string
	severity                         rules.Severity
	line, column, endLine, endColumn int
}

// add adds a finding in a rendered object. It returns false for other findings.
func (l *folded) add(f rules.Finding) bool {
	if len(f.RenderedBy) == 0 {
		if f.Object == nil && f.Rule == "kubectldryrun" {
			if l.written == nil {
				l.written = map[wordsKey]bool{}
			}
			l.written[keyOfWords(&f)] = true
		}
		return false
	}
	if l.at == nil {
		l.at, l.repeats = map[foldKey]int{}, map[string]int{}
	}
	key := foldKey{f.Rule, f.File, f.Message, f.Severity, f.Line, f.Column, f.EndLine, f.EndColumn}
	i, ok := l.at[key]
	if !ok {
		l.at[key] = len(l.list)
		l.list = append(l.list, f)
		return true
	}
	l.repeats[f.Rule]++
	had := &l.list[i]
	for _, by := range f.RenderedBy {
		if !slices.Contains(had.RenderedBy, by) {
			had.RenderedBy = append(had.RenderedBy, by)
		}
	}
	if had.Minors != f.Minors && had.Minors != "" && f.Minors != "" {
		had.Minors = minorsOf(had.Minors, f.Minors)
	}
	return true
}

// minorsOf returns the union of lists of minors such as 1.25..1.27,1.30.
func minorsOf(lists ...string) string {
	var all lifecycle.Minors
	for _, part := range strings.Split(strings.Join(lists, ","), ",") {
		r, err := lifecycle.ParseRange(part)
		if err != nil {
			return lists[0]
		}
		for m := range r.All() {
			all = all.With(m)
		}
	}
	return all.String()
}

// namedRenderers is how many renderers of a finding are listed.
const namedRenderers = 3

// renderers adds to a finding what rendered it.
func renderers(f *rules.Finding) {
	by := f.RenderedBy
	for i, name := range by {
		if i == namedRenderers && len(by) > namedRenderers+1 {
			f.Related = append(f.Related, rules.Related{File: name, Line: 1, Column: 1, EndLine: 1, EndColumn: 2,
				Message: fmt.Sprintf("renders it, and so do %d more: %d in all", len(by)-i-1, len(by))})
			return
		}
		if name == f.File && f.Rule == "syntax" {
			continue // the finding is about rendering itself
		}
		f.Related = append(f.Related, rules.Related{File: name, Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Message: "renders it"})
	}
}

// reportRendered reports findings in rendered objects, findings about rendering, and
// unused suppressions in sources.
func (r *Run) reportRendered(in *Inputs, l *folded, sum *rules.Summary, emit func(rules.Finding) error) error {
	l.drop()
	sum.Seconds += in.renderTime.Seconds()
	for rule, n := range l.repeats {
		sum.Findings[rule] -= n
	}
	if in.rendered == nil {
		return nil
	}
	for _, n := range in.rendered.NotJudged {
		sum.Skip(n)
	}
	further := slices.DeleteFunc(slices.Clone(in.rendered.Findings), func(f rules.Finding) bool { return !r.Enabled[f.Rule] })
	further = append(further, in.sources.Unused(in.commented(), func(rule string) bool { return r.Enabled[rule] })...)
	for i := range further {
		if own := r.Severity[further[i].Rule]; further[i].Severity == rules.Preview || further[i].Severity > own {
			further[i].Severity = own
		}
		sum.Findings[further[i].Rule]++
	}
	all := append(l.list, further...)
	for i := range all {
		renderers(&all[i])
	}
	slices.SortStableFunc(all, func(a, b rules.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for _, f := range all {
		if err := emit(f); err != nil {
			return err
		}
	}
	if n := len(in.rendered.Units); n > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("rendered: %s of kustomizations and charts, in place of %s", report.Count(n, "build"), report.Count(sum.Skipped[rules.SkipRendered], "document")))
	}
	return nil
}

// commented returns the inputs with suppressions for rendered objects.
func (in *Inputs) commented() []string {
	names := slices.Clone(in.rendered.Watched)
	for i := range in.List {
		// A template's comments may be in a branch that was not rendered.
		if from := &in.List[i]; from.Template == "" && in.rendered.Judged[from.Name] != "" {
			names = append(names, from.Name)
		}
	}
	return names
}
