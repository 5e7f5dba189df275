package auditlog

import (
	"bytes"
	"strings"
)

// decoder reads the events in records for one goroutine. Log shippers and
// vendors wrap events, in several layers. An event can be in an object or
// array, in a string with JSON, or in an encoded text.
type decoder struct {
	scanner
	event Event
	// emit is called for each event. damage is called for each error, with the
	// offset in the record or -1. foreign is called for each record without an
	// event, with the kind of the record.
	emit    func(*Event)
	damage  func(off int, text string)
	foreign func(what Foreign)

	lost   Lost    // Event.Lost for the format of the record
	events int     // number of events and errors in the record
	kind   Foreign // the record's kind, if events is 0
	// ours is set if the record has fields of an event but is certainly not an
	// event.
	ours bool
	// partials are the audit IDs of events with missing fields. The complete
	// event can be in the same record, because a query can add fields of an
	// event to the event itself.
	partials []string
	// undone is set if the lines had escapes that were removed.
	undone bool
	bufs   [maxWraps][2][]byte
	keys   [maxWraps]wrapper
}

// maxWraps is the largest number of layers around an event.
const maxWraps = 16

// Foreign is the kind of a record that is not an audit event. The zero value is an
// unknown kind.
type Foreign uint8

// These are the kinds of records that are not audit events.
const (
	ForeignOther Foreign = iota
	// ForeignText is a line without JSON, such as a component's own log.
	ForeignText
	// ForeignControl is a message of the program that transports the log.
	ForeignControl
	// ForeignEmpty is a blank line.
	ForeignEmpty
)

// record reads one record.
func (d *decoder) record(b []byte) {
	d.lost, d.events, d.kind, d.ours, d.partials = 0, 0, ForeignOther, false, d.partials[:0]
	d.any(b, b, 0)
	if len(d.partials) > 0 {
		d.settle(b)
	}
	switch {
	case d.events > 0:
	case !d.ours && mentions(b):
		d.fault(-1, "has fields of an audit event, in a form that is not known")
	default:
		d.foreign(d.kind)
	}
}

// eventKeys are keys of events that are rare in other texts. mentions requires
// a quote after the key, because a component's own log can have auditID="…"
// without quotes around the key. The last two keys are at the end of an event.
// They show that a text is an event if its beginning is missing.
var eventKeys = [...]string{`auditID`, `AuditId`, `protoPayload`, `protopayload_auditlog`, `proto_payload`, `stageTimestamp`, `authorization.k8s.io/decision`}

// mentions reports whether a text has a key in eventKeys, with or without
// escaped quotes.
func mentions(b []byte) bool {
	for _, key := range eventKeys {
		for rest := b; ; {
			at := bytes.Index(rest, []byte(key))
			if at < 0 {
				break
			}
			rest = rest[at+len(key):]
			if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\\' || rest[0] == '.') {
				return true
			}
		}
	}
	return false
}

// fault counts and reports an error at an offset.
func (d *decoder) fault(off int, text string) {
	d.events++
	d.damage(off, text)
}

// any reads a text that may contain events. Offsets count from the beginning of
// whole, which is the record. whole is nil if b is not a part of the record.
func (d *decoder) any(b, whole []byte, depth int) {
	if depth >= maxWraps {
		return
	}
	for {
		if b = trim(b); len(b) == 0 {
			if depth == 0 && d.events == 0 {
				d.kind = ForeignEmpty
			}
			return
		}
		n := len(b)
		switch b[0] {
		case '{':
			if !begins(b, `"}`) {
				d.braced(b, whole, depth)
				return
			}
			n = d.object(b, whole, depth)
		case '[':
			n = d.array(b, whole, depth)
		case '"':
			n = d.quoted(b, depth)
		default:
			d.text(b, whole, depth)
		}
		// More values follow, with or without a comma.
		b = b[n:]
		if at := bytes.IndexByte(b, '{'); at < 0 {
			return
		}
		for len(b) > 0 && b[0] == ',' {
			b = b[1:]
		}
	}
}

// begins reports whether one of these bytes follows the opening bracket of b.
func begins(b []byte, next string) bool {
	c := cursor{b: b, i: 1}
	c.space()
	return c.i == len(b) || strings.IndexByte(next, b[c.i]) >= 0
}

// trim removes white space and NUL bytes around a text. NUL bytes remain if a
// log is truncated while it is written.
func trim(b []byte) []byte {
	for len(b) > 0 && space(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && space(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == 0 }

// quoted reads the contents of the JSON string at the beginning of b, and returns its length.
func (d *decoder) quoted(b []byte, depth int) int {
	c := cursor{b: b}
	t, ok := c.str()
	if !ok {
		d.text(b[1:], nil, depth)
		return len(b)
	}
	d.string(t, depth)
	return c.i
}

// string reads the contents of a JSON string.
func (d *decoder) string(t Text, depth int) {
	if depth >= maxWraps {
		return
	}
	buf := &d.bufs[depth][0]
	if t.escaped {
		*buf = t.AppendTo((*buf)[:0])
	} else {
		*buf = append((*buf)[:0], t.raw...)
	}
	if d.encoded(*buf, depth) {
		return
	}
	d.any(*buf, nil, depth+1)
}

// object reads the object at the beginning of b, and returns the number of
// bytes that were read.
func (d *decoder) object(b, whole []byte, depth int) int {
	e := &d.event
	// Structured logs of other programs also begin with "level".
	if full := bytes.HasPrefix(b, []byte(serverHead)); full || bytes.HasPrefix(b, []byte(listHead)) {
		c := cursor{b: b}
		// If there is no user, its fields may be keys with dots.
		if d.scanner.event(e, &c) && (full || !e.AuditID.IsZero()) && !e.who.user.IsZero() {
			d.send(e)
			return len(b)
		}
	}
	w := &d.keys[depth]
	w.reset()
	c := cursor{b: b}
	if !c.object(func(key Text) bool { return w.key(&c, key) }) {
		return d.broken(b, whole, c.i, depth)
	}
	d.unwrap(w, b[:c.i], whole, depth)
	return c.i
}

// unwrap reads an object that may contain events under its keys.
func (d *decoder) unwrap(w *wrapper, b, whole []byte, depth int) {
	lost := d.lost
	defer func() { d.lost = lost }()
	switch {
	case w.is(hasAuditID) && (w.is(hasStage) || w.is(hasVerb)):
		if w.is(hasUser|hasVerb) || !d.logged(w, whole, depth) {
			d.object1(w, b)
		}
		return
	case w.proto != nil:
		d.gke(w)
		return
	case w.is(hasColumns):
		d.columns(b)
		return
	case w.request != nil && w.kind.Is("AdmissionReview"):
		d.admission(w.request, w.received)
		return
	case w.fields != nil && d.falco(w):
		return
	case w.names != nil && w.rows != nil && d.table(w.names, w.rows, depth):
		return
	case w.otel != nil:
		if tree := appendAnyValue(nil, b, 0); tree != nil {
			d.any(tree, nil, depth+1)
			return
		}
	case w.flat && mentions(b) && d.flattened(b):
		return
	case w.action && w.count == 1:
		d.kind = ForeignControl // a control line of Elasticsearch's bulk API
	case w.unsaid:
		d.fault(-1, "journalctl left out a message of more than 4096 bytes: export with --all")
		return
	}
	if w.pairs != nil && (d.values(w, rankText, whole, depth) || d.attributes(w, depth)) {
		return
	}
	// The object can have several forms of one event. The most complete form is
	// used.
	d.values(w, rankOther, whole, depth)
}

// logged reads the original text of a log line, if the object has this text.
// The other fields can come from a search that found them in the text. The
// result says whether the text has an event.
func (d *decoder) logged(w *wrapper, whole []byte, depth int) bool {
	return d.values(w, rankText, whole, depth)
}

// values reads the values up to the rank last, in the order of their ranks. It
// stops after the first rank with events. It reports whether there were events.
func (d *decoder) values(w *wrapper, last rank, whole []byte, depth int) bool {
	before, lost := d.events, d.lost
	for rank := rankText; rank <= last; rank++ {
		for i := range w.values {
			v := &w.values[i]
			if v.rank != rank || rank != rankOther && d.events > before {
				continue
			}
			if v.elastic {
				d.lost |= LostMetadata
			}
			d.any(v.raw, whole, depth+1)
			d.lost = lost
		}
		if d.events > before {
			return true
		}
	}
	return false
}

// noUser is the message for an event without a user.
const noUser = "an audit event without its user or verb: fields were left out on the way"

// object1 reads an event whose keys are in another order than the server's.
func (d *decoder) object1(w *wrapper, b []byte) {
	e := &d.event
	user := w.is(hasUser)
	if w.texts {
		b, user = d.objects(b)
	}
	if !user || !w.is(hasVerb) {
		if !w.flat || !d.flattened(b) {
			d.partial(b)
		}
		return
	}
	c := cursor{b: b}
	if d.scanner.event(e, &c) {
		d.slow(e)
	}
}

// slow sends an event that a server did not write directly.
func (d *decoder) slow(e *Event) {
	if e.AuditID.IsZero() || e.Verb.IsZero() {
		d.fault(-1, "an audit event whose ID or verb is not a string")
		return
	}
	if e.Stamp.Time() == 0 && e.Received.Time() == 0 {
		e.Lost |= LostTime
	}
	e.inferLevel()
	e.Ref.complete(e.URI.Bytes(nil))
	d.send(e)
}

// array reads the elements of the array at the beginning of b, and returns the
// array's length. Elements are rows of a query's result, pairs of a time and a
// line, or records.
func (d *decoder) array(b, whole []byte, depth int) int {
	c := cursor{b: b}
	if text, n := byteArray(b, d.bufs[depth][1][:0]); n > 0 {
		d.bufs[depth][1] = text
		d.any(text, nil, depth+1)
		return n
	}
	before, objects, others, empty := d.events, 0, 0, 0
	var pairs []pair
	ok := c.array(func() bool {
		kind := c.peek()
		raw, ok := c.raw()
		if !ok {
			return false
		}
		found := d.events
		switch kind {
		case '{':
			if p, ok := pairOf(raw); ok {
				pairs = append(pairs, p)
				return true
			}
			parts := len(d.partials)
			d.any(raw, whole, depth+1)
			if objects++; d.events == found && len(d.partials) == parts {
				empty++
			}
		case '[':
			d.any(raw, whole, depth+1)
			others++
		case '"':
			if mayHold(raw) {
				d.any(raw, whole, depth+1)
			}
			others++
		}
		return true
	})
	if !ok && d.events == before && !arrayLike(b) {
		if !d.printed(b, depth) {
			d.text(b[1:], nil, depth) // such as [pod/name] or a time
		}
		return len(b)
	}
	if !ok {
		return d.broken(b, whole, c.i, depth)
	}
	if len(pairs) > 0 {
		d.pairs(pairs, depth)
	}
	if d.events > before && others == 0 {
		for range empty {
			d.foreign(ForeignOther)
		}
	}
	if len(b) == 2 && depth == 0 {
		d.kind = ForeignEmpty
	}
	return c.i
}

// send returns an event to the caller of the decoder, by emit.
func (d *decoder) send(e *Event) {
	e.Lost |= d.lost
	if e.Stamp.IsZero() && e.Received.IsZero() {
		e.Lost |= LostTime
	}
	d.events++
	d.emit(e)
}
