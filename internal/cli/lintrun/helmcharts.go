package lintrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/internal/cli/reporting"
	"github.com/kubevet/kubevet/internal/cli/settings"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/objectcontext"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
)

// maxValues is the largest file with values.
const maxValues = 16 << 20

// chooseHelm lays the flags over the configuration.
func chooseHelm(a *app.App, s *settings.Settings, f *Flags, c *config.Config) error {
	h := settings.HelmSettings{
		Enabled:  !settings.Choose(f.Set("no-helm"), f.Helm.No, settings.Not(c.Helm)),
		CiValues: settings.Choose(f.Set("ci-values"), f.Helm.CiValues, c.CIValues),
		Values:   &helmchart.Values{},
		Apis:     append(slices.Clone(c.APIVersions), f.Helm.ApiVersions...),
	}
	files := slices.Clone(f.Helm.Values)
	if !f.Set("values") {
		for _, file := range c.Values {
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(s.ConfigFile), filepath.FromSlash(file))
			}
			files = append(files, a.Name(file))
		}
	}
	for _, name := range files {
		text, err := readValues(a.Path(name))
		if err != nil {
			return fmt.Errorf("--values: %w", app.Bare(err, name))
		}
		h.Values.AddFile(path.Clean(filepath.ToSlash(name)), text)
	}
	for kind, texts := range f.Helm.Sets {
		kind := helmchart.SetKind(kind)
		for _, text := range texts {
			if kind == helmchart.SetFile {
				key, file, ok := strings.Cut(text, "=")
				if !ok {
					return fmt.Errorf("--set-file %q: want key=path", text)
				}
				data, err := readValues(a.Path(file))
				if err != nil {
					return fmt.Errorf("--set-file: %w", app.Bare(err, file))
				}
				text = key + "=" + string(data)
			}
			h.Values.AddSet(kind, text)
		}
	}
	if err := h.Values.Check(); err != nil {
		var fail *helmchart.Failure
		if errors.As(err, &fail) {
			return fmt.Errorf("--values: %w", err)
		}
		return err
	}
	s.Helm = h
	return nil
}

func readValues(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxValues+1))
	if err == nil && len(data) > maxValues {
		err = fmt.Errorf("larger than %d MiB", maxValues>>20)
	}
	return data, err
}

// renderCharts renders the charts among the inputs.
func (in *Inputs) renderCharts(ctx context.Context, s *settings.Settings, boundary string) *rendered.Set {
	set, rest := helmchart.Build(ctx, in.List, helmchart.Options{
		Target: s.Target,
		APIs: func() []string {
			given, err := objectcontext.Collect(ctx, in.Seq(), objectcontext.Options{
				Kinds: []string{"CustomResourceDefinition"}, MaxDocument: int(s.MaxDocument), NewReader: in.NewReader,
			})
			if err != nil { // the context's, which ends the run
				return s.Helm.Apis
			}
			return slices.Concat(s.Helm.Apis, servedAPIs(in.given), servedAPIs(given))
		},
		Values:   s.Helm.Values,
		Variants: s.Helm.CiValues,
		Sources:  in.sources,
		Anywhere: s.FollowSymlinks,
		Boundary: boundary,
	})
	in.List = rest
	return set
}

// servedAPIs are the APIs that custom resource definitions bring, as charts
// ask for them.
func servedAPIs(given []objectcontext.Object) []string {
	var all []string
	for i := range given {
		d, ok := customresource.Read(given[i].Body())
		if !ok {
			continue
		}
		for _, version := range d.Served() {
			all = append(all, d.Group+"/"+version, d.Group+"/"+version+"/"+d.Kind)
		}
	}
	return all
}

// tellSketches judges what could have been rendered and was not. It is in
// nobody's count but that of findings.
func tellSketches(ctx context.Context, r *reporting.Run, linter *manifestlint.Linter, in *Inputs, l *folded, sum *rules.Summary) error {
	pieces, err := linter.Run(ctx, func(yield func(manifestlint.Input) bool) {
		for i := range in.Rendered.Sketches {
			if !yield(in.Rendered.Sketches[i].Input()) {
				return
			}
		}
	}, func(f rules.Finding) error {
		if l.add(f) {
			return nil
		}
		return r.Tell(f)
	})
	for rule, n := range pieces.Findings {
		sum.Findings[rule] += n
	}
	return err
}
