package manifestlint

import (
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Event is an object, a document that is not checked, or an input that cannot
// be read.
type Event struct {
	Input *Input
	// Document is the index of the document in the input, from 0. The lines in
	// Object and Root may count from the start of a part of the input. Lines is
	// the number of the input's lines before this part. Document and Lines are
	// valid only in the function that Options.Each returns.
	Document, Lines int
	// Object is the object that is checked; nil for other events.
	Object *Object
	// NotJudged is the reason why a document is not checked; nil for other
	// events.
	NotJudged *rules.NotJudged
	// Root is the tree of a document that parses but is not checked, because it
	// is not sent to a server, such as a program's configuration file. It is nil
	// for other events.
	Root *wire.Value
	// Text is the text of a document that is not checked; nil if the document is
	// too large. It is valid until Each returns.
	Text []byte
	// Err is the error for an input that could not be read; nil for other events.
	Err error
}

// Unreadable reports whether an input or a document could not be read or
// parsed.
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

// event is an Event and the function that Each returned for it. The functions
// are called in the order of the inputs.
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
