package manifestlint

import (
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Event is an object, a document that is not checked, or an input that cannot
// be read.
type Event struct {
	Input *Input
	// Document is the 0-based place in the input. Lines must be added to the
	// lines of what the event holds, which may be counted from the start of a
	// block of a large input. Both are right only in the function that Each
	// returns.
	Document, Lines int
	// Object is checked; nil in the other cases.
	Object *Object
	// NotJudged says why a document is not checked; nil in the other cases.
	NotJudged *rules.NotJudged
	// Root is the tree of a document that parses and that no server is sent, such as
	// a program's configuration file; nil for others.
	Root *wire.Value
	// Text is the text of a document that is not checked, valid while Each
	// runs; nil if the document is too large.
	Text []byte
	// Err is why an input could not be read; nil in the other cases.
	Err error
}

// Unreadable reports whether the event is about an input or a document that
// could not be read or parsed.
func (e *Event) Unreadable() bool {
	if e.Err != nil {
		return true
	}
	if e.NotJudged == nil {
		return false
	}
	switch e.NotJudged.Reason {
	case rules.SkipBroken, rules.SkipUnparsable, rules.SkipTooLarge, rules.SkipBinary:
		return true
	}
	return false
}

// event is an Event with the function that waits for its turn.
type event struct {
	Event
	emit func(Event) error
}

// event calls Options.Each.
func (c *checker) event(r *result, e Event) {
	if c.l.opts.Each == nil {
		return
	}
	if emit := c.l.opts.Each(e); emit != nil {
		e.Text = nil // the next input reuses its memory
		r.events = append(r.events, event{e, emit})
	}
}
