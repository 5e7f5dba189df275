package manifestlint

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/script"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// judge judges documents for one goroutine and keeps its buffers.
type judge struct {
	l      *Linter
	skim   skimmer
	source editable // what the objects at hand stand in
	// met are the lists of triggers of which the document at hand has one, by
	// bit; all of them where nobody looked for them.
	met uint64
	// trees makes the trees of documents, which last until the next one is judged.
	trees builder
	// made is the tree of the document at hand, if it was made in passing; eager
	// is set where that may be, if worth says so of what guess is made.
	made  *wire.Value
	eager bool
	worth func(*skimHead) bool
	guess Object
	// head is the object at hand where nobody keeps it, pass the check's look at
	// it.
	head Object
	pass Pass
	// fixed is set where nobody writes to the memory of the text at hand, ever,
	// lasting where it also stays, whoever refers to it.
	fixed, lasting bool
	values         []jsonValue // of the stream at hand
	// fixer edits texts; nil until there is one.
	fixer *fixer
	// kept is what is remembered of the input at hand; nil if nothing is. Then
	// nobody writes to the memory of its text after it was judged, either.
	kept *kept
	// noting is set where kept is made, and not used.
	noting bool
	// gatherer gathers from the documents that are judged; nil: nobody does.
	gatherer *judge
	gathered result
	// surveys is set where it is not known yet what others say of an object's
	// kind.
	surveys bool
}

func newJudge(l *Linter) *judge {
	j := &judge{l: l, noting: l.gather != nil, trees: builder{most: largeSlab}}
	j.skim.triggers = &l.triggers
	j.worth = j.worthMaking
	return j
}

// whole judges an input that is in memory as a whole.
func (j *judge) whole(in *Input, data []byte, r *result) {
	if lang := j.l.language(in, data); lang != script.None {
		j.script(in, lang, data, r)
		j.finish(in, r, r.file)
		return
	}
	j.block(in, data, true, r)
	if r.docs == 0 {
		j.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipEmpty})
	}
	j.finish(in, r, r.file)
}

// finish applies the suppressions for the whole file and complains of those
// that nothing needed.
func (j *judge) finish(in *Input, r *result, file []directive) {
	if len(file) == 0 {
		return
	}
	r.findings = suppress(r.findings, file, &r.sum)
	j.complain(in, r, file, 0, !in.elsewhere() && in.Trace == nil)
}

// block judges a text that holds whole documents.
func (j *judge) block(in *Input, data []byte, first bool, r *result) {
	if first {
		if at := bytes.IndexByte(data[:min(len(data), binaryHead)], 0); at >= 0 {
			j.binary(in, data, at, r)
			return
		}
	}
	open := 0 // control statements of a template that are open
	split := newSplitter(data)
	j.eager = j.l.eager && j.steady() && !j.noting && !j.l.opts.ParseAll && !in.elsewhere()
	for {
		j.trees.room.clear()
		j.made = nil
		if g := j.l.gather; g != nil && open == 0 && g.passes(split) {
			r.count(1)
			continue
		}
		d, regular, ok := j.next(split)
		if !ok {
			break
		}
		d.index = r.docs
		if open > 0 || in.Template != "" && markup(d.data) {
			open = max(0, open+openBlocks(d.data))
			n := rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipTemplated}
			if in.Rendered != "" {
				n = in.notHere(d)
			}
			j.skip(in, r, d.data, n)
			r.count(1)
			continue
		}
		if json, _ := jsonText(d.data); json == nil {
			j.gather(in, d, regular, r)
		}
		if templated := j.document(in, d, regular, first && d.index == 0, r); templated {
			open = max(0, openBlocks(d.data))
		}
	}
	r.lines = split.line - 1 + bytes.Count(split.rest(), []byte{'\n'})
}

// next cuts the next document out of a text and skims it. A regular document
// ends where the skimmer saw its end; only the others need a search for it.
func (j *judge) next(split *splitter) (d document, regular, ok bool) {
	if j.regular(split) {
		if j.skim.head.empty && !j.skim.marked {
			return document{}, false, false // comments at the end
		}
		return split.take(j.skim.end, j.skim.lines), true, true
	}
	d, ok = split.next()
	return d, false, ok
}

// regular skims what is left of a text. It reports whether that begins with a
// regular document.
func (j *judge) regular(split *splitter) bool {
	if j.kept != nil && !j.noting {
		if regular, known := j.kept.recall(split.pos, &j.skim); known {
			return regular
		}
	}
	if json, _ := jsonText(split.rest()); json != nil {
		return false
	}
	if j.eager {
		return j.make(split)
	}
	regular := j.skim.skim(split.rest())
	if j.kept != nil && j.noting {
		j.kept.note(split.pos, &j.skim, regular)
	}
	return regular
}

// steady reports whether nobody writes to the memory of the text at hand after
// it was judged, so that trees may refer to it.
func (j *judge) steady() bool { return j.kept != nil || j.fixed || j.lasting }

// lasts says whether the text at hand is in memory that stays.
func (j *judge) lasts(yes bool) {
	j.lasting = yes
	if j.gatherer != nil {
		j.gatherer.lasting = yes
	}
}

// make skims a document and makes its tree in passing, if its head says that some
// check will want it.
func (j *judge) make(split *splitter) (regular bool) {
	j.trees.begin(split.rest(), split.line, true)
	j.skim.b, j.skim.decide = &j.trees, j.worth
	regular = j.skim.skim(split.rest())
	worth := j.skim.b != nil && !j.skim.head.empty
	j.skim.b, j.skim.decide = nil, nil
	if root := j.trees.end(regular && worth); worth {
		j.made = root
	}
	return regular
}

// binaryHead is how far into an input a NUL byte makes it binary; behind that it
// makes one document broken.
const binaryHead = 512

// binary reports an input that is no text, once.
func (j *judge) binary(in *Input, data []byte, at int, r *result) {
	r.count(1)
	r.lines = bytes.Count(data, []byte{'\n'})
	j.skip(in, r, data, rules.NotJudged{Line: 1, Reason: rules.SkipBinary})
	j.own(in, r, ruleSyntax, 0, charSpan(data, at, 1), rules.Finding{Message: "binary data: a manifest is text"})
}

// document judges one document, or the JSON values that it consists of. It
// reports whether the document is a template.
func (j *judge) document(in *Input, d document, regular, first bool, r *result) (templated bool) {
	if len(d.data) > j.l.opts.MaxDocument {
		j.tooLarge(in, d, r)
		return false
	}
	j.met = all
	if json, line := jsonText(d.data); json != nil {
		if j.jsonValues(in, d, json, line, r) {
			return false
		}
		regular = j.skim.skim(d.data)
		j.gather(in, d, regular, r)
	}
	r.count(1)
	j.source = editable{data: d.data, line: d.line, column: 1, doc: d, regular: regular, left: maxFixing}
	scripted := j.readsShell(d.data)
	if regular && !j.l.opts.ParseAll {
		j.met = j.skim.wanted
	}
	suppressing := j.l.gather == nil && bytes.IndexByte(d.data, '#') >= 0 && bytes.Contains(d.data, suppressMark)
	if j.skim.markup {
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipTemplated})
		return true
	}
	if regular && !suppressing && !scripted && !j.l.parseBody && !j.l.opts.ParseAll {
		if j.skim.lists && j.readsByItem(in, j.skim.listed) {
			j.list(in, d, d.data, slices.Clone(j.skim.listed), r)
			return false
		}
		if o := j.headObject(d.line); j.headDecides(o) {
			j.byHead(in, d, o, r)
			return false
		}
	}
	if j.l.gather != nil && !j.l.gather.spelled(d.data) && !markup(d.data) {
		return false
	}
	trees, failed := j.parse(d, regular)
	if failed != nil && failed.templated {
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipTemplated})
		return true
	}
	start := len(r.findings)
	for i, t := range trees {
		if i > 0 {
			r.count(1)
		}
		j.tree(in, d, t, r)
	}
	if failed != nil {
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipBroken, Detail: failed.text})
		j.own(in, r, ruleSyntax, d.index, failed.span, rules.Finding{Message: failed.text})
	} else if len(trees) == 0 {
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipEmpty})
	}
	if scripted && failed == nil && len(trees) == 1 {
		j.embeddedScripts(in, d, trees[0].root, r)
	}
	if suppressing {
		var root *wire.Value
		if len(trees) > 0 && failed == nil {
			root = trees[0].root
		}
		j.directives(in, d, root, first, r, start)
	}
	return false
}

// all is every list of triggers.
const all = ^uint64(0)

// parse gives the trees of a document: of a regular one by way of the skimmer.
func (j *judge) parse(d document, regular bool) ([]tree, *syntaxError) {
	if regular && j.made != nil {
		return []tree{{root: j.made}}, nil
	}
	if regular && !j.l.opts.ParseAll && !j.skim.head.empty {
		if root := j.skim.rebuildBy(&j.trees, d.data, d.line, j.steady()); root != nil {
			return []tree{{root: root}}, nil
		}
	}
	return parseYAML(d.data, d.line)
}

// tree judges a document that was parsed.
func (j *judge) tree(in *Input, d document, t tree, r *result) {
	found := objects(t.root)
	j.source.root = t.root
	switch {
	case t.root.IsNull():
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipEmpty})
		return
	case len(found) == 0 && !isList(t.root), len(found) > 0 && isKustomization(found[0]):
		j.skip(in, r, d.data, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipNotKubernetes})
		return
	}
	var ref *rules.ObjectRef
	if len(found) == 1 {
		ref = found[0].Ref()
	}
	for _, dup := range t.duplicates {
		j.own(in, r, ruleDuplicate, d.index, Span{dup.Pos, dup.End}, rules.Finding{
			Message: fmt.Sprintf("key %q is set again: this value counts, the one on line %d is dropped", dup.Name, dup.First.Line),
			Path:    dup.Path, Object: ref, Fix: j.dropDuplicate(in, d, t, &dup),
		})
	}
	if in.elsewhere() {
		j.skip(in, r, d.data, in.notHere(d))
		return
	}
	if len(found) == 1 && found[0].Root == t.root {
		found[0].Duplicates, found[0].JSON = t.duplicates, t.json
	}
	for _, o := range found {
		o.Listed = o.Root != t.root
		j.object(in, d.index, o, r)
		if j.l.opts.Embedded {
			j.embedded(in, d, o, r)
		}
	}
	j.releases(in, d, found, r)
}

// elsewhere reports whether an input's documents are not judged as objects
// where they stand.
func (in *Input) elsewhere() bool { return in.Partial != "" || in.Rendered != "" }

// notHere says why one of its documents is not.
func (in *Input) notHere(d document) rules.NotJudged {
	if in.Partial != "" {
		return rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipPatch, Detail: in.Partial}
	}
	return rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipRendered, Detail: in.Rendered}
}

func isList(root *wire.Value) bool {
	items := root.Get("items")
	return items != nil && items.Kind == wire.List && objectOf(root, "", "") != nil
}

// isKustomization reports whether an object is input for kustomize, which no
// server ever sees.
func isKustomization(o *Object) bool {
	return len(o.APIVersion) > len(kustomizeGroup) && o.APIVersion[:len(kustomizeGroup)] == kustomizeGroup
}

// kustomizeGroup is what the apiVersions of kustomizations begin with.
const kustomizeGroup = "kustomize.config.k8s.io/"

// object runs the checks on one object.
func (j *judge) object(in *Input, doc int, o *Object, r *result) {
	r.sum.Objects++
	o.Unfinished = in.Unfinished != ""
	if o.Root != nil {
		o.API, o.Known = lifecycle.LookupGV(o.APIVersion, o.Kind)
	}
	if !o.Known {
		r.sum.UnknownKinds++
	}
	if j.l.opts.Old != nil && o.Root != nil && o.Embedded == "" {
		o.Old = j.l.opts.Old(in.Name, o)
	}
	j.event(r, Event{Input: in, Document: doc, Object: o})
	target := j.l.opts.Target
	if in.Target != nil {
		target = *in.Target
	}
	p := &j.pass
	*p = Pass{Target: target, Validation: j.l.opts.Validation, Object: o, linter: j.l, file: in.Name, document: doc, result: r}
	met := j.met
	if o.Embedded != "" {
		met = all // a string's keys are none of the document's
	}
	for i := range j.l.opts.Checks {
		c := &j.l.opts.Checks[i]
		p.rule, p.severity = c.Rule, j.l.opts.Severity[c.Rule]
		start := len(r.findings)
		// What a cluster's release holds is as somebody wrote it.
		read := in.Reading != Written && o.Embedded == ""
		if j.surveys && c.Others == Definitions && !o.Known && met&j.l.bits[i] == j.l.bits[i] {
			r.ask(i, o)
		}
		if c.Head != nil && !read {
			c.Head(p)
		}
		if read && in.Reading == ReadMetadata && !c.Metadata {
			continue
		}
		if c.Body != nil && o.Root != nil && met&j.l.bits[i] == j.l.bits[i] && j.l.looksAt(c, o) {
			c.Body(p)
		}
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
		file: in.Name, document: doc, result: r, named: true,
	}
	p.Report(at, f)
}

// directives applies a document's suppressions to the findings from start on.
func (j *judge) directives(in *Input, d document, root *wire.Value, first bool, r *result, start int) {
	var here []directive
	for _, dir := range directives(d.data, d.line, root) {
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
	j.complain(in, r, here, d.index, root != nil && !in.elsewhere() && in.Trace == nil)
}

// complain reports what is wrong with suppressions.
func (j *judge) complain(in *Input, r *result, all []directive, doc int, judged bool) {
	for i := range all {
		if in.Used != nil && all[i].used {
			in.Used(all[i].span.Pos.Line, all[i].rule)
		}
		if text := j.l.complain(&all[i], judged); text != "" {
			j.own(in, r, ruleSuppression, doc, all[i].span, rules.Finding{Message: text})
		}
	}
}

// skip notes a document, of which text is what there is of it, that is not
// judged.
func (j *judge) skip(in *Input, r *result, text []byte, n rules.NotJudged) {
	n.File = in.Name
	r.skip(n)
	if j.l.opts.Each != nil {
		j.event(r, Event{Input: in, Document: n.Document, NotJudged: &n, Text: text})
	}
}

func (j *judge) tooLarge(in *Input, d document, r *result) {
	r.count(1)
	j.skip(in, r, nil, rules.NotJudged{Document: d.index, Line: d.line, Reason: rules.SkipTooLarge})
}
