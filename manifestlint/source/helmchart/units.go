package helmchart

import (
	"path"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/source/rendered"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// isChecked reports whether the output is checked: the user named the template
// and did not exclude it.
func (j *job) isChecked(out *Output) bool {
	if j.only != nil {
		return j.only[out.Template]
	}
	switch path.Ext(out.Template) {
	case ".yaml", ".yml", ".json":
		return !out.Found || j.inputNames[out.Template] || isArchive(j.place)
	}
	return true
}

// templatesOf returns the templates that have output in any rendering.
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

// units adds a unit for each different output of a template, with the minors
// that have this output.
func (j *job) units(template, renderedBy string, minors lifecycle.Minors, renderings map[lifecycle.Minor]*Rendering) {
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
		target := j.targetFor(lifecycle.Range{From: p.from, To: p.to})
		for _, out := range p.outs {
			if j.isChecked(out) {
				j.out.Units = append(j.out.Units, j.unit(p.r, out, renderedBy, target))
			}
		}
	}
}

func (j *job) unit(r *Rendering, out *Output, renderedBy string, target *lifecycle.Target) rendered.Unit {
	sources, ignored := j.o.Sources, &j.ignoreComments
	text, broken := breakSeparators(out.Text)
	return rendered.Unit{
		Name: out.Template, By: renderedBy, Text: []byte(text), Target: target, Scripted: true,
		Trace: func(f *rules.Finding) bool {
			unbreakFinding(broken, f)
			r.Move(out, f)
			f.RenderedBy = []string{renderedBy}
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

// crds adds the custom resource definitions that are not inputs, such as files
// in archives.
func (j *job) crds(renderedBy string, r *Rendering) {
	for i := range r.CRDs {
		c := &r.CRDs[i]
		if j.inputNames[c.Place] || !c.Packed || j.only != nil || j.hasUnit(c.Place) {
			continue
		}
		j.out.Units = append(j.out.Units, rendered.Unit{
			Name: c.Place, By: renderedBy, Text: c.Text,
			Trace: func(f *rules.Finding) bool {
				f.RenderedBy = []string{renderedBy}
				return true
			},
		})
	}
}

func (j *job) hasUnit(name string) bool {
	return slices.ContainsFunc(j.out.Units, func(u rendered.Unit) bool { return u.Name == name })
}

// targetFor returns the target with the range r; nil if the target already has
// this range.
func (j *job) targetFor(r lifecycle.Range) *lifecycle.Target {
	if r == j.o.Target.Range {
		return nil
	}
	t := j.o.Target
	t.Range = r
	return &t
}
