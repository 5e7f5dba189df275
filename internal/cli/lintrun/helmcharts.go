package lintrun

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// maxValues is the maximal size of a values file in bytes, 16 MiB.
const maxValues = 16 << 20

// RenderTimeout is the default time limit for rendering one chart.
const RenderTimeout = 30 * time.Second

type helmSettings struct {
	enabled, ciValues bool
	values            *helmchart.Values
	apis              []string
	// timeout is the time limit for rendering one chart. 0 means no limit.
	timeout time.Duration
}

// chooseHelm returns the settings for charts, and reads values files. Flags override the
// configuration.
func chooseHelm(a *app.App, f *Flags, c *config.Config) (helmSettings, error) {
	h := helmSettings{
		enabled:  !settings.Choose(f.Set("no-helm"), f.Helm.No, settings.Not(c.Helm)),
		ciValues: settings.Choose(f.Set("ci-values"), f.Helm.CIValues, c.CIValues),
		values:   &helmchart.Values{},
		timeout:  f.Helm.RenderTimeout,
		apis:     append(slices.Clone(c.APIVersions), f.Helm.APIVersions...),
	}
	if h.timeout < 0 {
		return h, fmt.Errorf("--render-timeout %s: want a positive duration, or 0 for no limit", h.timeout)
	}
	add := func(file treefile.File, name string) error {
		text, err := file.Read(maxValues)
		if err != nil {
			return fmt.Errorf("--values: %w", app.Bare(err, name))
		}
		h.values.AddFile(path.Clean(filepath.ToSlash(name)), text)
		return nil
	}
	for _, name := range f.Helm.Values {
		if err := add(treefile.File{Path: a.Path(name)}, name); err != nil {
			return h, err
		}
	}
	if !f.Set("values") {
		for i, name := range c.Values {
			file, err := c.Resolve("values", i, name, "--values")
			if err != nil {
				return h, err
			}
			if err := add(file, a.Name(file.Path)); err != nil {
				return h, err
			}
		}
	}
	for kind, texts := range f.Helm.Sets {
		kind := helmchart.SetKind(kind)
		for _, text := range texts {
			if kind == helmchart.SetFile {
				key, file, ok := strings.Cut(text, "=")
				if !ok {
					return h, fmt.Errorf("--set-file %q: want key=path", text)
				}
				data, err := treefile.File{Path: a.Path(file)}.Read(maxValues)
				if err != nil {
					return h, fmt.Errorf("--set-file: %w", app.Bare(err, file))
				}
				text = key + "=" + string(data)
			}
			h.values.AddSet(kind, text)
		}
	}
	if err := h.values.Check(); err != nil {
		var fail *helmchart.Failure
		if errors.As(err, &fail) {
			return h, fmt.Errorf("--values: %w", err)
		}
		return h, err
	}
	return h, nil
}

// renderCharts renders the charts that are inputs.
func (in *Inputs) renderCharts(ctx context.Context, s *Settings, boundary string) *rendered.Set {
	set, rest := helmchart.Build(ctx, in.List, helmchart.Options{
		Target: s.Target,
		APIs: func() []string {
			given, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{
				Kinds: []string{"CustomResourceDefinition"}, MaxDocument: int(s.maxDocument), NewReader: in.NewReader,
			})
			if err != nil { // an error of the context, which ends the run
				return s.helm.apis
			}
			return slices.Concat(s.helm.apis, servedAPIs(in.contextObjects), servedAPIs(given))
		},
		Values:   s.helm.values,
		Variants: s.helm.ciValues,
		Sources:  in.sources,
		Anywhere: s.followSymlinks,
		Boundary: boundary,
		Overlay:  s.Overlay,
		Workers:  s.chartWorkers(),
	})
	in.List = rest
	return set
}

// servedAPIs returns the APIs that custom resource definitions in objects serve, in the
// form of .Capabilities.APIVersions in charts.
func servedAPIs(objects []objectcontext.Object) []string {
	var all []string
	for i := range objects {
		d, ok := customresource.Read(objects[i].Body())
		if !ok {
			continue
		}
		for _, version := range d.Served() {
			all = append(all, d.Group+"/"+version, d.Group+"/"+version+"/"+d.Kind)
		}
	}
	return all
}

// lintSketches lints the branches of templates that no rendering of the chart contains.
// It adds only the number of their findings to sum.
func lintSketches(ctx context.Context, linter *manifestlint.Linter, in *Inputs, sum *rules.Summary, emit func(rules.Finding) error) error {
	pieces, err := linter.Run(ctx, func(yield func(manifestlint.Input) bool) {
		for i := range in.rendered.Sketches {
			if !yield(in.rendered.Sketches[i].Input()) {
				return
			}
		}
	}, emit)
	for rule, n := range pieces.Findings {
		sum.Findings[rule] += n
	}
	return err
}
