package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// judge checks documents for one goroutine.
type judge struct {
	l *Linter
	// trees makes the tree of the current document.
	trees yamltree.Reader
	// source is the text that holds the current objects.
	source editable
}

func newJudge(l *Linter) *judge {
	// What Each returns may keep objects.
	return &judge{l: l, trees: yamltree.Reader{Reuse: l.opts.Each == nil}}
}

// whole checks an input that is completely in memory.
func (j *judge) whole(in *Input, data []byte, r *result) {
	if lang := in.Script.Detect(data); lang != scripts.None {
		j.script(in, lang, data, r)
		j.finish(in, r, r.file)
		return
	}
	if !j.l.wants(data) {
		return
	}
	j.block(in, data, true, r)
	if r.docs == 0 {
		j.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipEmpty})
	}
	j.finish(in, r, r.file)
}

// finish applies the suppressions for the whole file and reports those that
// are wrong or unused.
func (j *judge) finish(in *Input, r *result, file []directive) {
	if len(file) == 0 {
		return
	}
	r.findings = suppress(r.findings, file, &r.sum)
	j.complain(in, r, file, 0, !in.elsewhere() && in.Trace == nil)
}

// block checks a text that consists of whole documents.
func (j *judge) block(in *Input, data []byte, first bool, r *result) {
	if first {
		if at := bytes.IndexByte(data[:min(len(data), binaryHead)], 0); at >= 0 {
			j.binary(in, data, at, r)
			return
		}
	}
	open := 0 // control statements of a template that are open
	split := document.NewSplitter(data)
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		d.Index = r.docs
		switch markup := document.HasMarkup(d.Data); {
		case open > 0 || in.Template != "" && markup:
			open = max(0, open+document.OpenBlocks(d.Data))
			n := rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTemplated}
			if in.Rendered != "" {
				n = in.notHere(d)
			}
			j.skip(in, r, d.Data, n)
			r.count(1)
		case !markup && !j.l.wants(d.Data):
			r.count(1)
		case j.document(in, d, first && d.Index == 0, r):
			open = max(0, document.OpenBlocks(d.Data))
		}
	}
	r.lines = bytes.Count(data, []byte{'\n'})
}

// binaryHead is the number of bytes at the start of an input in which a NUL
// byte means that it is binary. A later one only breaks its document.
const binaryHead = 512

// binary reports an input that is not text.
func (j *judge) binary(in *Input, data []byte, at int, r *result) {
	r.count(1)
	r.lines = bytes.Count(data, []byte{'\n'})
	j.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipBinary})
	line := bytes.Count(data[:at], []byte{'\n'}) + 1
	column := utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at]) + 1
	span := Span{wire.Pos{Line: line, Column: column}, wire.Pos{Line: line, Column: column + 1}}
	j.own(in, r, ruleSyntax, 0, span, rules.Finding{Message: "binary data: a manifest is text"})
}

// document checks one document, or the JSON values that it consists of. It
// reports whether the document is a template.
func (j *judge) document(in *Input, d document.Document, first bool, r *result) (templated bool) {
	if len(d.Data) > j.l.opts.MaxDocument {
		j.tooLarge(in, d, r)
		return false
	}
	if text, line := document.JSON(d.Data); text != nil && j.jsonValues(in, d, text, d.Line+line-1, r) {
		return false
	}
	r.count(1)
	trees, failed := j.trees.Parse(d.Data, d.Line)
	if failed != nil && failed.Template {
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTemplated})
		return true
	}
	j.source = editable{data: d.Data, line: d.Line, column: 1, left: maxFixing}
	start := len(r.findings)
	for i, t := range trees {
		if i > 0 {
			r.count(1)
		}
		j.tree(in, d, t, nil, r)
	}
	var root *wire.Value
	switch {
	case failed != nil:
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipBroken, Detail: failed.Text})
		j.own(in, r, ruleSyntax, d.Index, Span{failed.Pos, failed.End}, rules.Finding{Message: failed.Text})
	case len(trees) == 0:
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipEmpty})
	default:
		root = trees[0].Root
	}
	if len(trees) == 1 && root != nil && j.readsShell(d.Data) {
		j.embeddedScripts(in, d, root, r)
	}
	if bytes.Contains(d.Data, suppressMark) {
		j.directives(in, d, root, first, r, start)
	}
	return false
}

// jsonValues checks a document as a stream of JSON values, each a document of
// its own, as kubectl reads it. It reports false if the text is not JSON but
// may be YAML: a flow map, or a template.
func (j *judge) jsonValues(in *Input, d document.Document, text []byte, line int, r *result) bool {
	var values []wire.Document
	var failed *wire.SyntaxError
	for v, err := range wire.JSONStream(text, line) {
		if errors.As(err, &failed) {
			break
		}
		values = append(values, v)
	}
	if failed != nil {
		if document.HasMarkup(text) {
			return false
		}
		if trees, notYAML := yamltree.Parse(d.Data, d.Line); notYAML == nil && len(trees) > 0 {
			return false
		}
	}
	for _, v := range values {
		d.Index = r.docs
		r.count(1)
		own := document.Document{Index: d.Index, Data: text[v.Start:v.End], Line: v.Value.Pos.Line}
		j.source = editable{data: own.Data, line: own.Line, column: v.Value.Pos.Column, json: true, left: maxFixing}
		j.tree(in, d, yamltree.Tree{Root: v.Value, Duplicates: v.Duplicates}, own.Data, r)
		// The positions in shell text count from the start of a line.
		if v.Value.Pos.Column == 1 && j.readsShell(own.Data) {
			j.embeddedScripts(in, own, v.Value, r)
		}
	}
	if failed != nil {
		d.Index = r.docs
		r.count(1)
		span := Span{failed.Pos, wire.Pos{Line: failed.Pos.Line, Column: failed.Pos.Column + 1}}
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: failed.Pos.Line, Reason: rules.SkipBroken, Detail: failed.Msg})
		j.own(in, r, ruleSyntax, d.Index, span, rules.Finding{Message: failed.Msg})
	}
	return true
}

// tree checks a parsed document. json is its text if it is JSON.
func (j *judge) tree(in *Input, d document.Document, t yamltree.Tree, json []byte, r *result) {
	found := objects(t.Root)
	j.source.root = t.Root
	switch {
	case t.Root.IsNull():
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipEmpty})
		return
	case len(found) == 0 && !isList(t.Root), len(found) > 0 && isKustomization(found[0]):
		j.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipNotKubernetes})
		return
	}
	j.duplicates(in, d, t, found, r)
	if in.elsewhere() {
		j.skip(in, r, d.Data, in.notHere(d))
		return
	}
	if len(found) == 1 && found[0].Root == t.Root {
		found[0].Duplicates, found[0].JSON = t.Duplicates, json
	}
	for _, o := range found {
		o.Listed = o.Root != t.Root
		o.Reading = in.Reading
		j.object(in, d.Index, o, r)
		if j.l.opts.Embedded {
			j.embedded(in, d, o, r)
		}
	}
	j.releases(in, d, found, r)
}

// duplicates reports the repeated keys of a document.
func (j *judge) duplicates(in *Input, d document.Document, t yamltree.Tree, found []*Object, r *result) {
	for i := range t.Duplicates {
		dup := &t.Duplicates[i]
		f := rules.Finding{
			Message: fmt.Sprintf("key %q is set again: this value counts, the one on line %d is dropped", dup.Name, dup.First.Line),
			Path:    dup.Path, Fix: j.dropDuplicate(in, t, dup),
		}
		if len(found) == 1 {
			f.Object = found[0].Ref()
		}
		j.own(in, r, ruleDuplicate, d.Index, Span{dup.Pos, dup.End}, f)
	}
}

// notHere says why a document of an input is not checked as an object.
func (in *Input) notHere(d document.Document) rules.NotJudged {
	if in.Partial != "" {
		return rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipPatch, Detail: in.Partial}
	}
	return rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipRendered, Detail: in.Rendered}
}

// object runs the checks on one object.
func (j *judge) object(in *Input, doc int, o *Object, r *result) {
	r.sum.Objects++
	o.Unfinished = in.Unfinished != ""
	if !o.Known {
		r.sum.UnknownKinds++
	}
	if j.l.opts.Old != nil && o.Embedded == "" {
		o.Old = j.l.opts.Old(in.Name, o)
	}
	j.event(r, Event{Input: in, Document: doc, Object: o})
	p := &Pass{Target: j.l.opts.Target, Validation: j.l.opts.Validation, Object: o, linter: j.l, file: in.Name, document: doc, result: r}
	if in.Target != nil {
		p.Target = *in.Target
	}
	for i := range j.l.opts.Checks {
		c := &j.l.opts.Checks[i]
		if c.Run == nil || o.Reading == ReadMetadata && !c.Metadata {
			continue
		}
		p.rule, p.severity = c.Rule, j.l.opts.Severity[c.Rule]
		start := len(r.findings)
		c.Run(p)
		j.fix(in, p, c, r, start)
	}
}

// own reports a finding of one of the linter's own rules.
func (j *judge) own(in *Input, r *result, rule string, doc int, at Span, f rules.Finding) {
	if !j.l.active[rule] {
		return
	}
	p := Pass{
		Object: &Object{KindAt: at}, linter: j.l, rule: rule, severity: j.l.opts.Severity[rule],
		file: in.Name, document: doc, result: r, ownObject: true,
	}
	p.Report(at, f)
}

// directives applies a document's suppressions to the findings from start on.
func (j *judge) directives(in *Input, d document.Document, root *wire.Value, first bool, r *result, start int) {
	var here []directive
	for _, dir := range directives(d.Data, d.Line, root) {
		switch {
		case dir.file && first:
			r.file = append(r.file, dir)
		case dir.file:
			here = append(here, directive{span: dir.span, rule: "-file"})
		default:
			here = append(here, dir)
		}
	}
	kept := suppress(r.findings[start:], here, &r.sum)
	r.findings = r.findings[:start+len(kept)]
	j.complain(in, r, here, d.Index, root != nil && !in.elsewhere() && in.Trace == nil)
}

// complain reports wrong and unused suppressions. checked is false if the
// objects were not checked, so that a suppression may be needed elsewhere.
func (j *judge) complain(in *Input, r *result, all []directive, doc int, checked bool) {
	for i := range all {
		if in.Used != nil && all[i].used {
			in.Used(all[i].span.Pos.Line, all[i].rule)
		}
		if text := j.l.complain(&all[i], checked); text != "" {
			j.own(in, r, ruleSuppression, doc, all[i].span, rules.Finding{Message: text})
		}
	}
}

// skip counts a document that is not checked. text is what is known of it.
func (j *judge) skip(in *Input, r *result, text []byte, n rules.NotJudged) {
	n.File = in.Name
	r.skip(n)
	if j.l.opts.Each != nil {
		j.event(r, Event{Input: in, Document: n.Document, NotJudged: &n, Text: text})
	}
}

func (j *judge) tooLarge(in *Input, d document.Document, r *result) {
	r.count(1)
	j.skip(in, r, nil, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTooLarge})
}
