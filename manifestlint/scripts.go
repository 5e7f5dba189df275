package manifestlint

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// setUpScripts prepares the linter for the manifests that scripts pass to
// kubectl.
func (l *Linter) setUpScripts() {
	l.readScripts = !l.opts.NoScripts && len(l.opts.Checks) > 0
	if l.opts.Kubectl == (lifecycle.Range{}) {
		l.opts.Kubectl = lifecycle.Range{From: lifecycle.Newest, To: lifecycle.Newest}
	}
	inner := *l
	inner.readScripts, inner.opts.Each, inner.opts.Old = false, nil, nil
	l.manifestLinter = &inner
}

// script checks a script.
func (c *checker) script(in *Input, lang scripts.Language, data []byte, r *result) {
	if lang == scripts.Unsure || !c.l.readScripts {
		r.ignored = true
		return // the file is not read as a script
	}
	r.sum.Scripts++
	r.lines = bytes.Count(data, []byte{'\n'})
	switch {
	case !scripts.Mentions(data) && !bytes.Contains(data, suppressMark):
	case len(data) > scripts.MaxSize:
		c.skip(in, r, nil, rules.NotJudged{Line: 1, Reason: rules.SkipTooLarge})
	default:
		c.commands(in, nil, 0, scripts.Read(lang, data), scripts.NewSource(data, 1), r)
	}
}

// readsShell reports whether a document can contain shell text to check.
func (c *checker) readsShell(text []byte) bool {
	return c.l.readScripts && scripts.Mentions(text)
}

// embeddedScripts checks the shell text of a YAML document.
func (c *checker) embeddedScripts(in *Input, d document.Document, root *wire.Value, r *result) {
	if in.Trace != nil && !in.Scripted {
		return // the source file is checked
	}
	found := objects(root)
	if len(found) == 0 {
		found = []*Object{{Root: root}}
	}
	source := scripts.NewSource(d.Data, d.Line)
	for _, o := range found {
		own := &result{}
		c.commands(in, o, d.Index, scripts.YAML(o.Root, source), source, own)
		r.add(own)
		r.findings = append(r.findings, own.findings...)
	}
}

// commands checks the commands of a script and the manifests that the script
// passes to kubectl. o is the object that contains the script; nil for a file.
// r must be empty.
func (c *checker) commands(in *Input, o *Object, doc int, f *scripts.File, source *scripts.Source, r *result) {
	for i := range c.l.opts.Checks {
		check := &c.l.opts.Checks[i]
		if check.Script == nil || len(f.Commands) == 0 {
			continue
		}
		p := scripts.Pass{Kubectl: c.l.opts.Kubectl, Commands: f.Commands, Source: source, Rule: check.Rule, Severity: c.l.opts.Severity[check.Rule], File: in.Name}
		check.Script(&p)
		r.findings = append(r.findings, p.Findings...)
	}
	for _, m := range f.Manifests {
		found := c.manifestInScript(in, m)
		m.Locate(source, in.Script == scripts.Markdown, &found.findings)
		position := m.Positions(source)
		for n := range found.sum.NotJudged {
			skipped := &found.sum.NotJudged[n]
			skipped.Document, skipped.Line = doc, position(wire.Pos{Line: skipped.Line, Column: 1}).Line
		}
		for at := range found.sum.Unchecked.Places() {
			pos := position(wire.Pos{Line: at.Line, Column: at.Column})
			at.Document, at.Line, at.Column = doc, pos.Line, pos.Column
		}
		r.add(found)
		r.findings = append(r.findings, found.findings...)
	}
	for i := range r.findings {
		g := &r.findings[i]
		g.Document = doc
		switch {
		case g.Object != nil: // the script is a string of a manifest
		case o != nil && o.Kind != "":
			g.Object = o.Ref()
		default:
			g.Path = ""
		}
	}
	slices.SortStableFunc(r.findings, func(a, b rules.Finding) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	c.scriptSuppressions(in, doc, f, source, r)
}

// manifestInScript checks a manifest in a script as if it were a file.
func (c *checker) manifestInScript(in *Input, m scripts.Manifest) *result {
	part := Input{Name: in.Name, Target: in.Target, Manifests: true}
	if !m.Known() {
		part.Unfinished = "the script"
	}
	nested := newChecker(c.l.manifestLinter)
	found := &result{}
	nested.block(&part, m.Text(), true, found)
	nested.reportFileDirectives(&part, found, found.fileDirectives)
	return found
}

// scriptSuppressions applies the suppressions of a script.
func (c *checker) scriptSuppressions(in *Input, doc int, f *scripts.File, source *scripts.Source, r *result) {
	var directives []directive
	for _, comment := range f.Comments[:min(len(f.Comments), maxDirectives)] {
		from, to := source.Covered(comment)
		at := directive{span: Span{source.Pos(comment.At.Start), source.Pos(comment.At.End)}, from: from, to: to}
		for _, d := range parseDirective(comment.Text, at, comment.Head) {
			if d.wholeFile {
				r.fileDirectives = append(r.fileDirectives, d)
			} else {
				directives = append(directives, d)
			}
		}
	}
	r.findings = suppress(r.findings, directives, &r.sum)
	c.reportDirectives(in, r, directives, doc, in.Trace == nil)
}
