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

// addBranches adds the objects in branches of templates that no rendering
// executed.
func (j *job) addBranches(c *Chart, e renderer, minors lifecycle.Minors, renderings []*Rendering) {
	if len(renderings) > 0 {
		j.markPlainTemplates(c.root)
	}
	for _, l := range e.Branches(minors, j.cluster, renderings...) {
		if j.only != nil && !j.only[l.File] {
			continue
		}
		if j.inputNames[l.File] && j.out.Renderers[l.File] == "" && !l.Template {
			continue // this file is checked without rendering, as plain YAML
		}
		for _, r := range ranges(l.Minors) {
			j.out.Sketches = append(j.out.Sketches, j.literalUnit(c, l, r))
		}
	}
}

// markPlainTemplates marks templates without actions as rendered by the chart,
// also in disabled subcharts. The linter then checks only their YAML syntax.
// Their objects are checked in the output or, if no rendering executes them, as
// literals that Branches finds.
func (j *job) markPlainTemplates(f *folder) {
	for i := range f.files {
		one := &f.files[i]
		if j.inputNames[one.place] && strings.HasPrefix(one.name, "templates/") && !bytes.Contains(one.data, []byte("{{")) && (j.only == nil || j.only[one.place]) {
			j.markRendered(one.place)
		}
	}
	for _, sub := range f.subs {
		j.markPlainTemplates(sub)
	}
}

// ranges splits a set of minors into ranges without gaps.
func ranges(s lifecycle.Minors) (all []lifecycle.Range) {
	for m := range s.All() {
		if n := len(all) - 1; n >= 0 && all[n].To == m-1 {
			all[n].To = m
		} else {
			all = append(all, lifecycle.Range{From: m, To: m})
		}
	}
	return all
}

// apiVersionRules are the rules that need only the apiVersion and the kind of
// an object.
var apiVersionRules = []string{"removedapi", "deprecatedapi", "disabledapi"}

// literalUnit returns a unit for an object of which only apiVersion and kind
// are known.
func (j *job) literalUnit(c *Chart, l Literal, r lifecycle.Range) rendered.Unit {
	renderedBy, sources, ignored := j.renderedBy(nil), j.o.Sources, &j.ignoreComments
	return rendered.Unit{
		Name: l.File, By: renderedBy, Text: fmt.Appendf(nil, "apiVersion: %s\nkind: %s\n", l.APIVersion, l.Kind), Target: j.targetFor(r),
		Trace: func(f *rules.Finding) bool {
			if !slices.Contains(apiVersionRules, f.Rule) {
				return false
			}
			f.Severity = rules.Preview
			f.Message += ", in a branch that was not rendered"
			f.File, f.Line, f.Column, f.EndLine, f.EndColumn, f.Document = l.File, l.Line, l.Column, l.Line, l.EndColumn, 0
			f.Related, f.RenderedBy = nil, []string{renderedBy}
			return !ignored.suppress(f, c.textOf(f.File)) && !sources.Suppressed(f)
		},
	}
}
