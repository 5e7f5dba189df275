package kustomize

import (
	"fmt"
	"path/filepath"

	"github.com/kubevet/kubevet/rules"
	"sigs.k8s.io/kustomize/api/types"
)

// Chart is a local Helm chart that a kustomization inflates: kustomize's
// HelmChart, with physical paths.
type Chart struct {
	Dir string
	types.HelmChart
	// Root is the kustomization's directory. Paths of values files are relative
	// to it.
	Root string
}

// replaceCharts replaces the entries of helmCharts by resources with the
// rendered objects. It leaves out charts that cannot be rendered, and reports
// each failure.
func (s *entryChecker) replaceCharts(report func(*failure)) {
	k := s.k
	if len(k.HelmCharts) == 0 || s.b.o.EnableHelm && s.b.o.HelmCommand != "" {
		return
	}
	s.out.HelmCharts, s.out.HelmGlobals = nil, nil
	for i, chart := range k.HelmCharts {
		at := k.places.span("helmCharts", i, "name")
		if at.line == 0 {
			at = k.places.span("helmCharts")
		}
		switch {
		case !s.b.o.EnableHelm:
			s.skipped = append(s.skipped, k.unsupported(rules.SkipNotRendered, at, fmt.Sprintf("the Helm chart %s: --enable-helm inflates it", chart.Name)))
			continue
		case s.b.o.Inflate == nil:
			s.skipped = append(s.skipped, k.unsupported(rules.SkipNotRendered, at, fmt.Sprintf("the Helm chart %s: --helm-command names the program that inflates it", chart.Name)))
			continue
		}
		dir := s.chartDir(chart)
		if !isDir(dir) {
			if chart.Repo == "" {
				report(k.mistake(at, fmt.Sprintf("the Helm chart %s is not in %s, and no repo is named", chart.Name, s.b.o.Name(filepath.Dir(dir)))))
				continue
			}
			s.skipped = append(s.skipped, k.unsupported(rules.SkipNotFetched, at, fmt.Sprintf("the Helm chart %s of %s", chart.Name, chart.Repo)))
			continue
		}
		real, err := k.links.resolve(dir)
		if g := k.HelmGlobals; g != nil && filepath.IsAbs(g.ChartHome) && k.boundary == "" {
			dir = "" // mayRead then handles the path like a link
		}
		if err != nil || !k.mayRead(dir, real) {
			report(k.outsideBoundary(at, "the Helm chart "+chart.Name, real))
			continue
		}
		text, err := s.b.o.Inflate(s.b.ctx, Chart{Dir: real, HelmChart: chart, Root: k.dir})
		if err != nil {
			report(k.mistake(at, fmt.Sprintf("the Helm chart %s does not render: %v", chart.Name, err)))
			continue
		}
		name := fmt.Sprintf(".kubevet-chart-%d.yaml", i)
		full := filepath.Join(k.dir, name)
		s.texts[full] = s.numbering.file(full, text)
		s.chartEntries[full] = location{path: k.path, span: at}
		s.out.Resources = append(s.out.Resources, name)
	}
}

// chartDir returns the directory in which kustomize expects a chart
// (api/internal/builtins, HelmChartInflationGenerator, 0.21).
func (s *entryChecker) chartDir(chart types.HelmChart) string {
	home := types.HelmDefaultHome
	if g := s.k.HelmGlobals; g != nil && g.ChartHome != "" {
		home = g.ChartHome
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(s.k.dir, filepath.FromSlash(home))
	}
	if chart.Version != "" && chart.Repo != "" {
		home = filepath.Join(home, fmt.Sprintf("%s-%s", chart.Name, chart.Version))
	}
	return filepath.Join(home, chart.Name)
}
