package manifestlint

import (
	"errors"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/fix"
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

// maxFixing is the number of bytes that may be parsed to fix the findings of one
// document: each fix parses its object's text a few times.
const maxFixing = 128 << 20

// editable is the text of the objects that are checked.
type editable struct {
	// data begins at line and column of the input; nil: it cannot be edited.
	data         []byte
	line, column int
	json         bool
	// root is the tree of data, where it was parsed to find objects in it.
	root *wire.Value
	// item is what stands in list, which is data or what it is a part of, where the
	// object at hand is an item of a list that was not parsed; otherwise nil.
	item *listedItem
	list []byte
	// doc is data as a document that is no JSON.
	doc     document
	regular bool
	// within is set where data is a string of another document.
	within *within
	// left is Source.Budget.
	left int
	// source is made when it is first used.
	source *fix.Source
}

// within is a string of a document.
type within struct {
	doc   document
	value *wire.Value
}

// fixSource returns the text of the objects for the package that edits it.
func (j *judge) fixSource() *fix.Source {
	if j.fixer == nil {
		j.fixer = newFixer()
	}
	t := &j.source
	if t.source == nil {
		t.source = &fix.Source{Data: t.data, Line: t.line, Column: t.column, JSON: t.json, Tree: j.fixer.tree, Budget: t.left}
		if t.within != nil {
			t.source.Literal = &fix.Literal{Data: t.within.doc.data, Line: t.within.doc.line, Value: t.within.value}
		}
	}
	t.source.Root = t.root
	return t.source
}

// fix adds the fixes to the findings of a check about an object, which begin at an
// index.
func (j *judge) fix(in *Input, p *Pass, c *Check, r *result, start int) {
	if c.Fix == nil || !j.l.opts.Fixes || start >= len(r.findings) {
		return
	}
	root := p.Object.Root
	if root == nil {
		if root = j.sourceTree(); root == nil {
			return
		}
	}
	with := *p.Object
	with.Root = root
	q := *p
	q.Object = &with
	q.Target = j.l.opts.Target // an input may be for a part of it
	for i := start; i < len(r.findings); i++ {
		f := &r.findings[i]
		change, ok := c.Fix(&q, f)
		if !ok {
			continue
		}
		f.Notes = append(f.Notes, change.Notes...)
		if len(change.Steps) == 0 {
			continue
		}
		if !j.l.opts.FixEdits && in.Trace == nil { // a rendered text has a fix only if there are edits
			f.Fix = &rules.CodeFix{Message: change.Message, Safe: change.Safe}
			continue
		}
		edits, err := j.edits(&with, f.File, change.Steps)
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
func (j *judge) edits(o *Object, file string, steps []conversion.Step) ([]rules.Edit, error) {
	if o.Embedded != "" && j.source.within == nil {
		return nil, &fix.Refusal{Reason: "its text is not in a file"} // in a compressed Helm release
	}
	defer func() { j.fixer.b.room.clear() }()
	return j.fixSource().Edits(file, fix.Object{Root: o.Root, Listed: o.Listed}, steps)
}

// dropDuplicate returns the fix of a key that is set twice, or nil.
func (j *judge) dropDuplicate(in *Input, _ document, t tree, dup *wire.Duplicate) *rules.CodeFix {
	if !j.l.opts.Fixes || in.Trace != nil || t.json != nil {
		return nil
	}
	return j.fixSource().RemoveDuplicate(in.Name, t.root, len(t.duplicates), dup)
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

// fixer parses the texts that fixes edit with the fast YAML reader.
type fixer struct {
	skim skimmer
	b    builder
}

func newFixer() *fixer {
	return &fixer{skim: skimmer{triggers: &triggerSet{}}, b: builder{most: largeSlab}}
}

// tree is fix.Document.Tree.
func (m *fixer) tree(text []byte) *wire.Value {
	root := m.skim.buildBy(&m.b, text, 1)
	if root == nil || m.skim.end != len(text) || m.skim.head.empty || len(m.skim.anchors.all) > 0 || m.skim.anchors.aliases > 0 {
		return nil
	}
	return root
}
