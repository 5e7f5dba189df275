package helmchart

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// renderVariant renders the chart with one set of values for all minors.
func (j *job) renderVariant(c *Chart, e renderer, v *Values, minors lifecycle.Minors) (all []*Rendering) {
	renderedBy := j.renderedBy(v)
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
		r, err := e.Render(v, j.cluster(m), j.o.Release, j.recordings)
		switch {
		case errors.Is(err, ErrLibrary):
			return nil
		case err != nil && r != nil && len(r.Missing) > 0:
			j.markUnrendered(c.root, r.Missing)
			return nil
		case err != nil:
			failed[err.Error()] = failed[err.Error()].With(m)
			errs[err.Error()] = err
			var fail *Failure
			if errors.As(err, &fail) && fail.overLimit {
				// The error is the same for all minors.
				j.fail(renderedBy, "", err)
				return nil
			}
		default:
			renderings[m], last = r, r
			done = done.With(m)
			all = append(all, r)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(failed)) {
		minorsText := ""
		if each && failed[text] != j.o.Target.Minors() {
			minorsText = failed[text].String()
		}
		j.fail(renderedBy, minorsText, errs[text])
	}
	if last == nil {
		return nil
	}
	if len(last.Missing) > 0 {
		j.noteMissing(rules.SkipNotFetched, last.Missing)
	}
	j.markTemplates(last)
	if !each {
		for m := range minors.All() {
			renderings[m] = last
		}
		done = minors
	}
	for _, template := range templatesOf(renderings) {
		j.units(template, renderedBy, done, renderings)
	}
	j.crds(renderedBy, last)
	return all
}

// markUnrendered records that a chart does not render because dependencies are
// missing, and that its templates were not checked.
func (j *job) markUnrendered(root *folder, missing []string) {
	j.noteMissing(rules.SkipMissingDependency, missing)
	if j.out.Unrendered == nil {
		j.out.Unrendered = map[string]bool{}
	}
	var mark func(f *folder)
	mark = func(f *folder) {
		for i := range f.files {
			one := &f.files[i]
			if j.inputNames[one.place] && strings.HasPrefix(one.name, "templates/") && (j.only == nil || j.only[one.place]) {
				j.out.Unrendered[one.place] = true
			}
		}
		for _, sub := range f.subs {
			mark(sub)
		}
	}
	mark(root)
}

// noteMissing records that dependencies are missing in charts/, once for each
// chart and reason.
func (j *job) noteMissing(reason string, missing []string) {
	if !slices.ContainsFunc(j.out.NotJudged, func(n rules.NotJudged) bool { return n.Reason == reason }) {
		j.notJudged(reason, "charts/ lacks "+strings.Join(missing, ", "))
	}
}

// markTemplates records that the templates of a rendering are checked by their
// output.
func (j *job) markTemplates(r *Rendering) {
	for _, name := range r.Templates {
		if !j.inputNames[name] || j.only != nil && !j.only[name] {
			continue
		}
		j.markRendered(name)
	}
}

// markRendered records that the chart renders an input.
func (j *job) markRendered(name string) {
	if j.out.Renderers == nil {
		j.out.Renderers = map[string]string{}
	}
	j.out.Renderers[name] = j.renderedBy(nil)
}
