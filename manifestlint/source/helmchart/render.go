package helmchart

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

// Release has the name and the namespace of a release. A chart can read them.
// The zero value has the defaults of `helm template`.
type Release struct {
	// Name and Namespace default to release-name and default.
	Name, Namespace string
}

// Output is the output of one template. NOTES.txt and partials, whose names
// begin with an underscore, have no Output.
type Output struct {
	// Template is the path of the template's file as the user would type it.
	Template string
	// Text is the rendered text.
	Text string
	// Found is set if the template's file is a regular file in the chart's
	// directory, not a link or a file in an archive.
	Found bool

	key       string
	traceable bool // positions in the output can be traced to the template
}

// Rendering is one rendering of a chart. It is immutable and safe for
// concurrent use.
type Rendering struct {
	Chart *Chart
	// Outputs are sorted by the names of their templates.
	Outputs []Output
	// Missing are the names of enabled dependencies that are not in charts/.
	Missing []string
	// CRDs are the files of crds/ directories, which Helm installs unchanged.
	CRDs []CRD

	// Templates are the paths of all templates that were executed or could be
	// called, as the user would type them.
	Templates []string

	// renderAgain renders the chart again and returns the recording. It is nil if
	// traces is set.
	renderAgain func() *recording
	recordings  *Recordings
	executed    map[nodePos]bool // nodes that were executed
	// traces asks the worker that rendered the chart for positions; nil if this
	// process rendered it.
	traces *remoteTraces
}

// CRD is a file of a crds/ directory.
type CRD struct {
	// Place is the path of the file as the user would type it.
	Place string
	Text  []byte
	// Packed is set if the file is in an archive.
	Packed bool
}

// ErrLibrary is the error for a library chart, which has no output of its own.
var ErrLibrary = errors.New("a library chart renders nothing")

// IncompatibleError is the error for a chart that does not support the
// cluster's Kubernetes version.
type IncompatibleError struct {
	// Constraint is the kubeVersion in Chart.yaml, such as ">=1.25.0".
	Constraint string
}

// Error returns a message that contains the constraint.
func (e *IncompatibleError) Error() string {
	return "chart requires kubeVersion: " + e.Constraint
}

// Render renders the chart for a cluster. The error is a *Failure, ErrLibrary
// or an *IncompatibleError. If a template fails, r has the templates that could
// be read, and Branches can use it. keep caches recordings for several calls;
// nil for a new cache.
func (c *Chart) Render(v *Values, cluster Cluster, release Release, keep *Recordings) (r *Rendering, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Failure{File: c.chartFile(), Message: fmt.Sprintf("rendering the chart panics: %v", p)}
		}
	}()
	b := c.spare.Swap(nil)
	if b == nil {
		if b, err = c.build(); err != nil {
			return nil, err
		}
	}
	if b.chart.Metadata.Type == "library" {
		return nil, ErrLibrary
	}
	caps, err := cluster.capabilities()
	if err != nil {
		return nil, err
	}
	if want := b.chart.Metadata.KubeVersion; want != "" && !compatible(want, cluster.Version) {
		return nil, &IncompatibleError{want}
	}
	values, err := v.merge()
	if err != nil {
		return nil, err
	}
	if err := chartutil.ProcessDependencies(b.chart, values); err != nil {
		return nil, c.failure(b, nil, err)
	}
	if keep == nil {
		keep = &Recordings{}
	}
	r = &Rendering{Chart: c, Missing: missing(b.chart), recordings: keep}
	options := common.ReleaseOptions{Name: release.Name, Namespace: release.Namespace, Revision: 1, IsInstall: true}
	if options.Name == "" {
		options.Name = "release-name"
	}
	if options.Namespace == "" {
		options.Namespace = "default"
	}
	prepare := func() (common.Values, error) {
		return util.ToRenderValuesWithSchemaValidation(b.chart, values, options, caps, true)
	}
	top, err := prepare()
	if err != nil {
		return r, c.failure(b, nil, err)
	}
	if fail := b.validate(b.chart, top["Values"]); fail != nil {
		return r, fail
	}
	r.CRDs = b.crds()
	return r, c.render(r, b, v, prepare)
}

// render runs Helm's engine twice. The first run uses instrumented templates.
// It records the origin of the output, and stops if the chart exceeds a limit.
// The second run uses the original templates, and its output is the result.
func (c *Chart) render(r *Rendering, b *built, v *Values, prepare func() (common.Values, error)) error {
	sources := b.templateFiles()
	for _, s := range sources {
		if nestedTooDeep(s.text) {
			return &Failure{File: s.file.place, Message: fmt.Sprintf("%v: blocks are nested deeper than %d", errBudget, maxNesting)}
		}
	}
	rec, followed, err := c.record(b, sources, v, prepare)
	if err != nil && outOfBudget(err) {
		fail := c.failure(b, sources, err)
		fail.overLimit = true
		return fail
	}
	top, err := prepare()
	if err != nil {
		return c.failure(b, sources, err)
	}
	plain, err := run(b.chart, top, fixedFunctions())
	if err != nil {
		fail := c.failure(b, sources, err)
		fail.Values = !strings.HasPrefix(err.Error(), "parse error")
		return fail
	}
	for _, key := range slices.Sorted(maps.Keys(sources)) {
		r.Templates = append(r.Templates, sources[key].file.place)
	}
	r.executed = rec.executedNodes()
	for _, key := range slices.Sorted(maps.Keys(plain)) {
		base := path.Base(key)
		if strings.HasPrefix(base, "_") || base == "NOTES.txt" || strings.TrimSpace(plain[key]) == "" {
			continue
		}
		e := rec.file(key)
		r.Outputs = append(r.Outputs, Output{
			Template: sources[key].file.place, Text: plain[key], key: key,
			Found: sources[key].file.real && !sources[key].file.linked,
			// If the two runs wrote different outputs, positions cannot be traced.
			traceable: e != nil && followed[key] == plain[key] && e.text == plain[key],
		})
	}
	r.renderAgain = func() *recording {
		rec, _, err := c.record(b, sources, v, prepare)
		if err != nil {
			return nil
		}
		recording := &recording{program: rec.program, products: rec.products, values: rec.values, bodies: map[string]*templateOutput{}, files: b.dataFiles()}
		for n, e := range rec.files {
			recording.bodies[rec.program.bodies[n].name] = e
		}
		return recording
	}
	return nil
}

// record renders the chart with instrumented templates. After an error, the
// recorder has all records up to the error.
func (c *Chart) record(b *built, sources map[string]*templateFile, v *Values, prepare func() (common.Values, error)) (*recorder, map[string]string, error) {
	rec := newRecorder(&program{})
	rec.noTimeLimit = c.noTimeLimit
	instrumented, err := instrument(b, sources, rec.program, &c.parsed)
	if err != nil {
		return rec, nil, err
	}
	top, err := prepare()
	if err != nil {
		return rec, nil, err
	}
	countNestedTpl(top["Values"])
	rec.values = newValuesIndex(c, b, v, top["Values"])
	functions := fixedFunctions()
	maps.Copy(functions, rec.recordingFunctions())
	maps.Copy(functions, rec.functions())
	written, err := run(instrumented, top, functions)
	return rec, written, err
}

// outOfBudget reports whether a chart exceeded a limit. The engine may have
// copied only the error's text.
func outOfBudget(err error) bool {
	return errors.Is(err, errBudget) || strings.Contains(err.Error(), errBudget.Error())
}

func run(c *chart.Chart, top common.Values, functions template.FuncMap) (map[string]string, error) {
	return engine.Engine{CustomTemplateFuncs: functions}.RenderWithContext(context.Background(), c, top)
}

// DependsOnCluster reports whether the chart may read the cluster's version or
// APIs. If not, all clusters get the same output.
func (c *Chart) DependsOnCluster(v *Values) bool {
	word := []byte("Capabilities")
	if c.root.mentions(word) {
		return true
	}
	for i := range v.files {
		if strings.Contains(string(v.files[i].text), string(word)) {
			return true
		}
	}
	return slices.ContainsFunc(v.sets, func(s set) bool { return strings.Contains(s.text, string(word)) })
}

func (f *folder) mentions(word []byte) bool {
	return slices.ContainsFunc(f.files, func(one file) bool { return strings.Contains(string(one.data), string(word)) }) ||
		slices.ContainsFunc(f.subs, func(sub *folder) bool { return sub.mentions(word) })
}

// missing returns the names of enabled dependencies that are not in charts/.
func missing(c *chart.Chart) []string {
	var names []string
	for _, d := range c.Metadata.Dependencies {
		if !slices.ContainsFunc(c.Dependencies(), func(in *chart.Chart) bool { return in.Name() == d.Name }) {
			names = append(names, d.Name)
		}
	}
	return names
}

// templateFiles returns the template files by the engine's names for them.
func (b *built) templateFiles() map[string]*templateFile {
	all := map[string]*templateFile{}
	var add func(c *chart.Chart)
	add = func(c *chart.Chart) {
		for _, t := range c.Templates {
			key := path.Join(c.ChartFullPath(), t.Name)
			all[key] = &templateFile{key: key, file: b.origins[t], text: string(t.Data)}
		}
		for _, d := range c.Dependencies() {
			add(d)
		}
	}
	add(b.chart)
	return all
}

func instrument(b *built, sources map[string]*templateFile, p *program, parsed *parseCache) (*chart.Chart, error) {
	texts := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(sources)) {
		text, err := p.add(sources[key], parsed)
		if err != nil {
			return nil, err
		}
		texts[key] = text
	}
	var clone func(c *chart.Chart) *chart.Chart
	clone = func(c *chart.Chart) *chart.Chart {
		out := *c
		out.SetDependencies()
		out.Templates = nil
		for _, t := range c.Templates {
			out.Templates = append(out.Templates, &common.File{Name: t.Name, Data: []byte(texts[path.Join(c.ChartFullPath(), t.Name)])})
		}
		out.Files = nil
		for _, f := range c.Files {
			one := *f
			if mayCallTpl(string(one.Data)) {
				one.Data = []byte(countTplCalls(string(one.Data)))
			}
			out.Files = append(out.Files, &one)
		}
		for _, d := range c.Dependencies() {
			inner := clone(d)
			out.AddDependency(inner)
		}
		return &out
	}
	return clone(b.chart), nil
}

// dataFiles returns the files that templates can read with .Files, ordered by
// place.
func (b *built) dataFiles() []*file {
	const largest = 4 << 20
	var all []*file
	for _, f := range b.origins {
		if f != nil && !strings.HasPrefix(f.name, "templates/") && len(f.data) < largest {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *file) int { return strings.Compare(a.place, b.place) })
	return all
}

// crds returns the files of the crds/ directories, ordered by place.
func (b *built) crds() []CRD {
	var all []CRD
	for _, o := range b.chart.CRDObjects() {
		if f := b.origins[o.File]; f != nil {
			all = append(all, CRD{Place: f.place, Text: f.data, Packed: !f.real})
		}
	}
	slices.SortFunc(all, func(a, b CRD) int { return strings.Compare(a.Place, b.Place) })
	return all
}

func (c *Chart) chartFile() string {
	if isArchive(c.Place) {
		return c.Place
	}
	return path.Join(c.Place, "Chart.yaml")
}
