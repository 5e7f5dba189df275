package helmchart

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

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
