package manifestlint

import (
	"bytes"
	"io"
	"slices"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// A finding about a rendered text is fixed in the source files of this text, if
// a source file contains the object, or if a template contains the lines to
// change.

// noteRendered is a note for the user, because the fix of an object does not
// change the patches for the object.
const noteRendered = "patches that name the old apiVersion must change with it"

// moveToSource moves a finding about a rendered input, and its fix, to the
// source file. It returns false if a comment in this file suppresses the
// finding. rendered returns the lines of the input.
func (c *checker) moveToSource(in *Input, f *rules.Finding, rendered func() [][]byte) bool {
	old := f.Fix
	f.Fix = nil
	at := *f
	if !in.Trace(f) {
		return false
	}
	if old == nil && !slices.ContainsFunc(f.Notes, isNotFixed) || in.Source == nil {
		return true
	}
	text, err := in.Source(f.File)
	if err != nil {
		return true
	}
	check := slices.IndexFunc(c.l.opts.Checks, func(c Check) bool { return c.Fix != nil && slices.Contains(c.Rules(), f.Rule) })
	own, known := c.fixAtSource(text, f, check)
	switch {
	case known:
		f.Fix = own
	case old != nil:
		r := fix.Rendered{Trace: in.Trace, Finding: &at, Source: bytes.Split(text, []byte("\n")), Lines: rendered()}
		if f.Fix = r.MoveLines(old); f.Fix == nil && check < 0 {
			f.Fix = r.MoveWords(old)
		}
	}
	if f.Fix == nil {
		if old != nil {
			f.Notes = append(f.Notes, notFixed+"the source file does not contain the text to change")
		}
		return true
	}
	f.Notes = slices.DeleteFunc(f.Notes, isNotFixed)
	if check >= 0 {
		f.Notes = append(f.Notes, noteRendered)
	} else {
		f.Fix.Safe = old.Safe // the fix changes a command, to which nothing else refers
	}
	return true
}

// fixAtSource fixes the object of a finding in a YAML file with the check at
// this index. known is false if the file is not YAML, such as a template, or if
// no check has the rule.
func (c *checker) fixAtSource(text []byte, f *rules.Finding, check int) (fixed *rules.CodeFix, known bool) {
	if check < 0 {
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
		return c.fixIn(d, trees[0].Root, f, &c.l.opts.Checks[check]), true
	}
	return nil, true
}

// fixIn fixes the object of a finding in one document.
func (c *checker) fixIn(d document.Document, root *wire.Value, f *rules.Finding, check *Check) *rules.CodeFix {
	for _, o := range objects(root) {
		if o.APIVersion != f.Object.APIVersion || o.Kind != f.Object.Kind || o.APIVersionAt.Pos != (wire.Pos{Line: f.Line, Column: f.Column}) && o.Listed {
			continue
		}
		o.Listed = o.Root != root
		if o.Listed && o.APIVersionAt.Pos.Line != f.Line {
			continue
		}
		c.source = editable{data: d.Data, line: d.Line, column: 1, budget: fixBudget(d.Data)}
		return c.fixObject(check, o, f)
	}
	return nil
}

// fixObject returns the fix of a finding about an object in c.source.
func (c *checker) fixObject(check *Check, o *Object, f *rules.Finding) *rules.CodeFix {
	o.Unfinished = true
	change, ok := check.Fix(&Pass{Target: c.l.opts.Target, Validation: c.l.opts.Validation, Object: o, linter: c.l}, f)
	if !ok || len(change.Steps) == 0 {
		return nil
	}
	edits, err := c.edits(o, f.File, change.Steps)
	if err != nil || len(edits) == 0 {
		return nil
	}
	return &rules.CodeFix{Message: change.Message, Edits: edits}
}

// renderedLines returns a function for the lines of a rendered input. The
// function reads the input at its first call.
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
