package helmchart

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/kubevet/kubevet/internal/treefile"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/manifestlint/source"
	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Options configure Build. The zero value renders as `helm template` does
// without flags, but its target has no minors.
type Options struct {
	// Target has the minors to render for. A chart is rendered once if the
	// minor makes no difference to it.
	Target lifecycle.Target
	// APIs returns additional APIs of the cluster, such as the APIs of custom
	// resources. Each entry is group/version or group/version/kind. APIs is
	// called at most once, and only if a chart reads the APIs. It may be nil.
	APIs func() []string
	// Values are values for all charts. It may be nil.
	Values *Values
	// Variants also renders each chart with each of its own alternative values
	// files: see Chart.Variants.
	Variants bool
	// Release is the name and the namespace of the release for all charts.
	Release Release
	// Sources reads the comments in files, such as kubevet:ignore.
	Sources *rendered.Sources
	// Anywhere follows links to any location. If it is false, links must not
	// leave the directory Boundary. If Boundary is empty, links must not leave
	// the chart's git repository. Without a repository, they must not leave the
	// chart's directory.
	Anywhere bool
	Boundary string
	// Overlay replaces the texts of files.
	Overlay treefile.Overlay
	// Workers are other processes that render the charts. If it is nil, this
	// process renders them, and a hostile chart can end it.
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

// chartFile is the name of the file that every chart has.
const chartFile = "Chart.yaml"

// job is one chart to render.
type job struct {
	place string // as the user would type it
	path  string // on this machine
	// only are the paths of the templates whose output is checked; nil for all.
	only map[string]bool
	// known are the names of all inputs of the run.
	known map[string]bool

	out     rendered.Set
	kept    *Recordings
	ignored comments
	o       *Options
	cluster func(lifecycle.Minor) Cluster
}

// Build renders the charts among the inputs of a run: archives, and the
// directories whose Chart.yaml is an input. A subchart is rendered as a part of
// its parent chart. If only some templates of a chart are inputs, only the
// output of these templates is checked. Build removes archives from the inputs,
// since they are not manifests.
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
		j.o, j.cluster, j.kept = &o, cluster, keep
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

// clusters returns a function that returns the cluster of a minor. Each cluster
// is created once.
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

// find returns the charts to render, and the inputs that are not archives of
// charts.
func find(inputs []source.Input) (jobs []*job, rest []source.Input) {
	known := make(map[string]bool, len(inputs))
	for i := range inputs {
		known[inputs[i].Name] = true
	}
	byPlace := map[string]*job{}
	add := func(place, dir string) *job {
		j := byPlace[place]
		if j == nil {
			j = &job{place: place, path: dir, known: known}
			byPlace[place] = j
			jobs = append(jobs, j)
		}
		return j
	}
	for i := range inputs {
		in := &inputs[i]
		switch {
		case isArchive(in.Name) && in.Named() && !in.Stream():
			add(in.Name, in.Path)
			continue
		case path.Base(in.Name) == chartFile && !(inCharts(path.Dir(in.Name)) && known[path.Join(path.Dir(in.Name), "../..", chartFile)]):
			add(path.Dir(in.Name), filepath.Dir(in.Path))
		case in.Template != "" && in.Named():
			// A subchart is rendered by the outermost chart around it.
			dir, real := path.Dir(in.Name), filepath.Dir(in.Path)
			for dir != in.Template && path.Dir(dir) != dir {
				dir, real = path.Dir(dir), filepath.Dir(real)
			}
			for inCharts(dir) && isFile(filepath.Join(real, "..", "..", chartFile)) {
				dir, real = path.Dir(path.Dir(dir)), filepath.Dir(filepath.Dir(real))
			}
			if known[path.Join(dir, chartFile)] || dir != in.Template && path.Base(dir) == "." {
				break
			}
			j := add(dir, real)
			if j.only == nil {
				j.only = map[string]bool{}
			}
			j.only[in.Name] = true
		}
		rest = append(rest, *in)
	}
	return jobs, rest
}

// inCharts reports whether a directory is an entry of a charts/ directory.
func inCharts(dir string) bool { return path.Base(path.Dir(dir)) == "charts" }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// run renders one chart for all minors, once for each set of values.
func (j *job) run() {
	c, err := j.read()
	if err != nil {
		j.fail(j.by(nil), "", err)
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
		all = append(all, j.variant(c, e, v, minors)...)
	}
	j.branches(c, e, minors, all)
}

// branches adds the objects in branches of templates that no rendering
// executed.
func (j *job) branches(c *Chart, e renderer, minors lifecycle.Minors, renderings []*Rendering) {
	if len(renderings) > 0 {
		j.notExecuted(c.root)
	}
	for _, l := range e.Branches(minors, j.cluster, renderings...) {
		if j.only != nil && !j.only[l.File] {
			continue
		}
		if j.known[l.File] && j.out.Renderers[l.File] == "" && !l.Template {
			continue // it is checked without rendering, as a plain YAML file
		}
		for _, r := range runs(l.Minors) {
			j.out.Sketches = append(j.out.Sketches, j.sketch(c, l, r))
		}
	}
}

// notExecuted marks those templates of disabled subcharts that have no actions
// as rendered by the chart. The linter then checks only their YAML syntax.
// Branches searches them for literals instead.
func (j *job) notExecuted(f *folder) {
	for i := range f.files {
		one := &f.files[i]
		if j.known[one.place] && strings.HasPrefix(one.name, "templates/") && !bytes.Contains(one.data, []byte("{{")) && (j.only == nil || j.only[one.place]) {
			j.mark(one.place)
		}
	}
	for _, sub := range f.subs {
		j.notExecuted(sub)
	}
}

// mark records that the chart renders an input.
func (j *job) mark(name string) {
	if j.out.Renderers == nil {
		j.out.Renderers = map[string]string{}
	}
	j.out.Renderers[name] = j.by(nil)
}

// runs splits a set of minors into ranges without gaps.
func runs(s lifecycle.Minors) (all []lifecycle.Range) {
	for m := range s.All() {
		if n := len(all) - 1; n >= 0 && all[n].To == m-1 {
			all[n].To = m
		} else {
			all = append(all, lifecycle.Range{From: m, To: m})
		}
	}
	return all
}

// sketched are the rules that need only the apiVersion and the kind of an
// object.
var sketched = []string{"removedapi", "deprecatedapi", "disabledapi"}

// sketch returns a unit for an object with a known apiVersion and kind only.
func (j *job) sketch(c *Chart, l Literal, r lifecycle.Range) rendered.Unit {
	by, sources, ignored := j.by(nil), j.o.Sources, &j.ignored
	return rendered.Unit{
		Name: l.File, By: by, Text: fmt.Appendf(nil, "apiVersion: %s\nkind: %s\n", l.APIVersion, l.Kind), Target: j.narrowed(r),
		Trace: func(f *rules.Finding) bool {
			if !slices.Contains(sketched, f.Rule) {
				return false
			}
			f.Severity = rules.Preview
			f.Message += ", in a branch that was not rendered"
			f.File, f.Line, f.Column, f.EndLine, f.EndColumn, f.Document = l.File, l.Line, l.Column, l.Line, l.EndColumn, 0
			f.Related, f.RenderedBy = nil, []string{by}
			return !ignored.suppress(f, c.textOf(f.File)) && !sources.Suppressed(f)
		},
	}
}

// narrowed returns the target with the range r. It returns nil if r is already
// the target's range.
func (j *job) narrowed(r lifecycle.Range) *lifecycle.Target {
	if r == j.o.Target.Range {
		return nil
	}
	t := j.o.Target
	t.Range = r
	return &t
}

// read reads the chart.
func (j *job) read() (*Chart, error) {
	if isArchive(j.place) {
		f, err := os.Open(j.path)
		if err != nil {
			return nil, &Failure{File: j.place, Message: reason(err)}
		}
		defer f.Close()
		return ReadArchive(f, j.place)
	}
	abs, err := filepath.Abs(j.path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &Failure{File: path.Join(j.place, chartFile), Message: reason(err)}
	}
	boundary := abs
	switch {
	case j.o.Anywhere:
		boundary = filepath.VolumeName(abs) + string(filepath.Separator)
	case j.o.Boundary != "":
		boundary = j.o.Boundary
	default:
		if top := repository(abs); top != "" {
			boundary = top
		}
	}
	below, err := filepath.Rel(boundary, abs)
	if err != nil || strings.HasPrefix(below, "..") {
		boundary, below = abs, "."
	}
	root, err := os.OpenRoot(boundary)
	if err != nil {
		return nil, &Failure{File: path.Join(j.place, chartFile), Message: reason(err)}
	}
	defer root.Close()
	return ReadDir(root, below, j.place, j.o.Overlay)
}

// repository returns the root of the git repository that contains a directory.
// It returns "" if there is no repository.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// by returns the path of the file that reports name as the source of the
// rendering.
func (j *job) by(v *Values) string {
	switch {
	case v != nil && v.place != "":
		return v.place
	case isArchive(j.place):
		return j.place
	}
	return path.Join(j.place, chartFile)
}

// fail adds a finding that the chart does not render.
func (j *job) fail(by, minors string, err error) {
	f := rules.Finding{Rule: ruleBuild, File: by, Line: 1, Column: 1, EndLine: 1, EndColumn: 2, RenderedBy: []string{by}, Minors: minors}
	var fail *Failure
	if errors.As(err, &fail) {
		f.File, f.Line, f.Column = fail.File, max(fail.Line, 1), max(fail.Column, 1)
		f.EndLine, f.EndColumn = f.Line, f.Column+1
		f.Message = "the chart does not render: " + fail.Message
		if fail.Values {
			f.Severity = rules.Warning
		}
	} else {
		f.Message = "the chart does not render: " + flat(err.Error())
	}
	if !slices.ContainsFunc(j.out.Findings, func(had rules.Finding) bool {
		return had.File == f.File && had.Line == f.Line && had.Message == f.Message
	}) {
		j.out.Findings = append(j.out.Findings, f)
	}
}

func (j *job) notJudged(reason, detail string) {
	j.out.NotJudged = append(j.out.NotJudged, rules.NotJudged{File: j.by(nil), Line: 1, Reason: reason, Detail: detail})
}

// variant renders the chart with one set of values for all minors.
func (j *job) variant(c *Chart, e renderer, v *Values, minors lifecycle.Minors) (all []*Rendering) {
	by := j.by(v)
	renderings := map[lifecycle.Minor]*Rendering{}
	var last *Rendering
	var done lifecycle.Minors
	failed := map[string]lifecycle.Minors{}
	errs := map[string]error{}
	each := c.DependsOnCluster(v)
	for m := range minors.All() {
		if !each && m != minors.Newest() {
			continue
		}
		r, err := e.Render(v, j.cluster(m), j.o.Release, j.kept)
		switch {
		case errors.Is(err, ErrLibrary):
			return nil
		case err != nil && r != nil && len(r.Missing) > 0:
			j.unrendered(c.root, r.Missing)
			return nil
		case err != nil:
			failed[err.Error()] = failed[err.Error()].With(m)
			errs[err.Error()] = err
			var fail *Failure
			if errors.As(err, &fail) && fail.budget {
				// The error is the same for all minors.
				j.fail(by, "", err)
				return nil
			}
		default:
			renderings[m], last = r, r
			done = done.With(m)
			all = append(all, r)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(failed)) {
		some := ""
		if each && failed[text] != j.o.Target.Minors() {
			some = failed[text].String()
		}
		j.fail(by, some, errs[text])
	}
	if last == nil {
		return nil
	}
	if len(last.Missing) > 0 {
		j.lacks(rules.SkipNotFetched, last.Missing)
	}
	j.checked(last)
	if !each {
		for m := range minors.All() {
			renderings[m] = last
		}
		done = minors
	}
	for _, template := range templatesOf(renderings) {
		j.units(template, by, done, renderings)
	}
	j.crds(by, last)
	return all
}

// unrendered records that a chart does not render because dependencies are
// missing, and that its templates were not checked.
func (j *job) unrendered(root *folder, missing []string) {
	j.lacks(rules.SkipMissingDependency, missing)
	if j.out.Unrendered == nil {
		j.out.Unrendered = map[string]bool{}
	}
	var mark func(f *folder)
	mark = func(f *folder) {
		for i := range f.files {
			one := &f.files[i]
			if j.known[one.place] && strings.HasPrefix(one.name, "templates/") && (j.only == nil || j.only[one.place]) {
				j.out.Unrendered[one.place] = true
			}
		}
		for _, sub := range f.subs {
			mark(sub)
		}
	}
	mark(root)
}

// lacks records that dependencies are missing in charts/. It records each
// reason at most once for a chart.
func (j *job) lacks(reason string, missing []string) {
	if !slices.ContainsFunc(j.out.NotJudged, func(n rules.NotJudged) bool { return n.Reason == reason }) {
		j.notJudged(reason, "charts/ lacks "+strings.Join(missing, ", "))
	}
}

// checked records that the output of the rendering's templates is checked.
func (j *job) checked(r *Rendering) {
	for _, name := range r.Templates {
		if !j.known[name] || j.only != nil && !j.only[name] {
			continue
		}
		j.mark(name)
	}
}

// templatesOf returns the names of the templates that have output in any of the
// renderings.
func templatesOf(renderings map[lifecycle.Minor]*Rendering) []string {
	var names []string
	for _, r := range renderings {
		for i := range r.Outputs {
			names = append(names, r.Outputs[i].Template)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// counts reports whether the output is checked: the user named the template and
// did not exclude it.
func (j *job) counts(out *Output) bool {
	if j.only != nil {
		return j.only[out.Template]
	}
	switch path.Ext(out.Template) {
	case ".yaml", ".yml", ".json":
		return !out.Found || j.known[out.Template] || isArchive(j.place)
	}
	return true
}

// units adds a unit for each different output of a template. A unit covers the
// minors with this output.
func (j *job) units(template, by string, minors lifecycle.Minors, renderings map[lifecycle.Minor]*Rendering) {
	type part struct {
		r        *Rendering
		outs     []*Output
		from, to lifecycle.Minor
	}
	var parts []part
	for m := range minors.All() {
		r := renderings[m]
		outs := r.outputs(template)
		if n := len(parts) - 1; n >= 0 && parts[n].to == m-1 && sameText(parts[n].outs, outs) {
			parts[n].to = m
			continue
		}
		parts = append(parts, part{r, outs, m, m})
	}
	for _, p := range parts {
		target := j.narrowed(lifecycle.Range{From: p.from, To: p.to})
		for _, out := range p.outs {
			if j.counts(out) {
				j.out.Units = append(j.out.Units, j.unit(p.r, out, by, target))
			}
		}
	}
}

func (j *job) unit(r *Rendering, out *Output, by string, target *lifecycle.Target) rendered.Unit {
	sources, ignored := j.o.Sources, &j.ignored
	text, broken := breakSeparators(out.Text)
	return rendered.Unit{
		Name: out.Template, By: by, Text: []byte(text), Target: target, Scripted: true,
		Trace: func(f *rules.Finding) bool {
			unbreakFinding(broken, f)
			r.Move(out, f)
			f.RenderedBy = []string{by}
			return !ignored.suppress(f, r.Chart.textOf(f.File)) && !sources.Suppressed(f)
		},
		Used: func(line int, rule string) {
			column := 1
			unbreak(broken, &line, &column)
			if at := r.origin(out, line); at.line > 0 {
				sources.Use(at.place, at.line, rule)
			}
		},
	}
}

// outputs returns the outputs of a template. There are several if the
// template's chart is a dependency under several aliases.
func (r *Rendering) outputs(template string) []*Output {
	var all []*Output
	for i := range r.Outputs {
		if r.Outputs[i].Template == template {
			all = append(all, &r.Outputs[i])
		}
	}
	return all
}

func sameText(a, b []*Output) bool {
	return slices.EqualFunc(a, b, func(a, b *Output) bool { return a.Text == b.Text })
}

// crds adds the custom resource definitions that are not inputs, such as the
// files in archives.
func (j *job) crds(by string, r *Rendering) {
	for i := range r.CRDs {
		c := &r.CRDs[i]
		if j.known[c.Place] || !c.Packed || j.only != nil || j.has(c.Place) {
			continue
		}
		j.out.Units = append(j.out.Units, rendered.Unit{
			Name: c.Place, By: by, Text: c.Text,
			Trace: func(f *rules.Finding) bool {
				f.RenderedBy = []string{by}
				return true
			},
		})
	}
}

func (j *job) has(name string) bool {
	return slices.ContainsFunc(j.out.Units, func(u rendered.Unit) bool { return u.Name == name })
}
