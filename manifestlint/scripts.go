package manifestlint

import (
	"bytes"
	"io"
	"path"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/script"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// ScriptPass is one check's look at what a script, or the shell text in a YAML
// document, does with kubectl and oc.
type ScriptPass struct {
	// Kubectl are the releases of kubectl that are judged against.
	Kubectl lifecycle.Range
	// Commands are those that may be dry runs, in the order of their places.
	Commands []script.Command

	text   sourceText
	report func(at Span, f rules.Finding)
}

// Report reports a finding at a place of the text, with the rule's severity.
func (p *ScriptPass) Report(at script.Place, f rules.Finding) { p.report(p.text.span(at), f) }

// Text is what stands at a place.
func (p *ScriptPass) Text(at script.Place) string {
	return string(p.text.b[min(at.Start, len(p.text.b)):min(at.End, len(p.text.b))])
}

// Edit replaces what stands at a place. The linter fills in the file.
func (p *ScriptPass) Edit(at script.Place, by string) rules.Edit {
	s := p.text.span(at)
	return rules.Edit{Line: s.Pos.Line, Column: s.Pos.Column, EndLine: s.End.Line, EndColumn: s.End.Column, New: by}
}

// sourceText turns byte offsets of a text into lines and columns of the input.
type sourceText struct {
	b     []byte
	first int   // the line on which it begins
	lines []int // offsets
}

func newSourceText(b []byte, first int) sourceText {
	t := sourceText{b: b, first: first, lines: []int{0}}
	for i, c := range b {
		if c == '\n' {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

func (t *sourceText) pos(at int) wire.Pos {
	at = max(0, min(at, len(t.b)))
	n := sort.SearchInts(t.lines, at+1) - 1
	return wire.Pos{Line: t.first + n, Column: utf8.RuneCount(t.b[t.lines[n]:at]) + 1}
}

// offset is the inverse of pos.
func (t *sourceText) offset(line, column int) int {
	n := line - t.first
	if n < 0 || n >= len(t.lines) {
		return len(t.b)
	}
	at := t.lines[n]
	for ; column > 1 && at < len(t.b); column-- {
		_, size := utf8.DecodeRune(t.b[at:])
		at += size
	}
	return at
}

func (t *sourceText) span(p script.Place) Span {
	return Span{t.pos(p.Start), t.pos(max(p.End, p.Start))}
}

// scripts prepares what the linter needs to read scripts.
func (l *Linter) scripts() {
	l.readScripts = !l.opts.NoScripts && len(l.opts.Checks) > 0
	if l.opts.Kubectl == (lifecycle.Range{}) {
		l.opts.Kubectl = lifecycle.Range{From: lifecycle.Newest, To: lifecycle.Newest}
	}
	// What a script hands to kubectl is judged as what it is, and by itself.
	inner := *l
	inner.readScripts, inner.opts.Each, inner.opts.Old = false, nil, nil
	l.inner = &inner
	partly := inner
	partly.opts.Fixes = false // nobody knows what a fix would have to keep
	l.partly = &partly
}

// language is how an input is read.
func (l *Linter) language(in *Input, head []byte) script.Language {
	switch {
	case in.Script > script.Unsure:
		return in.Script
	case in.Script == script.Unsure && script.Shebang(head), in.Script == script.None && bytes.HasPrefix(head, []byte("#!")) && script.Shebang(head):
		return script.Shell
	}
	return in.Script
}

// script judges an input that is a script.
func (j *judge) script(in *Input, lang script.Language, data []byte, r *result) {
	if lang == script.Unsure || !j.l.readScripts {
		r.notRead = true
		return
	}
	r.sum.Scripts++
	r.lines = bytes.Count(data, []byte{'\n'})
	if !script.Mentions(data) && !bytes.Contains(data, suppressMark) {
		return
	}
	if len(data) > script.MaxSize {
		j.skip(in, r, nil, rules.NotJudged{Line: 1, Reason: rules.SkipTooLarge})
		return
	}
	f := script.Read(lang, data)
	text := newSourceText(data, 1)
	j.commands(in, 0, f, &text, r)
	var here []directive
	for _, d := range scriptDirectives(f, &text, r.lines+1) {
		if d.file {
			r.file = append(r.file, d)
		} else {
			here = append(here, d)
		}
	}
	r.findings = suppress(r.findings, here, &r.sum)
	j.complain(in, r, here, 0, true)
}

// readsShell reports whether a document may have shell text to judge.
func (j *judge) readsShell(text []byte) bool {
	return j.l.readScripts && script.Mentions(text)
}

// embeddedScripts judges the shell text of a YAML document.
func (j *judge) embeddedScripts(in *Input, d document.Document, root *wire.Value, r *result) {
	if in.Trace != nil && !in.Scripted {
		return // it is judged where it is written
	}
	f := script.YAML(root, d.Data, d.Line)
	if len(f.Commands)+len(f.Manifests)+len(f.Comments) == 0 {
		return
	}
	text := newSourceText(d.Data, d.Line)
	own := &result{}
	j.commands(in, d.Index, f, &text, own)
	whose(own.findings, root)
	here := scriptDirectives(f, &text, d.Line+len(text.lines)-1)
	own.findings = suppress(own.findings, here, &own.sum)
	j.complain(in, own, here, d.Index, in.Trace == nil)
	r.add(own)
	r.findings = append(r.findings, own.findings...)
}

// whose gives findings in shell text the object that has it, and the field. A
// manifest that is handed over is an object itself.
func whose(findings []rules.Finding, root *wire.Value) {
	found := objects(root)
	for i := range findings {
		f := &findings[i]
		if f.Object != nil {
			continue
		}
		at := wire.Pos{Line: f.Line, Column: f.Column}
		n := lastBefore(len(found), at, func(n int) wire.Pos { return found[n].Root.Pos })
		if n >= 0 {
			f.Object, f.Path = found[n].Ref(), pathTo(found[n].Root, at)
		}
	}
}

// pathTo is the path of the field in which a place is, in the server's
// notation. Maps and lists go as far as the next one begins.
func pathTo(v *wire.Value, at wire.Pos) string {
	path := ""
	for range maxDepthOfPath {
		if n := lastBefore(len(v.Fields), at, func(n int) wire.Pos { return v.Fields[n].Pos }); n >= 0 {
			path = wire.Join(path, v.Fields[n].Name)
			v = v.Fields[n].Value
		} else if n := lastBefore(len(v.Items), at, func(n int) wire.Pos { return v.Items[n].Pos }); n >= 0 {
			path += "[" + strconv.Itoa(n) + "]"
			v = v.Items[n]
		} else {
			break
		}
	}
	return path
}

// maxDepthOfPath bounds the search, as aliases can make a tree of any depth.
const maxDepthOfPath = 200

// lastBefore is which of n things begins last of those that begin before a
// place or there; -1 for none. What an alias stands for begins elsewhere.
func lastBefore(n int, at wire.Pos, begins func(int) wire.Pos) int {
	last := -1
	var latest wire.Pos
	for i := range n {
		if p := begins(i); p.Line > 0 && !before(at, p) && (last < 0 || before(latest, p)) {
			last, latest = i, p
		}
	}
	return last
}

func before(a, b wire.Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column }

// scriptDirectives gives the suppressions of a script.
func scriptDirectives(f *script.File, text *sourceText, last int) []directive {
	var all []directive
	for _, c := range f.Comments {
		d := directive{span: text.span(c.At), from: text.pos(c.From).Line, to: text.pos(c.To).Line}
		if c.Head {
			d.from, d.to = text.first, last
		}
		all = append(all, parseDirective(c.Text, d, c.Head)...)
		if len(all) > maxDirectives {
			return append(all[:maxDirectives], directive{span: d.span, rule: "-many"})
		}
	}
	return all
}

// commands runs the checks on what a script does, and judges the manifests
// that it hands over. The findings are in the order of their places.
func (j *judge) commands(in *Input, doc int, f *script.File, text *sourceText, r *result) {
	start := len(r.findings)
	for i := range j.l.opts.Checks {
		c := &j.l.opts.Checks[i]
		if c.Script == nil || len(f.Commands) == 0 {
			continue
		}
		c.Script(&ScriptPass{Kubectl: j.l.opts.Kubectl, Commands: f.Commands, text: *text, report: func(at Span, g rules.Finding) {
			g.Rule, g.Severity = c.Rule, j.l.opts.Severity[c.Rule]
			g.File, g.Document = in.Name, doc
			g.Line, g.Column, g.EndLine, g.EndColumn = at.Pos.Line, at.Pos.Column, at.End.Line, at.End.Column
			if g.EndLine == g.Line && g.EndColumn <= g.Column {
				g.EndColumn = g.Column + 1
			}
			if g.Fix != nil {
				for i := range g.Fix.Edits {
					g.Fix.Edits[i].File = in.Name
				}
			}
			r.findings = append(r.findings, g)
		}})
	}
	for _, m := range f.Manifests {
		j.handedOver(in, doc, m, text, r)
	}
	slices.SortStableFunc(r.findings[start:], func(a, b rules.Finding) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}

// fillings stand for what is not known of a manifest. What is found with each
// of them does not depend on it.
var fillings = []string{"a", "7", "{}", "[]", "true", ""}

// handedOver judges a manifest that a script hands to kubectl.
func (j *judge) handedOver(in *Input, doc int, m script.Manifest, text *sourceText, r *result) {
	part := Input{Name: in.Name, Target: in.Target}
	if m.OwnLine() {
		part.Unfinished = "what the script fills in"
	}
	with := fillings
	if !m.Unknown() {
		with = fillings[:1]
	}
	type key struct {
		rule, message, path string
		line, column        int
	}
	// What stands on a line with an unknown part may be about that. Text leaves
	// out parts of an example.
	unknown := m.UnknownLines()
	elided := in.Script == script.Markdown && bytes.Contains(m.Text("").Bytes, []byte("..."))
	var kept []rules.Finding
	for i, filling := range with {
		filled := m.Text(filling)
		own := newSourceText(filled.Bytes, 1)
		found := &result{}
		nested := newJudge(j.l.inner)
		if m.Unknown() {
			nested = newJudge(j.l.partly)
		}
		nested.block(&part, filled.Bytes, true, found)
		nested.finish(&part, found, found.file)
		held := map[key]bool{}
		moved := found.findings[:0]
		for _, f := range found.findings {
			if f.Rule == ruleSyntax && (m.Unknown() || elided) || unknown[f.Line] {
				continue
			}
			f.Document = doc
			if moveHome(&f, &own, filled, text) {
				held[key{f.Rule, f.Message, f.Path, f.Line, f.Column}] = true
				moved = append(moved, f)
			}
		}
		if i == 0 {
			kept = slices.Clone(moved)
			for n := range found.sum.NotJudged {
				left := &found.sum.NotJudged[n]
				at := own.offset(left.Line, 1)
				left.Document, left.Line = doc, text.pos(filled.Place(at, at+1).Start).Line
			}
			r.addSum(&found.sum)
			continue
		}
		kept = slices.DeleteFunc(kept, func(f rules.Finding) bool { return !held[key{f.Rule, f.Message, f.Path, f.Line, f.Column}] })
		for n := range kept {
			kept[n].Object = known(kept[n].Object, moved)
		}
	}
	r.findings = append(r.findings, kept...)
}

// known gives of an object what it also has with another filling: a name that
// the script fills in is not known.
func known(o *rules.ObjectRef, others []rules.Finding) *rules.ObjectRef {
	if o == nil {
		return nil
	}
	out := *o
	name, namespace := false, false
	for i := range others {
		if p := others[i].Object; p != nil && p.Kind == o.Kind && p.APIVersion == o.APIVersion {
			name, namespace = name || p.Name == o.Name, namespace || p.Namespace == o.Namespace
		}
	}
	if !name {
		out.Name = ""
	}
	if !namespace {
		out.Namespace = ""
	}
	return &out
}

// moveHome moves a finding of a manifest to where the manifest was written. It
// reports false for what has no place there.
func moveHome(f *rules.Finding, own *sourceText, filled script.Filled, text *sourceText) bool {
	move := func(line, column, endLine, endColumn *int) (exact bool) {
		start, end := own.offset(*line, *column), own.offset(*endLine, *endColumn)
		p := filled.Place(start, end)
		s := text.span(p)
		*line, *column, *endLine, *endColumn = s.Pos.Line, s.Pos.Column, s.End.Line, s.End.Column
		if *endLine == *line && *endColumn <= *column {
			*endColumn = *column + 1
		}
		return p.Exact
	}
	if len(own.b) == 0 {
		return false
	}
	move(&f.Line, &f.Column, &f.EndLine, &f.EndColumn)
	for i := range f.Related {
		if rel := &f.Related[i]; rel.File == f.File {
			move(&rel.Line, &rel.Column, &rel.EndLine, &rel.EndColumn)
		}
	}
	if f.Fix == nil {
		return true
	}
	fix := *f.Fix
	fix.Edits = slices.Clone(fix.Edits)
	for i := range fix.Edits {
		e := &fix.Edits[i]
		if !move(&e.Line, &e.Column, &e.EndLine, &e.EndColumn) || !plainText(e.New) {
			f.Fix = nil // it is not there to the letter, or means something to the shell
			return true
		}
	}
	f.Fix = &fix
	return true
}

// plainText reports whether a text can stand in every kind of shell text, and
// in YAML around that, as it is.
func plainText(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '.', c == '/', c == '-', c == '_', c == ':', c == ' ':
		default:
			return false
		}
	}
	return true
}

// addSum adds the counters of what is a part of the same file.
func (r *result) addSum(o *rules.Summary) {
	if r.sum.Skipped == nil {
		r.sum.Skipped = map[string]int{}
	}
	files, size := o.Files, o.Bytes
	o.Files, o.Bytes = 0, 0
	r.sum.Add(o)
	o.Files, o.Bytes = files, size
}

// largeScript reads a script that is over the size of a block.
func (w *worker) largeScript(in *Input, head []byte, r io.Reader) *result {
	res := &result{}
	lang := w.judge.l.language(in, head)
	if lang == script.Unsure {
		return res // a large file of some other kind
	}
	rest, err := io.ReadAll(io.LimitReader(r, script.MaxSize))
	if err != nil {
		return w.failed(in, err)
	}
	data := append(bytes.Clone(head), rest...)
	res.sum.Files, res.sum.Bytes = 1, int64(len(data))
	w.judge.script(in, lang, data, res)
	w.judge.finish(in, res, res.file)
	return res
}

// languageOf is how an input of a name is read.
func languageOf(name string) script.Language {
	if lang := script.LanguageOf(path.Base(name)); lang != script.Unsure {
		return lang
	}
	return script.None
}
