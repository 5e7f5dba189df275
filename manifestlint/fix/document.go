// Package fix changes the text of a document: its edits replace bytes and keep
// comments, order, quoting, anchors, indentation and line endings.
//
// A change is a list of steps on the document's tree. For each step the text is
// parsed, a layout finds where the keys and values of the tree are in the text,
// and the step becomes edits of that text. Afterwards the edits of all steps are
// combined into edits of the original text.
//
// The result is parsed and compared with the tree that the steps produce. If the
// two differ, there are no edits. A layout that misunderstands a text therefore
// costs a fix, but never breaks a file.
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
	// Text is a JSON value or a YAML document, which may begin with its marker.
	// It is UTF-8 without a byte order mark.
	Text []byte
	// JSON reports whether Text is JSON. The edits keep it JSON.
	JSON bool
	// At is the path of the object that the steps change. If it is empty, the
	// object is the document.
	At conversion.Path
}

// Edit replaces the bytes from Start to End of a text by New. If Start and End
// are equal, it inserts New.
type Edit struct {
	Start, End int
	New        string
}

// Refusal is the error of a document that cannot be edited as wanted.
type Refusal struct {
	// Reason is a clause that begins with a lower-case letter. It is printed
	// after a colon.
	Reason string
}

// Error returns the reason.
func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error {
	return &Refusal{fmt.Sprintf(format, args...)}
}

// errUnsupported refuses a text that the layout does not understand.
var errUnsupported = &Refusal{"the text is written in a way that is not edited"}

// maxWork limits the bytes that are parsed for one document: each step parses
// the whole text.
const maxWork = 256 << 20

// Edits returns the edits that make the steps in the text. They are sorted, and
// do not overlap or touch. There are none if the steps change nothing. The error
// is a *Refusal.
func (d *Document) Edits(steps []conversion.Step) (edits []Edit, err error) {
	defer func() {
		// A bug in the editor costs this fix, not the whole run.
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

// apply makes the steps in the text of a piece table, one after the other, and
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

// verify returns an error if the edits of the original text do not make the
// wanted tree. l is the layout after the last step.
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
	case last.root.aliased():
		return refuse("the document shares what would change, by anchors and aliases")
	}
	return refuse("the text cannot be changed as the object should be")
}

// fromRoot returns the steps with paths that begin at the document's root.
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
