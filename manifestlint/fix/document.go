// Package fix changes the text of a document: its edits replace bytes and keep
// comments, order, quoting, anchors, indentation and line endings.
//
// A change is a list of steps on the document's tree. For each step, the text
// is parsed, and a layout finds the positions of the tree's keys and values.
// The step then becomes edits of this text. In the end, the edits of all steps
// are combined into edits of the original text.
//
// The result is parsed and compared with the tree that the steps produce. If
// the two differ, there are no edits. A mistake in the layout can therefore
// prevent a fix, but never breaks a file.
package fix

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Document is the text of one document.
type Document struct {
	// Text is a JSON value, or a YAML document with or without its "---". It is
	// UTF-8 without a byte order mark.
	Text []byte
	// JSON is set if Text is JSON. The edited text is then JSON too.
	JSON bool
	// At is the path of the object that the steps change, relative to the
	// document's root; empty if this object is the whole document.
	At conversion.Path
}

// Edit replaces the bytes from Start (included) to End (excluded) of a text
// with New. If Start equals End, it inserts New.
type Edit struct {
	Start, End int
	New        string
}

// Refusal is the error for a document that package fix cannot edit.
type Refusal struct {
	// Reason is a clause that begins with a lower-case letter and is
	// printed after a colon.
	Reason string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error {
	return &Refusal{fmt.Sprintf(format, args...)}
}

// errUnsupported is the error for a text that the layout cannot handle.
var errUnsupported = &Refusal{"the text is written in a way that is not edited"}

// maxWork is the largest number of bytes that are parsed for one document. Each
// step parses the whole text.
const maxWork = 256 << 20

// Edits returns the edits that apply the steps to the text. They are sorted,
// and do not overlap or touch. The result is nil if the steps change nothing.
// An error is a *Refusal.
func (d *Document) Edits(steps []conversion.Step) (edits []Edit, err error) {
	defer func() {
		// A bug in this package must prevent only this fix, not end the run.
		if r := recover(); r != nil {
			edits, err = nil, refuse("the text could not be followed (%v)", r)
		}
	}()
	if len(d.Text)*(len(steps)+2) > maxWork {
		return nil, refuse("the document is too large to be edited in %d steps", len(steps))
	}
	l, err := d.layout(d.Text)
	if err != nil {
		return nil, err
	}
	steps = d.fromRoot(steps)
	want, err := conversion.Apply(l.tree, steps)
	if err != nil {
		return nil, refuse("%v", err)
	}
	table := newPieceTable(d.Text)
	if l, err = d.apply(l, table, steps); err != nil {
		return nil, err
	}
	edits = table.edits(l.nl)
	if err := d.verify(l, edits, want); err != nil {
		return nil, err
	}
	return edits, nil
}

// apply applies the steps to the text of a piece table, one after the other. It
// returns the layout of the result.
func (d *Document) apply(l *layout, table *pieceTable, steps []conversion.Step) (*layout, error) {
	for _, s := range steps {
		more, err := l.edits(s)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			continue
		}
		if err := table.apply(more); err != nil {
			return nil, err
		}
		if l, err = d.layout(table.text()); err != nil {
			return nil, refuse("the text could not be followed: %v", err)
		}
	}
	return l, nil
}

// verify returns an error if the edits do not change the original text to the
// tree want. l is the layout after the last step.
func (d *Document) verify(l *layout, edits []Edit, want *wire.Value) error {
	table := newPieceTable(d.Text)
	if err := table.apply(edits); err != nil {
		return err
	}
	last := l
	var err error
	if text := table.text(); !bytes.Equal(text, l.src) {
		l, err = d.layout(text)
	}
	switch {
	case err == nil && conversion.Equal(l.tree, want):
		return nil
	case last.root.hasAlias():
		return refuse("the document shares what would change, by anchors and aliases")
	}
	return refuse("the text cannot be changed as the object should be")
}

// fromRoot returns the steps with paths that begin at the root of the document,
// not at At.
func (d *Document) fromRoot(steps []conversion.Step) []conversion.Step {
	if len(d.At) == 0 {
		return steps
	}
	moved := slices.Clone(steps)
	for i := range moved {
		s := &moved[i]
		s.Path = slices.Concat(d.At, s.Path)
		if s.Op == conversion.Move || s.Op == conversion.Copy {
			s.To = slices.Concat(d.At, s.To)
		}
	}
	return moved
}
