package manifestlint

import "github.com/kubevet/kubevet/rules"

// Event is what a Linter has come to: an object, a document that it does not
// judge, or an input that it cannot read.
type Event struct {
	Input *Input
	// Document is the 0-based place in the input. Lines is what must be added
	// to the lines of what the event holds, as of a block of a large input.
	// Both are only right where events are told in order.
	Document, Lines int
	// Object is judged; nil in the other cases. Its body is there if a check
	// needed it, and lasts if Each gives a function, else while Each runs.
	Object *Object
	// NotJudged says why a document is not; nil in the other cases.
	NotJudged *rules.NotJudged
	// Text is the document that is not judged, while Each runs; nil for one
	// that is too large.
	Text []byte
	// Err is why an input could not be read; nil in the other cases.
	Err error

	// lasting is set where the memory of the object's text stays as it is.
	lasting bool
}

// event is an Event that is to be told in order.
type event struct {
	Event
	tell func(Event) error
}

// event asks Options.Each about an event and keeps what it wants to be told.
func (j *judge) event(r *result, e Event) {
	if j.l.opts.Each == nil {
		return
	}
	e.lasting = j.kept != nil || j.lasting
	if tell := j.l.opts.Each(e); tell != nil {
		e.Text = nil // the next input takes its memory
		j.trees.room.hold()
		r.events = append(r.events, event{e, tell})
	}
}
