package lintrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubevet/kubevet/internal/cli/app"
	"github.com/kubevet/kubevet/internal/treefile"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/manifestlint/source/kustomize"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// inflate renders a chart of a kustomization for the newest minor of the target, as
// kustomize does with the helm command (sigs.k8s.io/kustomize/api v0.21.2,
// internal/builtins/HelmChartInflationGenerator.go).
func (s *Settings) inflate(_ context.Context, c kustomize.Chart) ([]byte, error) {
	o := helmchart.Inflation{
		Values:      &helmchart.Values{},
		Cluster:     helmchart.ClusterAt(s.Target, s.Target.To, slices.Concat(s.helm.apis, c.ApiVersions)),
		Release:     helmchart.Release{Name: c.ReleaseName, Namespace: c.Namespace},
		IncludeCRDs: c.IncludeCRDs, SkipTests: c.SkipTests, SkipHooks: c.SkipHooks,
		Overlay: s.Overlay,
		Workers: s.chartWorkers(),
	}
	if c.KubeVersion != "" {
		o.Cluster.Version = c.KubeVersion
	}
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	read := func(name string) error {
		// name is relative to the directory of the chart. A file outside this directory
		// is not read.
		data, unsaved, err := s.Overlay.Read(filepath.Join(c.Root, filepath.FromSlash(name)), maxValues)
		if !unsaved {
			data, err = treefile.ReadIn(root, filepath.FromSlash(name), nil, maxValues)
		}
		if err != nil {
			return fmt.Errorf("values file: %w", app.Bare(err, name))
		}
		o.Values.AddFile(name, data)
		return nil
	}
	inline, err := inlineValues(c.ValuesInline)
	if err != nil {
		return nil, err
	}
	// By default, inline values override the file. The key valuesMerge can change this.
	if inline != nil && c.ValuesMerge == "merge" {
		o.Values.AddFile("valuesInline", inline)
	}
	if c.ValuesFile != "" && (inline == nil || c.ValuesMerge != "replace") {
		if err := read(c.ValuesFile); err != nil {
			return nil, err
		}
	}
	if inline != nil && c.ValuesMerge != "merge" {
		o.Values.AddFile("valuesInline", inline)
	}
	for _, name := range c.AdditionalValuesFiles {
		if err := read(name); err != nil {
			return nil, err
		}
	}
	return helmchart.Inflate(c.Dir, o)
}

func inlineValues(values map[string]any) ([]byte, error) {
	if len(values) == 0 {
		return nil, nil
	}
	return yaml.Marshal(values)
}
