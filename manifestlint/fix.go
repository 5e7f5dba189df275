package manifestlint

import (
	"errors"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/fix"
	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/manifestlint/internal/yamltree"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Change is how a check fixes a finding about an object.
type Change struct {
	// Message describes the change in the imperative, such as "rename the field a
	// to b".
	Message string
	// Safe is set if the change needs no review.
	Safe bool
	// Steps are the changes to the object that remove the finding; none if a user
	// must make a decision first.
	Steps []conversion.Step
	// Notes are sentences for the user about decisions or reviews.
	Notes []string
}

// notFixed begins a note with the reason why there are no edits for a change.
const notFixed = "kubevet cannot write it: "

// fixBudget returns the number of bytes that may be parsed to fix the findings
// of a document. Each fix parses the text of its object a few times. The number
// grows with the document, so that the time is proportional to the document's
// size.
func fixBudget(document []byte) int { return min(1<<20+256*len(document), 128<<20) }

// editable is the text that contains the current objects, for fixes.
type editable struct {
	// data is the text; nil if it cannot be edited. It begins at line and column
	// of the input.
	data         []byte
	line, column int
	json         bool
	root         *wire.Value  // tree of data
	outer        *outerString // set if data is a string in another document
	budget       int          // see fix.Source.Budget
	// source is the result of fixSource; nil before the first call.
	source *fix.Source
}

// outerString is a string value of a document.
type outerString struct {
	doc   document.Document
	value *wire.Value
}

// fixSource returns the current text in the form that package fix needs.
func (c *checker) fixSource() *fix.Source {
	t := &c.source
	if t.source == nil {
		t.source = &fix.Source{Data: t.data, Line: t.line, Column: t.column, JSON: t.json, Budget: t.budget}
		if t.outer != nil {
			t.source.Literal = &fix.Literal{Data: t.outer.doc.Data, Line: t.outer.doc.Line, Value: t.outer.value}
		}
	}
	t.source.Root = t.root
	return t.source
}

// fix adds fixes to the findings of one check about an object, which begin at
// index start.
func (c *checker) fix(in *Input, p *Pass, check *Check, r *result, start int) {
	if check.Fix == nil || !c.l.opts.Fixes || start >= len(r.findings) {
		return
	}
	q := *p
	q.Target = c.l.opts.Target // the input's target may be a part of it
	for i := start; i < len(r.findings); i++ {
		f := &r.findings[i]
		change, ok := check.Fix(&q, f)
		if !ok {
			continue
		}
		f.Notes = append(f.Notes, change.Notes...)
		if len(change.Steps) == 0 {
			continue
		}
		if !c.l.opts.FixEdits && in.Trace == nil { // for a rendered text, only edits can be moved to the source
			f.Fix = &rules.CodeFix{Message: change.Message, Safe: change.Safe}
			continue
		}
		edits, err := c.edits(p.Object, f.File, change.Steps)
		var refusal *fix.Refusal
		switch {
		case errors.As(err, &refusal):
			f.Notes = append(f.Notes, notFixed+refusal.Reason)
		case err == nil && len(edits) > 0:
			f.Fix = &rules.CodeFix{Message: change.Message, Safe: change.Safe, Edits: edits}
		}
	}
}

// edits returns the edits of a file that apply the steps to an object.
func (c *checker) edits(o *Object, file string, steps []conversion.Step) ([]rules.Edit, error) {
	if o.Embedded != "" && c.source.outer == nil {
		return nil, &fix.Refusal{Reason: "its text is not in a file"} // it is in a compressed Helm release
	}
	return c.fixSource().Edits(file, fix.Object{Root: o.Root, Listed: o.Listed}, steps)
}

// dropDuplicate returns the fix that removes a repeated key; nil for none.
func (c *checker) dropDuplicate(in *Input, t yamltree.Tree, dup *wire.Duplicate) *rules.CodeFix {
	if !c.l.opts.Fixes || in.Trace != nil || c.source.json {
		return nil
	}
	return c.fixSource().RemoveDuplicate(in.Name, t.Root, len(t.Duplicates), dup)
}

// isNotFixed reports whether a note is a reason why there are no edits.
func isNotFixed(note string) bool { return strings.HasPrefix(note, notFixed) }

// shiftFix returns a copy of the fix whose edits are moved down by a number of
// lines. The original is not changed, because other findings may share it.
func shiftFix(fix *rules.CodeFix, lines int) *rules.CodeFix {
	if fix == nil {
		return nil
	}
	moved := *fix
	moved.Edits = slices.Clone(fix.Edits)
	for i := range moved.Edits {
		moved.Edits[i].Line += lines
		moved.Edits[i].EndLine += lines
	}
	return &moved
}
