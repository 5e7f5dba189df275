package cli

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

	"github.com/kubevet/kubevet/internal/cli/config"
	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/manifestlint/source/helmchart"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/spf13/cobra"
)

// helmFlags are the flags about Helm charts as they were given.
type helmFlags struct {
	no          bool
	values      []string
	ciValues    bool
	apiVersions []string
	// sets are those of --set and its siblings, by helmchart.SetKind.
	sets [helmchart.SetLiteral + 1][]string
}

// add adds the flags, with the names and values that helm template has.
func (f *helmFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.no, "no-helm", false, "do not render Helm charts; their templates are then not judged")
	flags.StringArrayVar(&f.values, "values", nil, "render charts with the values of this `file`; may be repeated")
	flags.StringArrayVar(&f.sets[helmchart.Set], "set", nil, "render charts with these `values`: key=value,key.key=value")
	flags.StringArrayVar(&f.sets[helmchart.SetString], "set-string", nil, "as --set, with `values` that are strings")
	flags.StringArrayVar(&f.sets[helmchart.SetJSON], "set-json", nil, "as --set, with `values` that are JSON: key=JSON, or an object")
	flags.StringArrayVar(&f.sets[helmchart.SetFile], "set-file", nil, "as --set, with values that are the contents of `files`: key=path")
	flags.StringArrayVar(&f.sets[helmchart.SetLiteral], "set-literal", nil, "as --set, with one `value` that is taken as it is")
	flags.BoolVar(&f.ciValues, "ci-values", false, "also render each chart with each of its ci/*-values.yaml and values*.yaml, and with each of the former over each of the latter")
	flags.StringSliceVar(&f.apiVersions, "api-versions", nil, "`APIs` that charts see in the cluster besides those of the target and of --crd: example.com/v1,example.com/v1/Kind")
	completeFile(cmd, "values")
	for _, name := range []string{"set", "set-string", "set-json", "set-literal", "api-versions"} {
		complete(cmd, name, cobra.NoFileCompletions)
	}
	completeFile(cmd, "set-file")
}

// helmSettings are what flags and configuration say about charts.
type helmSettings struct {
	enabled, ciValues bool
	values            *helmchart.Values
	apis              []string
}

// maxValues is the largest file with values.
const maxValues = 16 << 20

// chooseHelm lays the flags over the configuration.
func (a *app) chooseHelm(s *settings, f *lintFlags, c *config.Config) error {
	h := helmSettings{
		enabled:  !choose(f.set("no-helm"), f.helm.no, not(c.Helm)),
		ciValues: choose(f.set("ci-values"), f.helm.ciValues, c.CIValues),
		values:   &helmchart.Values{},
		apis:     append(slices.Clone(c.APIVersions), f.helm.apiVersions...),
	}
	files := slices.Clone(f.helm.values)
	if !f.set("values") {
		for _, file := range c.Values {
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(s.configFile), filepath.FromSlash(file))
			}
			files = append(files, a.name(file))
		}
	}
	for _, name := range files {
		text, err := readValues(a.path(name))
		if err != nil {
			return fmt.Errorf("--values: %w", bare(err, name))
		}
		h.values.AddFile(path.Clean(filepath.ToSlash(name)), text)
	}
	for kind, texts := range f.helm.sets {
		kind := helmchart.SetKind(kind)
		for _, text := range texts {
			if kind == helmchart.SetFile {
				key, file, ok := strings.Cut(text, "=")
				if !ok {
					return fmt.Errorf("--set-file %q: want key=path", text)
				}
				data, err := readValues(a.path(file))
				if err != nil {
					return fmt.Errorf("--set-file: %w", bare(err, file))
				}
				text = key + "=" + string(data)
			}
			h.values.AddSet(kind, text)
		}
	}
	if err := h.values.Check(); err != nil {
		var fail *helmchart.Failure
		if errors.As(err, &fail) {
			return fmt.Errorf("--values: %w", err)
		}
		return err
	}
	s.helm = h
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
func (in *inputs) renderCharts(ctx context.Context, s *settings, boundary string) *rendered.Set {
	set, rest := helmchart.Build(ctx, in.list, helmchart.Options{
		Target: s.target,
		APIs: func() []string {
			given, err := manifestlint.Gather(ctx, in.seq(), manifestlint.GatherOptions{
				Kinds: []string{"CustomResourceDefinition"}, MaxDocument: int(s.maxDocument), NewReader: in.newReader,
			})
			if err != nil { // the context's, which ends the run
				return s.helm.apis
			}
			return slices.Concat(s.helm.apis, servedAPIs(in.given), servedAPIs(given))
		},
		Values:   s.helm.values,
		Variants: s.helm.ciValues,
		Sources:  in.sources,
		Anywhere: s.followSymlinks,
		Boundary: boundary,
	})
	in.list = rest
	return set
}

// servedAPIs are the APIs that custom resource definitions bring, as charts
// ask for them.
func servedAPIs(given []manifestlint.Given) []string {
	var all []string
	for i := range given {
		root := given[i].Object.Tree()
		d, ok := customresource.Read(root)
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
func (r *run) tellSketches(ctx context.Context, linter *manifestlint.Linter, in *inputs, l *folded, sum *rules.Summary) error {
	pieces, err := linter.Run(ctx, func(yield func(manifestlint.Input) bool) {
		for i := range in.rendered.Sketches {
			if !yield(in.rendered.Sketches[i].Input()) {
				return
			}
		}
	}, func(f rules.Finding) error {
		if l.add(f) {
			return nil
		}
		return r.tell(f)
	})
	for rule, n := range pieces.Findings {
		sum.Findings[rule] += n
	}
	return err
}
