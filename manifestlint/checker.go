package manifestlint

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/manifestlint/scripts"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// checker checks documents for one goroutine.
type checker struct {
	l *Linter
	// trees parses a document, and reuses its memory for the next one.
	trees yamltree.Reader
	// source is the text that contains the current objects.
	source editable
	// lines caches the offsets of the lines in text. The last offset is the
	// text's end.
	lines struct {
		text    []byte
		offsets []int
	}
	// looksLikeManifest reports whether the current block looks like a
	// manifest. It caches the result, because the result is needed for each
	// document of the block that does not parse.
	looksLikeManifest func() bool
}

func newChecker(l *Linter) *checker {
	// The function that Each returns may keep objects, so their memory is not
	// reused.
	return &checker{l: l, trees: yamltree.Reader{Reuse: l.opts.Each == nil}}
}

func (c *checker) checkText(in *Input, data []byte, r *result) {
	if lang := in.Script.Detect(data); lang != scripts.None {
		c.script(in, lang, data, r)
		c.reportFileDirectives(in, r, r.fileDirectives)
		return
	}
	if !c.l.isMentioned(data) {
		return
	}
	c.block(in, data, true, r)
	if r.docs == 0 {
		c.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipEmpty})
	}
	c.reportFileDirectives(in, r, r.fileDirectives)
}

// reportFileDirectives applies the kubevet:ignore-file comments, and reports
// those that are wrong or unused.
func (c *checker) reportFileDirectives(in *Input, r *result, file []directive) {
	if len(file) == 0 {
		return
	}
	r.findings = suppress(r.findings, file, &r.sum)
	c.reportDirectives(in, r, file, 0, !in.syntaxOnly() && in.Trace == nil)
}

// block checks a text of whole documents. first is true for the first block of
// an input.
func (c *checker) block(in *Input, data []byte, first bool, r *result) {
	c.looksLikeManifest = sync.OnceValue(func() bool { return document.LooksLikeManifest(data) })
	if first {
		if at := bytes.IndexByte(data[:min(len(data), binaryHead)], 0); at >= 0 {
			c.binary(in, data, at, r)
			return
		}
	}
	templateEnd := 0 // end of the last control statement of a template
	split := document.NewSplitter(data)
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		d.Index = r.docs
		switch markup := document.HasMarkup(d.Data); {
		case d.Before(templateEnd) || in.Template != "" && markup:
			templateEnd = max(templateEnd, split.TemplateEnd(d))
			n := rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTemplated}
			switch {
			case in.Rendered != "":
				n = in.whyNotChecked(d)
			case in.Unrendered:
				n.Reason = rules.SkipUnrenderedTemplate
			}
			c.skip(in, r, d.Data, n)
			r.count(1)
		case !markup && !c.l.isMentioned(d.Data):
			r.count(1)
		case c.document(in, d, first && d.Index == 0, r):
			templateEnd = split.TemplateEnd(d)
		}
	}
	c.afterMarker(in, split, r)
	r.lines = bytes.Count(data, []byte{'\n'})
}

// afterMarker reports a forbidden character in the comments after the end
// marker of the last document. kubectl then refuses this document.
func (c *checker) afterMarker(in *Input, split *document.Splitter, r *result) {
	text, line := split.Rest()
	if failed := yamltree.Characters(text, line); failed != nil && r.docs > 0 && c.isManifest(in) {
		c.reportOwn(in, r, ruleSyntax, r.docs-1, Span{failed.Pos, failed.End}, rules.Finding{Message: failed.Text})
	}
}

// binaryHead is the number of bytes at the start of an input in which a NUL
// byte means a binary input. A later NUL byte is an error in one document.
const binaryHead = 512

// binary counts a binary input, and reports it if it looks like a manifest. at
// is the offset of the NUL byte.
func (c *checker) binary(in *Input, data []byte, at int, r *result) {
	r.count(1)
	r.lines = bytes.Count(data, []byte{'\n'})
	c.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipBinary})
	if !c.isManifest(in) {
		return
	}
	line := bytes.Count(data[:at], []byte{'\n'}) + 1
	column := utf8.RuneCount(data[bytes.LastIndexByte(data[:at], '\n')+1:at]) + 1
	span := Span{wire.Pos{Line: line, Column: column}, wire.Pos{Line: line, Column: column + 1}}
	c.reportOwn(in, r, ruleSyntax, 0, span, rules.Finding{Message: "binary data: a manifest is text"})
}

// document checks one document, or the JSON values in it. first is true for the
// first document of an input. templated is true if the document is a template.
func (c *checker) document(in *Input, d document.Document, first bool, r *result) (templated bool) {
	if len(d.Data) > c.l.opts.MaxDocument {
		c.tooLarge(in, d, r)
		return false
	}
	if text, line := document.JSON(d.Data); text != nil && c.jsonValues(in, d, text, d.Line+line-1, r) {
		return false
	}
	r.count(1)
	if document.HasToken(d.Data) {
		c.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTemplated})
		return false
	}
	trees, failed := c.trees.Parse(d.Data, d.Line)
	if failed != nil && failed.Template {
		c.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTemplated})
		return true
	}
	c.source = editable{data: d.Data, line: d.Line, column: 1, budget: fixBudget(d.Data)}
	start, before := len(r.findings), r.sum.Objects
	for i, t := range trees {
		if i > 0 {
			r.count(1)
		}
		c.tree(in, d, t, nil, r)
	}
	var root *wire.Value
	switch {
	case failed != nil:
		c.broken(in, d, Span{failed.Pos, failed.End}, failed.Text, len(trees) > 0, r)
	case len(trees) == 0:
		c.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipEmpty})
	default:
		root = trees[0].Root
	}
	if in.Trace == nil && in.Template == "" && (r.sum.Objects > before || !in.syntaxOnly() && c.isManifest(in)) {
		c.separators(in, d, r)
	}
	if len(trees) == 1 && root != nil && c.readsShell(d.Data) {
		c.embeddedScripts(in, d, root, r)
	}
	if bytes.Contains(d.Data, suppressMark) {
		c.suppressFindings(in, d, root, first, r, start)
	}
	return false
}

// separators reports lines such as "--- a: b", where a text that is not a
// comment follows the dashes. A YAML parser may read "a: b" as a field, but
// kubectl stops reading the file at the line (apimachinery,
// pkg/util/yaml/decoder.go, YAMLReader).
func (c *checker) separators(in *Input, d document.Document, r *result) {
	dashes := []byte("---")
	for at := 0; at < len(d.Data); at = document.LineEnd(d.Data, at) {
		if !bytes.HasPrefix(d.Data[at:], dashes) {
			n := bytes.Index(d.Data[at:], []byte("\n---"))
			if n < 0 {
				return
			}
			at += n + 1
		}
		line := d.Data[at+len(dashes) : document.LineEnd(d.Data, at)]
		text := bytes.TrimSpace(line)
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		from := wire.Pos{Line: d.Line + bytes.Count(d.Data[:at], []byte{'\n'}), Column: 1}
		end := wire.Pos{Line: from.Line, Column: 1 + len(dashes) + utf8.RuneCount(bytes.TrimRight(line, " \t\r\n"))}
		c.reportOwn(in, r, ruleSyntax, d.Index, Span{from, end}, rules.Finding{Message: fmt.Sprintf("kubectl stops here: invalid Yaml document separator: %s", text)})
	}
}

// jsonValues checks a document as a stream of JSON values. Like kubectl, it
// handles each value as a document. It returns false if the text is not JSON
// but may be a flow map in YAML, or a template.
func (c *checker) jsonValues(in *Input, d document.Document, text []byte, line int, r *result) bool {
	var values []wire.Document
	var failed *wire.SyntaxError
	for v, err := range wire.JSONStream(text, line) {
		if errors.As(err, &failed) {
			break
		}
		values = append(values, v)
	}
	if failed != nil {
		trees, notYAML := yamltree.Parse(d.Data, d.Line)
		if notYAML == nil && len(trees) > 0 || notYAML != nil && notYAML.Template {
			return false
		}
	}
	for _, v := range values {
		d.Index = r.docs
		r.count(1)
		own := document.Document{Index: d.Index, Data: text[v.Start:v.End], Line: v.Value.Pos.Line}
		c.source = editable{data: own.Data, line: own.Line, column: v.Value.Pos.Column, json: true, budget: fixBudget(own.Data)}
		c.tree(in, d, yamltree.Tree{Root: v.Value, Duplicates: v.Duplicates}, own.Data, r)
		// embeddedScripts counts columns from the start of the value. They are
		// columns of the input only if the value begins in column 1.
		if v.Value.Pos.Column == 1 && c.readsShell(own.Data) {
			c.embeddedScripts(in, own, v.Value, r)
		}
	}
	if failed != nil {
		d.Index = r.docs
		r.count(1)
		span := Span{failed.Pos, wire.Pos{Line: failed.Pos.Line, Column: failed.Pos.Column + 1}}
		c.broken(in, d, span, failed.Msg, false, r)
	}
	return true
}

// broken reports a document that does not parse, or only counts it if the input
// does not look like a manifest. partly is true if other parts of the document
// were checked.
func (c *checker) broken(in *Input, d document.Document, at Span, text string, partly bool, r *result) {
	n := rules.NotJudged{Document: d.Index, Line: at.Pos.Line, Reason: rules.SkipBroken, Detail: text}
	if !c.isManifest(in) {
		n.Reason = rules.SkipUnparsable
		c.skip(in, r, d.Data, n)
		return
	}
	if !partly {
		c.skip(in, r, d.Data, n)
	}
	c.reportOwn(in, r, ruleSyntax, d.Index, at, rules.Finding{Message: text})
}

// isManifest reports whether the input must be a manifest, so that a text that
// does not parse is an error. kubectl refuses such a text even between two
// manifests.
func (c *checker) isManifest(in *Input) bool {
	return in.Manifests || in.Trace != nil || in.Template != "" || c.looksLikeManifest()
}

// tree checks a parsed document. json is the text of a JSON document; nil for
// YAML.
func (c *checker) tree(in *Input, d document.Document, t yamltree.Tree, json []byte, r *result) {
	found := slices.DeleteFunc(objects(t.Root), isToolFile)
	c.source.root = t.Root
	switch {
	case t.Root.IsNull():
		c.skip(in, r, d.Data, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipEmpty})
		return
	case len(found) == 0 && !isList(t.Root):
		n := rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipNotKubernetes}
		if c.untyped(in, d, t.Root, r) {
			n.Reason = rules.SkipUntyped
		}
		c.skipTree(in, r, d.Data, n, t.Root)
		return
	}
	c.duplicates(in, d, t, found, r)
	if in.syntaxOnly() {
		c.skip(in, r, d.Data, in.whyNotChecked(d))
		return
	}
	if len(found) == 1 && found[0].Root == t.Root {
		found[0].Duplicates, found[0].JSON = t.Duplicates, json
	}
	if isList(t.Root) {
		c.untyped(in, d, t.Root, r)
	}
	for _, o := range found {
		o.Listed = o.Root != t.Root
		o.Reading = in.Reading
		c.object(in, d.Index, o, r)
		if c.l.opts.Embedded {
			c.embedded(in, d, o, r)
		}
	}
	c.releases(in, d, found, r)
	r.removeMoved()
}

func (c *checker) duplicates(in *Input, d document.Document, t yamltree.Tree, found []*Object, r *result) {
	for i := range t.Duplicates {
		dup := &t.Duplicates[i]
		f := rules.Finding{
			Message: fmt.Sprintf("key %q is set again: this value counts, the one on line %d is dropped", dup.Name, dup.First.Line),
			Path:    dup.Path, Fix: c.dropDuplicate(in, t, dup),
		}
		if len(found) == 1 {
			f.Object = found[0].Ref()
		}
		c.reportOwn(in, r, ruleDuplicate, d.Index, Span{dup.Pos, dup.End}, f)
	}
}

// whyNotChecked returns the reason why a document's objects are not checked in
// this input.
func (in *Input) whyNotChecked(d document.Document) rules.NotJudged {
	if in.Partial != "" {
		return rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipPatch, Detail: in.Partial}
	}
	return rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipRendered, Detail: in.Rendered}
}

func (c *checker) object(in *Input, doc int, o *Object, r *result) {
	r.sum.Objects++
	o.Unfinished = in.Unfinished != ""
	if c.l.opts.Old != nil && o.Embedded == "" {
		o.Old = c.l.opts.Old(in.Name, o)
	}
	c.event(r, Event{Input: in, Document: doc, Object: o})
	p := &Pass{Target: c.l.opts.Target, Validation: c.l.opts.Validation, Object: o, linter: c.l, file: in.Name, document: doc, result: r}
	if in.Target != nil {
		p.Target = *in.Target
	}
	missing := false // a finding reports that the kind does not exist
	for i := range c.l.opts.Checks {
		check := &c.l.opts.Checks[i]
		if check.Run == nil || o.Reading == ReadMetadata && !check.Metadata {
			continue
		}
		p.rule, p.severity = check.Rule, c.l.opts.Severity[check.Rule]
		start := len(r.findings)
		check.Run(p)
		c.fix(in, p, check, r, start)
		missing = missing || check.Rule == ruleUnknownKind && len(r.findings) > start
	}
	r.sum.Undecided.Count(p.undecided)
	if !missing && !c.l.canValidate(o) {
		at := c.position(o)
		r.sum.Unchecked.Count(o.APIVersion, o.Kind, rules.Place{File: in.Name, Document: doc, Line: at.Line, Column: at.Column})
	}
}

// position returns the position of an object in the input: its kind, or the
// string that contains the object. It is zero for an object in a stored Helm
// release.
func (c *checker) position(o *Object) wire.Pos {
	switch {
	case o.Embedded == "":
		return o.KindAt.Pos
	case c.source.outer != nil:
		return c.source.outer.value.Pos
	}
	return wire.Pos{}
}

// reportOwn reports a finding of a rule that the linter implements itself.
func (c *checker) reportOwn(in *Input, r *result, rule string, doc int, at Span, f rules.Finding) {
	if !c.l.enabled[rule] {
		return
	}
	p := Pass{
		Object: &Object{KindAt: at}, linter: c.l, rule: rule, severity: c.l.opts.Severity[rule],
		file: in.Name, document: doc, result: r, keepObject: true,
	}
	p.Report(at, f)
}

// suppressFindings applies the suppressions of a document to the findings from
// index start on. first is true for the first document of an input, whose
// kubevet:ignore-file comments are kept for the whole input.
func (c *checker) suppressFindings(in *Input, d document.Document, root *wire.Value, first bool, r *result, start int) {
	var inDocument []directive
	for _, dir := range directives(d.Data, d.Line, root) {
		switch {
		case dir.wholeFile && first:
			r.fileDirectives = append(r.fileDirectives, dir)
		case dir.wholeFile:
			inDocument = append(inDocument, directive{span: dir.span, rule: "-file"})
		default:
			inDocument = append(inDocument, dir)
		}
	}
	kept := suppress(r.findings[start:], inDocument, &r.sum)
	r.findings = r.findings[:start+len(kept)]
	c.reportDirectives(in, r, inDocument, d.Index, root != nil && !in.syntaxOnly() && in.Trace == nil)
}

// reportDirectives reports wrong and unused suppressions. checked is false if
// the objects are not checked in this input, for instance because they are
// checked in rendered text. Unused suppressions are then not reported, because
// the findings may be elsewhere.
func (c *checker) reportDirectives(in *Input, r *result, all []directive, doc int, checked bool) {
	for i := range all {
		if in.Used != nil && all[i].used {
			in.Used(all[i].span.Pos.Line, all[i].rule)
		}
		if text := c.l.directiveMessage(&all[i], checked); text != "" {
			c.reportOwn(in, r, ruleSuppression, doc, all[i].span, rules.Finding{Message: text})
		}
	}
}

// skip counts a document that is not checked. text is nil if unknown.
func (c *checker) skip(in *Input, r *result, text []byte, n rules.NotJudged) {
	c.skipTree(in, r, text, n, nil)
}

// skipTree counts a document that parses but is not checked. root is its tree.
func (c *checker) skipTree(in *Input, r *result, text []byte, n rules.NotJudged, root *wire.Value) {
	n.File = in.Name
	r.skip(n)
	if c.l.opts.Each != nil {
		c.event(r, Event{Input: in, Document: n.Document, NotJudged: &n, Text: text, Root: root})
	}
}

func (c *checker) tooLarge(in *Input, d document.Document, r *result) {
	r.count(1)
	c.skip(in, r, nil, rules.NotJudged{Document: d.Index, Line: d.Line, Reason: rules.SkipTooLarge})
}
