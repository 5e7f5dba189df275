// Package edit changes the text of a document as steps change its tree: by
// edits of bytes that keep comments, order, quoting, anchors, indentation and
// line endings.
//
// Each step is made in the text as it reads then, by a layout: where every key
// and value of the tree stands. Of what the steps did together, edits of the
// original text are left. What they come to is parsed again and compared with
// what the steps make of the tree; unless the two are equal, there are no
// edits. So whatever a layout misunderstands costs a fix and breaks no file.
package edit

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/conversion"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Document is the text of one document.
type Document struct {
	// Text is a YAML document with its marker, if it has one, or a JSON value.
	// It is UTF-8 without byte order mark.
	Text []byte
	// JSON says that it is JSON, and is to stay JSON.
	JSON bool
	// At leads to the object in the document that the steps are for; empty:
	// the document is the object.
	At conversion.Path
	// Tree, if not nil, gives the tree of a YAML text faster than the parser, as
	// wire.YAML would make it, with the places that count from line 1; nil where
	// it cannot: where the text is not one document of scalars, block and flow
	// collections alone, without anchors, tags, aliases and complex keys.
	Tree func(text []byte) *wire.Value
}

// Edit replaces the bytes from Start to End of a text by New. Where the two
// are equal it inserts.
type Edit struct {
	Start, End int
	New        string
}

// Refusal says why a document cannot be edited as it should.
type Refusal struct {
	// Reason is a clause that begins with a lower-case letter and goes after
	// "not mended: ".
	Reason string
}

// Error gives the reason.
func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error {
	return &Refusal{fmt.Sprintf(format, args...)}
}

// maxWork bounds the bytes that steps read: each reads the whole text.
const maxWork = 256 << 20

// Edits gives the edits that make the steps in the text: sorted, and not
// overlapping or touching. None: the steps change nothing. The error is a
// *Refusal.
func (d Document) Edits(steps []conversion.Step) (edits []Edit, err error) {
	defer func() {
		// A mistake in reading one document is no reason to end the run.
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
	steps = d.from(steps)
	want, err := conversion.Apply(l.tree, steps)
	if err != nil {
		return nil, refuse("%v", err)
	}
	text := newPieces(d.Text)
	for _, s := range steps {
		made, err := l.edits(s)
		if err != nil {
			return nil, err
		}
		if len(made) == 0 {
			continue
		}
		if err := text.apply(made); err != nil {
			return nil, err
		}
		if l, err = d.layout(text.bytes()); err != nil {
			return nil, refuse("the text could not be followed: %v", err)
		}
	}
	edits = text.edits(l.nl)
	text = newPieces(d.Text)
	if err := text.apply(edits); err != nil {
		return nil, err
	}
	shared := l.aliased(l.root)
	if after := text.bytes(); !bytes.Equal(after, l.text) { // else it was read behind the last step
		l, err = d.layout(after)
	}
	if err != nil || !conversion.Equal(l.tree, want) {
		if shared {
			return nil, refuse("the document shares what would change, by anchors and aliases")
		}
		return nil, refuse("the text cannot be changed as the object should be")
	}
	return edits, nil
}

// from gives the steps as the document sees them.
func (d Document) from(steps []conversion.Step) []conversion.Step {
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

// Parse gives the tree of a text, as Edits compares it: what a client would
// send of the document.
func (d Document) Parse() (*wire.Value, error) {
	l, err := d.layout(d.Text)
	if err != nil {
		return nil, err
	}
	return l.tree, nil
}
