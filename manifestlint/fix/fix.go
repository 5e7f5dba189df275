// Package fix changes the text of a document as steps change its tree: by
// edits of bytes that keep comments, order, quoting, anchors, indentation and
// line endings.
//
// Each step is made in the text as it reads then, by a layout: where every key
// and value of the tree stands. Of what the steps did together, edits of the
// original text are left. What they come to is read again, where it changed, and
// compared with what the steps make of the tree; unless the two are equal, there
// are no edits. So whatever a layout misunderstands costs a fix and breaks no
// file.
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
	// Root, if not nil, is the tree of Text, where it is a text of which Tree
	// would give one: with places that count from Line.
	Root *wire.Value
	Line int
	// Want, if not nil, is what the steps make of the object, if that is known.
	Want *wire.Value
	// Entries, if not nil, gives the map or list in block style of which whole
	// lines that begin on a line and are indented by column spaces are all
	// entries, as Tree would give it; nil where it cannot. It makes edits in many
	// steps fast.
	Entries func(lines []byte, line, column int, list bool) *wire.Value
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
	// "not fixed: ".
	Reason string
}

// Error gives the reason.
func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error {
	return &Refusal{fmt.Sprintf(format, args...)}
}

// maxWork bounds the bytes that steps read: each may read the whole text.
const maxWork = 256 << 20

// Editor makes edits of one document after the other, in the same memory. The
// zero value is ready. It is for one goroutine.
type Editor struct {
	room room
}

// Edits gives the edits that make the steps in the text: sorted, and not
// overlapping or touching. None: the steps change nothing. The error is a
// *Refusal.
func (d Document) Edits(steps []conversion.Step) ([]Edit, error) {
	return new(Editor).Edits(&d, steps)
}

// Edits is Document.Edits. The document is not kept.
func (r *Editor) Edits(d *Document, steps []conversion.Step) (edits []Edit, err error) {
	defer func() {
		// A mistake in reading one document is no reason to end the run.
		if r := recover(); r != nil {
			edits, err = nil, refuse("the text could not be followed (%v)", r)
		}
	}()
	if len(d.Text)*(len(steps)+2) > maxWork {
		return nil, refuse("the document is too large to be edited in %d steps", len(steps))
	}
	r.room.clear()
	l, err := r.layout(d)
	if err != nil {
		return nil, err
	}
	steps = d.from(steps)
	want := d.Want
	if want == nil || len(d.At) > 0 {
		if want, err = conversion.Apply(l.tree, steps); err != nil {
			return nil, refuse("%v", err)
		}
	}
	text := &r.room.parts
	text.begin(d.Text)
	unread := false // whether the text at hand was not read as a whole
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
		now := r.room.text(text)
		if unread = l.follow(d, made, now, farApart); unread {
			continue
		}
		if l, err = d.layout(now, &r.room); err != nil {
			return nil, refuse("the text could not be followed: %v", err)
		}
	}
	if unread && l.parsed {
		// Where things stand in such a text is not certain enough.
		if l, err = d.layout(l.text, &r.room); err != nil {
			return nil, refuse("the text could not be followed: %v", err)
		}
	}
	edits = text.edits(l.nl)
	text.begin(d.Text)
	if err := text.apply(edits); err != nil {
		return nil, err
	}
	last := l
	if after := r.room.text(text); !bytes.Equal(after, l.text) { // else it was read behind the last step
		l, err = d.layout(after, &r.room)
	}
	if err != nil || !conversion.Equal(l.tree, want) {
		if last.aliased(last.root) {
			return nil, refuse("the document shares what would change, by anchors and aliases")
		}
		return nil, refuse("the text cannot be changed as the object should be")
	}
	return edits, nil
}

// layout lays out a document as it is.
func (r *Editor) layout(d *Document) (*layout, error) {
	if d.Root != nil && !d.JSON {
		if l := newLayout(d.Text, false, &r.room); l.fromTree(d.Root, d.Line) {
			return l, nil
		}
	}
	return d.layout(d.Text, &r.room)
}

// from gives the steps as the document sees them.
func (d *Document) from(steps []conversion.Step) []conversion.Step {
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
	l, err := d.layout(d.Text, &room{})
	if err != nil {
		return nil, err
	}
	return l.tree, nil
}
