package manifestlint

import (
	"bytes"
	"io"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// A finding about what was rendered is fixed in the files that it was
// rendered from, and only where the text there is the field itself: as an
// object that stands in a file of its own accord, or as lines of a template
// that come out as they are.

// noteRendered says what a fix of a source cannot see to.
const noteRendered = "patches that name the old apiVersion must change with it"

// retrace moves a finding of a rendered input to its source, with its fix, and
// reports whether it stays.
func (j *judge) retrace(in *Input, f *rules.Finding, rendered func() [][]byte) bool {
	fix := f.Fix
	f.Fix = nil
	fixable := fix != nil || slices.ContainsFunc(f.Notes, func(n string) bool { return len(n) > len(notFixed) && n[:len(notFixed)] == notFixed })
	at := *f
	if !in.Trace(f) {
		return false
	}
	if !fixable || in.Source == nil {
		return true
	}
	text, err := in.Source(f.File)
	if err != nil {
		return true
	}
	fixes := slices.IndexFunc(j.l.opts.Checks, func(c Check) bool { return c.Fix != nil && slices.Contains(c.Rules(), f.Rule) })
	own, known := j.fixAtSource(text, f, fixes)
	if known {
		f.Fix = own
	} else if fix != nil {
		lines := bytes.Split(text, []byte("\n"))
		if f.Fix = traceFix(in, &at, fix, lines, rendered()); f.Fix == nil && fixes < 0 {
			f.Fix = traceWords(in, &at, fix, lines, rendered())
		}
	}
	if f.Fix == nil {
		if fix != nil {
			f.Notes = append(f.Notes, notFixed+"what would change does not stand literally in its source")
		}
		return true
	}
	f.Notes = slices.DeleteFunc(f.Notes, func(n string) bool { return len(n) > len(notFixed) && n[:len(notFixed)] == notFixed })
	if fixes >= 0 {
		f.Notes = append(f.Notes, noteRendered)
	} else {
		f.Fix.Safe = fix.Safe // the words of a command, which nothing else refers to
	}
	return true
}

// fixAtSource fixes the object that a finding stands at in a file that is
// YAML, with the check at an index; known is false where the file is none, as a
// template, or where no check fixes objects of its own.
func (j *judge) fixAtSource(text []byte, f *rules.Finding, at int) (fix *rules.CodeFix, known bool) {
	if at < 0 {
		return nil, false
	}
	if f.Object == nil {
		return nil, true
	}
	text = document.Decode(text)
	split := document.NewSplitter(text)
	for d, ok := split.Next(); ok; d, ok = split.Next() {
		if lines := bytes.Count(d.Data, []byte{'\n'}); f.Line < d.Line || f.Line >= d.Line+max(lines, 1) && !split.Done() {
			continue
		}
		if document.HasMarkup(d.Data) {
			return nil, false
		}
		trees, failed := yamltree.Parse(d.Data, d.Line)
		if failed != nil || len(trees) != 1 {
			return nil, false
		}
		for _, o := range objects(trees[0].Root) {
			if o.APIVersion != f.Object.APIVersion || o.Kind != f.Object.Kind || o.APIVersionAt.Pos != (wire.Pos{Line: f.Line, Column: f.Column}) && o.Listed {
				continue
			}
			o.Listed = o.Root != trees[0].Root
			if o.Listed && o.APIVersionAt.Pos.Line != f.Line {
				continue
			}
			j.source = editable{data: d.Data, line: d.Line, column: 1, left: maxFixing}
			return j.fixObject(&j.l.opts.Checks[at], o, f), true
		}
		return nil, true
	}
	return nil, true
}

// fixObject gives the fix of a finding about an object of the source at hand.
func (j *judge) fixObject(c *Check, o *Object, f *rules.Finding) *rules.CodeFix {
	o.API, o.Known = lifecycle.LookupGV(o.APIVersion, o.Kind)
	o.Unfinished = true
	change, ok := c.Fix(&Pass{Target: j.l.opts.Target, Validation: j.l.opts.Validation, Object: o, linter: j.l}, f)
	if !ok || len(change.Steps) == 0 {
		return nil
	}
	edits, err := j.edits(o, f.File, &change)
	if err != nil || len(edits) == 0 {
		return nil
	}
	return &rules.CodeFix{Message: change.Message, Edits: edits}
}

// traceFix moves a fix of rendered text to the template that it came out of:
// nil unless every line that it touches stands there as it came out, and the
// lines follow each other as they do there.
func traceFix(in *Input, at *rules.Finding, fix *rules.CodeFix, source, rendered [][]byte) *rules.CodeFix {
	file := ""
	moved := &rules.CodeFix{Message: fix.Message}
	traced := func(line int) (int, bool) {
		if line < 1 || line > len(rendered) {
			return 0, false
		}
		text := bytes.TrimRight(rendered[line-1], " \t\r")
		column := len(text) - len(bytes.TrimLeft(text, " ")) + 1
		probe := rules.Finding{Rule: at.Rule, File: at.File, Document: at.Document, Object: at.Object, Line: line, Column: column, EndLine: line, EndColumn: column + 1}
		in.Trace(&probe)
		if file == "" {
			file = probe.File
		}
		if probe.File != file || probe.Line < 1 || probe.Line > len(source) {
			return 0, false
		}
		return probe.Line, bytes.Equal(text, bytes.TrimRight(source[probe.Line-1], " \t\r")) && len(text) > 0
	}
	for _, e := range fix.Edits {
		from, to := e.Line, e.EndLine
		if e.EndColumn == 1 && to > from {
			to-- // up to the end of the line before
		}
		if e.Line == e.EndLine && e.Column == e.EndColumn && e.Column == 1 {
			from-- // between two lines
		}
		first, ok := traced(from)
		if !ok {
			return nil
		}
		for line := from + 1; line <= to; line++ {
			if next, ok := traced(line); !ok || next != first+line-from {
				return nil
			}
		}
		by := first - from
		e.File = file
		e.Line += by
		e.EndLine += by
		moved.Edits = append(moved.Edits, e)
	}
	slices.SortFunc(moved.Edits, func(a, b rules.Edit) int { return a.Line*1<<20 + a.Column - b.Line*1<<20 - b.Column })
	for i := 1; i < len(moved.Edits); i++ {
		if a, b := moved.Edits[i-1], moved.Edits[i]; a.EndLine > b.Line || a.EndLine == b.Line && a.EndColumn > b.Column {
			return nil
		}
	}
	e := moved.Edits[0]
	moved.Safe = fix.Safe && len(moved.Edits) == 1 && e.Line == e.EndLine && !bytes.ContainsRune([]byte(e.New), '\n')
	return moved
}

// traceWords moves a fix that replaces words of lines, whatever else stands on
// them, to the template: nil unless the very words stand there.
func traceWords(in *Input, at *rules.Finding, fix *rules.CodeFix, source, rendered [][]byte) *rules.CodeFix {
	moved := &rules.CodeFix{Message: fix.Message, Safe: fix.Safe}
	for _, e := range fix.Edits {
		if e.Line != e.EndLine || e.Column >= e.EndColumn {
			return nil
		}
		words := columns(rendered, e.Line, e.Column, e.EndColumn)
		probe := rules.Finding{Rule: at.Rule, File: at.File, Document: at.Document, Object: at.Object, Line: e.Line, Column: e.Column, EndLine: e.EndLine, EndColumn: e.EndColumn}
		in.Trace(&probe)
		end := probe.Column + e.EndColumn - e.Column
		if len(words) == 0 || !bytes.Equal(words, columns(source, probe.Line, probe.Column, end)) {
			return nil
		}
		if len(moved.Edits) > 0 && moved.Edits[0].File != probe.File {
			return nil
		}
		moved.Edits = append(moved.Edits, rules.Edit{File: probe.File, Line: probe.Line, Column: probe.Column, EndLine: probe.Line, EndColumn: end, New: e.New})
	}
	return moved
}

// columns are the characters of a line from one column to another; nil where
// it has not as many.
func columns(lines [][]byte, line, from, to int) []byte {
	if line < 1 || line > len(lines) || from < 1 || to < from {
		return nil
	}
	runes := bytes.Runes(lines[line-1])
	if to-1 > len(runes) {
		return nil
	}
	return []byte(string(runes[from-1 : to-1]))
}

// renderedLines reads an input that was rendered, once.
func renderedLines(in *Input) func() [][]byte {
	var lines [][]byte
	read := false
	return func() [][]byte {
		if !read {
			read = true
			if rc, err := in.Open(); err == nil {
				defer rc.Close()
				if data, err := io.ReadAll(rc); err == nil {
					lines = bytes.Split(document.Decode(data), []byte("\n"))
				}
			}
		}
		return lines
	}
}
