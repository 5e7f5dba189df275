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
	// Message is the change as a command.
	Message string
	// Safe reports whether nobody has to review the change.
	Safe bool
	// Steps change the object so that the finding disappears. There are none if a
	// human must decide first.
	Steps []conversion.Step
	// Notes are sentences about what a human must decide or review.
	Notes []string
}

// notFixed begins the note that says why a change is not made in the text.
const notFixed = "kubevet cannot write it: "

// maxFixing returns the number of bytes that may be parsed to fix the findings of
// a document: each fix parses its object's text a few times. It is proportional
// to the size of a large document, so that the time is.
func maxFixing(document []byte) int { return min(1<<20+256*len(document), 128<<20) }

// editable is the text of the objects that are checked.
type editable struct {
	// data begins at line and column of the input; nil: it cannot be edited.
	data         []byte
	line, column int
	json         bool
	root         *wire.Value // the tree of data
	within       *within     // data is a string of another document
	left         int         // Source.Budget
	// source is made when it is first used.
	source *fix.Source
}

// within is a string of a document.
type within struct {
	doc   document.Document
	value *wire.Value
}

// fixSource returns the text of the objects for the package that edits it.
func (c *checker) fixSource() *fix.Source {
	t := &c.source
	if t.source == nil {
		t.source = &fix.Source{Data: t.data, Line: t.line, Column: t.column, JSON: t.json, Budget: t.left}
		if t.within != nil {
			t.source.Literal = &fix.Literal{Data: t.within.doc.Data, Line: t.within.doc.Line, Value: t.within.value}
		}
	}
	t.source.Root = t.root
	return t.source
}

// fix adds the fixes to the findings of a check about an object, which begin at an
// index.
func (c *checker) fix(in *Input, p *Pass, check *Check, r *result, start int) {
	if check.Fix == nil || !c.l.opts.Fixes || start >= len(r.findings) {
		return
	}
	q := *p
	q.Target = c.l.opts.Target // an input may be for a part of it
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
		if !c.l.opts.FixEdits && in.Trace == nil { // a rendered text has a fix only if there are edits
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

// edits returns the edits of a file that make the steps on an object.
func (c *checker) edits(o *Object, file string, steps []conversion.Step) ([]rules.Edit, error) {
	if o.Embedded != "" && c.source.within == nil {
		return nil, &fix.Refusal{Reason: "its text is not in a file"} // in a compressed Helm release
	}
	return c.fixSource().Edits(file, fix.Object{Root: o.Root, Listed: o.Listed}, steps)
}

// dropDuplicate returns the fix of a key that is set twice, or nil.
func (c *checker) dropDuplicate(in *Input, t yamltree.Tree, dup *wire.Duplicate) *rules.CodeFix {
	if !c.l.opts.Fixes || in.Trace != nil || c.source.json {
		return nil
	}
	return c.fixSource().RemoveDuplicate(in.Name, t.Root, len(t.Duplicates), dup)
}

// isNotFixed reports whether a note says why a change is not made in the text.
func isNotFixed(note string) bool { return strings.HasPrefix(note, notFixed) }

// shiftFix moves the edits of a fix down. The fix may be shared.
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
