package helmchart

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/internal/treefile"

	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options configure Build. The zero value renders like `helm template` without
// flags, but its target has no minors.
type Options struct {
	// Target has the minors to render for. If all minors give the same output,
	// the chart is rendered once.
	Target lifecycle.Target
	// APIs returns further APIs of the cluster, such as custom resources, as
	// group/version or group/version/kind. Build calls it at most once, and only
	// if a chart reads the APIs. It may be nil.
	APIs func() []string
	// Values are values for all charts; nil for none.
	Values *Values
	// Variants also renders each chart with its own alternative values files: see
	// Chart.Variants.
	Variants bool
	// Release is the name and the namespace for all charts.
	Release Release
	// Sources reads the comments in files, such as kubevet:ignore.
	Sources *rendered.Sources
	// Anywhere allows links to any file. If it is false, links must not leave the
	// directory Boundary. An empty Boundary means the chart's git repository, or
	// the chart's directory if there is no repository.
	Anywhere bool
	Boundary string
	// Overlay replaces the texts of files; nil for none.
	Overlay treefile.Overlay
	// Workers are other processes that render the charts. If it is nil, this
	// process renders them, and a hostile chart can crash it.
	Workers Workers
}

// renderer renders one chart: in this process (*Chart), or in a worker
// (*remote).
type renderer interface {
	Compatible(t lifecycle.Target) (minors lifecycle.Minors, constraint string)
	Render(v *Values, cluster Cluster, release Release, keep *Recordings) (*Rendering, error)
	Branches(minors lifecycle.Minors, cluster func(lifecycle.Minor) Cluster, renderings ...*Rendering) []Literal
}

// ruleBuild is the rule of findings for charts that do not render.
const ruleBuild = "syntax"

const chartFile = "Chart.yaml"

type job struct {
	place string // path of the chart as the user would type it
	path  string // path of the chart on this machine
	// only has the paths of the templates whose output is checked; nil for all.
	only map[string]bool
	// inputNames has the names of all inputs of the run.
	inputNames map[string]bool

	out            rendered.Set
	recordings     *Recordings
	ignoreComments ignoreComments
	o              *Options
	cluster        func(lifecycle.Minor) Cluster
}

// Build renders the charts among the inputs: archives, and directories whose
// Chart.yaml is an input. A subchart is rendered with its parent chart. If only
// some templates of a chart are inputs, only their output is checked. The
// returned inputs are all inputs except archives.
func Build(ctx context.Context, inputs []source.Input, o Options) (*rendered.Set, []source.Input) {
	jobs, rest := find(inputs)
	set := &rendered.Set{}
	if len(jobs) == 0 {
		return set, rest
	}
	if o.Values == nil {
		o.Values = &Values{}
	}
	if o.APIs == nil {
		o.APIs = func() []string { return nil }
	}
	apis := sync.OnceValue(o.APIs)
	cluster := clusters(o.Target, apis)
	keep := &Recordings{}
	todo := make(chan *job)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for j := range todo {
				j.run()
			}
		})
	}
	for _, j := range jobs {
		j.o, j.cluster, j.recordings = &o, cluster, keep
		if ctx.Err() != nil {
			break
		}
		todo <- j
	}
	close(todo)
	wg.Wait()
	for _, j := range jobs {
		set.Add(&j.out)
	}
	return set, rest
}

// clusters returns a function that creates the cluster of each minor once.
func clusters(t lifecycle.Target, apis func() []string) func(lifecycle.Minor) Cluster {
	var mu sync.Mutex
	byMinor := map[lifecycle.Minor]Cluster{}
	return func(m lifecycle.Minor) Cluster {
		mu.Lock()
		defer mu.Unlock()
		c, ok := byMinor[m]
		if !ok {
			c = ClusterAt(t, m, apis())
			byMinor[m] = c
		}
		return c
	}
}

// run renders one chart for all minors and for all sets of values.
func (j *job) run() {
	c, err := j.read()
	if err != nil {
		j.fail(j.renderedBy(nil), "", err)
		return
	}
	for _, link := range c.Left {
		j.out.Notes = append(j.out.Notes, fmt.Sprintf("%s: the chart's link %s leads out of the tree and was not followed", j.place, link))
	}
	defer c.parsed.forget()
	var e renderer = c
	if j.o.Workers != nil {
		remote := newRemote(c, j.o.Workers)
		defer remote.done()
		e = remote
	}
	minors, constraint := e.Compatible(j.o.Target)
	if minors.Len() == 0 {
		j.notJudged(rules.SkipNotRendered, "chart requires kubeVersion: "+constraint)
		return
	}
	if minors != j.o.Target.Minors() {
		j.out.Notes = append(j.out.Notes, fmt.Sprintf("%s: rendered for %s only: chart requires kubeVersion: %s", j.place, minors, constraint))
	}
	sets := []*Values{j.o.Values}
	if j.o.Variants {
		sets = append(sets, c.Variants(j.o.Values)...)
	}
	var all []*Rendering
	for _, v := range sets {
		all = append(all, j.renderVariant(c, e, v, minors)...)
	}
	j.addBranches(c, e, minors, all)
}

// renderedBy returns the path that findings report as the source of the
// rendering.
func (j *job) renderedBy(v *Values) string {
	switch {
	case v != nil && v.place != "":
		return v.place
	case isArchive(j.place):
		return j.place
	}
	return path.Join(j.place, chartFile)
}

func (j *job) fail(renderedBy, minors string, err error) {
	f := rules.Finding{Rule: ruleBuild, File: renderedBy, Line: 1, Column: 1, EndLine: 1, EndColumn: 2, RenderedBy: []string{renderedBy}, Minors: minors}
	var fail *Failure
	if errors.As(err, &fail) {
		f.File, f.Line, f.Column = fail.File, max(fail.Line, 1), max(fail.Column, 1)
		f.EndLine, f.EndColumn = f.Line, f.Column+1
		f.Message = "the chart does not render: " + fail.Message
		if fail.Values {
			f.Severity = rules.Warning
		}
	} else {
		f.Message = "the chart does not render: " + oneLine(err.Error())
	}
	if !slices.ContainsFunc(j.out.Findings, func(other rules.Finding) bool {
		return other.File == f.File && other.Line == f.Line && other.Message == f.Message
	}) {
		j.out.Findings = append(j.out.Findings, f)
	}
}

func (j *job) notJudged(reason, detail string) {
	j.out.NotJudged = append(j.out.NotJudged, rules.NotJudged{File: j.renderedBy(nil), Line: 1, Reason: reason, Detail: detail})
}
