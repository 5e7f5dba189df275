package lintrun

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/report"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/manifestlint/source/kustomize"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
)

// Render renders the kustomizations and charts that are inputs.
func (r *Run) Render(ctx context.Context, in *Inputs) {
	step := app.NewStep(r.Line, "rendering kustomizations and charts", 0)
	defer step.Done()
	r.set.render(ctx, in, r.Dir, "")
}

// RenderAgain renders the kustomizations and charts again after files have changed.
// Without kustomizations and charts, it does nothing.
func (r *Run) RenderAgain(ctx context.Context, in *Inputs) {
	if in.rendered != nil && len(in.rendered.Units) > 0 {
		r.Render(ctx, in)
	}
}

// render renders the kustomizations and charts in in. Names of inputs are relative to
// dir: the working directory, or a copy of it at another git revision. No file outside
// boundary is read.
func (s *Settings) render(ctx context.Context, in *Inputs, dir, boundary string) {
	start := time.Now()
	defer func() { in.renderTime = time.Since(start) }()
	in.sources = rendered.NewSources(func(name string) ([]byte, error) { return s.readSource(dir, name) })
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
			Overlay:     s.Overlay,
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

// chartWorkers returns the processes that render charts, or nil if this process renders
// them.
func (s *Settings) chartWorkers() helmchart.Workers {
	if s.workers == nil {
		return nil
	}
	return s.workers
}

// maxSource is the maximal size of a source file in which a finding is located, in bytes
// (64 MiB).
const maxSource = 64 << 20

func (s *Settings) readSource(dir, name string) ([]byte, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if text, ok, err := s.Overlay.Read(path, maxSource); ok {
		return text, err
	}
	return treefile.Read(path, nil, maxSource)
}

// addRenderers adds the kustomizations and charts that render an input.
func (in *Inputs) addRenderers(from *source.Input, input *manifestlint.Input) {
	if in.rendered == nil {
		return
	}
	input.Rendered, input.Unrendered = in.rendered.Renderers[from.Name], in.rendered.Unrendered[from.Name]
	if input.Rendered != "" || in.watched[from.Name] {
		input.Used = func(line int, rule string) { in.sources.Use(from.Name, line, rule) }
	}
}

// units yields the rendered objects as inputs. It returns false if yield returned false.
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

// reportRendered reports the findings that had to wait until all inputs were linted, and
// adds them to sum:
//
//   - findings in scripts and in rendered objects
//   - findings about rendering itself
//   - unused suppressions in sources
func (r *Run) reportRendered(in *Inputs, held *renderedFindings, sum *rules.Summary, emit func(rules.Finding) error) error {
	held.removeReported()
	sum.Seconds += in.renderTime.Seconds()
	for rule, n := range held.repeats {
		sum.Findings[rule] -= n
	}
	all, repeats := held.scripts.fold()
	for rule, n := range repeats {
		sum.Findings[rule] -= n
	}
	all = append(all, held.list...)
	if in.rendered != nil {
		all = append(all, r.aboutRendering(in, sum)...)
	}
	for i := range all {
		addRendererPlaces(&all[i])
	}
	slices.SortStableFunc(all, func(a, b rules.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	for _, f := range all {
		if err := emit(f); err != nil {
			return err
		}
	}
	if in.rendered != nil && len(in.rendered.Units) > 0 {
		r.Remarks = append(r.Remarks, fmt.Sprintf("rendered: %s of kustomizations and charts, in place of %s", report.Count(len(in.rendered.Units), "build"), report.Count(sum.Skipped[rules.SkipRendered], "document")))
	}
	return nil
}

// aboutRendering returns the findings about rendering itself, and about unused
// suppressions in sources. It adds their number, and the files that could not be
// rendered, to sum.
func (r *Run) aboutRendering(in *Inputs, sum *rules.Summary) []rules.Finding {
	for _, n := range in.rendered.NotJudged {
		sum.Skip(n)
	}
	further := slices.DeleteFunc(slices.Clone(in.rendered.Findings), func(f rules.Finding) bool { return !r.Enabled[f.Rule] })
	further = append(further, in.sources.Unused(in.suppressionSources(), func(rule string) bool { return r.Enabled[rule] })...)
	for i := range further {
		if own := r.Severity[further[i].Rule]; further[i].Severity == rules.Preview || further[i].Severity > own {
			further[i].Severity = own
		}
		sum.Findings[further[i].Rule]++
	}
	return further
}

// suppressionSources returns the names of the inputs that may have suppressions for
// rendered objects.
func (in *Inputs) suppressionSources() []string {
	names := slices.Clone(in.rendered.Watched)
	for i := range in.List {
		// Templates are left out. A suppression may be in a branch that was not rendered,
		// so it cannot be called unused.
		if from := &in.List[i]; from.Template == "" && in.rendered.Renderers[from.Name] != "" {
			names = append(names, from.Name)
		}
	}
	return names
}
