package auditlog

import "bytes"

// decoder reads the events of records for one goroutine. It unwraps the envelopes
// of log shippers and vendors, which may be nested.
type decoder struct {
	scanner
	event Event
	// emit is called with each event, damage with the offset of an error in a
	// record, or -1, and foreign with the kind of each other record.
	emit    func(*Event)
	damage  func(off int, text string)
	foreign func(what Foreign)

	lost Lost // of what is being unwrapped
	bufs [maxWraps][]byte
	keys [maxWraps]wrapper
}

// maxWraps bounds how often a record is unwrapped.
const maxWraps = 8

// Foreign is the kind of a record that is not an audit event. The zero value is an
// unknown kind.
type Foreign uint8

// What records may be.
const (
	ForeignOther Foreign = iota
	// ForeignText is a line without JSON, such as a component's own log.
	ForeignText
	// ForeignControl is a message of the transport itself.
	ForeignControl
	// ForeignEmpty is a blank line.
	ForeignEmpty
)

// wrapper has the keys of an object that may contain an event.
type wrapper struct {
	// JSON texts of values.
	text, properties, proto, source, kubernetes, request, fields, rows, payload []byte
	kind, field, insertID, stamp                                                Text
	labels, operation                                                           []byte
	audit, stage, verb, columns                                                 bool
	container                                                                   []byte
}

// record reads one record.
func (d *decoder) record(b []byte) {
	d.lost = 0
	d.any(b, b, 0)
}

// any reads a text in which an event may be. whole is the record, for offsets
// within it; nil where b is not a part of it.
func (d *decoder) any(b, whole []byte, depth int) {
	trimmed := trim(b)
	switch {
	case len(trimmed) == 0:
		d.foreign(ForeignEmpty)
	case depth == maxWraps:
		d.foreign(ForeignOther)
	case trimmed[0] == '{':
		d.object(trimmed, whole, depth)
	case trimmed[0] == '[':
		d.array(trimmed, whole, depth)
	case trimmed[0] == '"':
		c := cursor{b: trimmed}
		if t, ok := c.str(); ok && c.i == len(trimmed) {
			d.string(t, depth)
			return
		}
		d.text(trimmed, whole, depth)
	default:
		d.text(trimmed, whole, depth)
	}
}

// trim cuts the white space around a text.
func trim(b []byte) []byte {
	for len(b) > 0 && space(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && space(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// string reads the contents of a JSON string.
func (d *decoder) string(t Text, depth int) {
	d.bufs[depth] = t.AppendTo(d.bufs[depth][:0])
	d.any(d.bufs[depth], nil, depth+1)
}

// object reads an object.
func (d *decoder) object(b, whole []byte, depth int) {
	e := &d.event
	// Others' structured logs begin with their level, too.
	if full := bytes.HasPrefix(b, []byte(serverHead)); full || bytes.HasPrefix(b, []byte(listHead)) {
		c := cursor{b: b}
		switch ok := d.scanner.event(e, &c); {
		case ok && (full || !e.AuditID.IsZero()):
			d.send(e)
			return
		case !ok:
			d.broken(b, whole, c.i)
			return
		}
	}
	w := &d.keys[depth]
	*w = wrapper{}
	c := cursor{b: b}
	ok := c.object(func(key Text) bool { return w.key(&c, key) })
	c.space()
	if !ok || c.i < len(b) {
		d.broken(b, whole, c.i)
		return
	}
	d.unwrap(w, b, whole, depth)
}

// key takes note of a key of an object that may be a wrapper.
func (w *wrapper) key(c *cursor, key Text) (ok bool) {
	into := (*[]byte)(nil)
	switch string(key.raw) {
	case "auditID":
		w.audit = true
	case "stage":
		w.stage = true
	case "verb":
		w.verb = true
	case "AuditId":
		w.columns = true
	case "kind":
		w.kind, ok = c.text()
		return ok
	case "field":
		w.field, ok = c.text()
		return ok
	case "insertId":
		w.insertID, ok = c.text()
		return ok
	case "timestamp":
		w.stamp, ok = c.text()
		return ok
	case "log", "message", "line", "log_s", "msg", "MESSAGE", "textPayload":
		if w.text != nil {
			break // the first one that may hold something
		}
		if t := c.peek(); t != '"' && t != '{' {
			break
		}
		into = &w.text
	case "value":
		if c.peek() == '"' {
			into = &w.rows
		}
	case "values":
		into = &w.rows
	case "properties":
		into = &w.properties
	case "protoPayload":
		into = &w.proto
	case "jsonPayload", "event", "audit", "body", "structured":
		if t := c.peek(); t != '"' && t != '{' {
			break
		}
		into = &w.payload
	case "labels":
		into = &w.labels
	case "operation":
		into = &w.operation
	case "_source":
		into = &w.source
	case "kubernetes":
		into = &w.kubernetes
	case "request":
		into = &w.request
	case "output_fields":
		into = &w.fields
	}
	if into == nil && containers[string(key.raw)] && (c.peek() == '[' || c.peek() == '{') {
		into = &w.container
	}
	if into == nil {
		return c.skip()
	}
	*into, ok = c.raw()
	return ok
}

// unwrap reads an object by its keys.
func (d *decoder) unwrap(w *wrapper, b, whole []byte, depth int) {
	e := &d.event
	lost := d.lost
	switch {
	case w.audit && (w.stage || w.verb):
		c := cursor{b: b}
		if d.scanner.event(e, &c) {
			d.send(e)
		}
	case w.proto != nil:
		d.gke(w)
	case w.columns:
		d.columns(b)
	case w.request != nil && w.kind.Is("AdmissionReview"):
		d.admission(w.request)
	case w.fields != nil:
		d.falco(w.fields)
	case w.source != nil:
		d.any(w.source, whole, depth+1)
	case w.kubernetes != nil && d.elastic(w.kubernetes, depth):
	case w.properties != nil:
		d.any(w.properties, whole, depth+1)
	case w.text != nil:
		d.any(w.text, whole, depth+1)
	case w.payload != nil:
		d.any(w.payload, whole, depth+1)
	case w.container != nil:
		d.any(w.container, whole, depth+1)
	case w.rows != nil:
		d.any(w.rows, whole, depth+1)
	default:
		d.foreign(ForeignOther)
	}
	d.lost = lost
}

// array reads the elements of an array: rows of a query's result, pairs of a
// time and a line, or records.
func (d *decoder) array(b, whole []byte, depth int) {
	c := cursor{b: b}
	found, pair := false, false
	ok := c.array(func() bool {
		kind := c.peek()
		raw, ok := c.raw()
		if !ok {
			return false
		}
		switch kind {
		case '{':
			var w wrapper
			o := cursor{b: raw}
			o.object(func(key Text) bool { return w.key(&o, key) })
			if !w.field.IsZero() { // {"field": "@message", "value": "…"}
				pair = true
				if !w.field.Is("@message") {
					return true
				}
				raw = w.rows
			}
			found = true
			d.any(raw, whole, depth+1)
		case '[':
			found = true
			d.any(raw, whole, depth+1)
		case '"':
			// Of a pair of time and line, the line.
			if len(raw) > 2 && bytes.IndexByte(raw, '{') >= 0 {
				found = true
				d.any(raw, whole, depth+1)
			}
		}
		return true
	})
	c.space()
	switch {
	case !ok || c.i < len(b):
		d.broken(b, whole, c.i)
	case !found && !pair && len(b) > 2:
		d.foreign(ForeignOther)
	case !found:
		d.foreign(ForeignEmpty)
	}
}

// maxPrefix bounds the text before the event on a line.
const maxPrefix = 512

// text reads a line that does not begin like JSON: an event behind a time, a
// node's name or a syslog header, or the server's legacy format.
func (d *decoder) text(b, whole []byte, depth int) {
	if d.legacy(b) {
		return
	}
	head := b[:min(len(b), maxPrefix)]
	for at := 0; ; {
		n := bytes.IndexByte(head[at:], '{')
		if n < 0 {
			d.foreign(ForeignText)
			return
		}
		at += n
		if next := bytes.TrimLeft(head[at+1:], " "); len(next) > 0 && next[0] == '"' {
			d.object(b[at:], whole, depth)
			return
		}
		at++
	}
}

// broken reports damage at an offset of b, unless b is an event that was truncated
// on purpose and is still useful.
func (d *decoder) broken(b, whole []byte, at int) {
	const cut = "[Truncated...]" // EKS
	e := &d.event
	if bytes.HasSuffix(b, []byte(cut)) && bytes.HasPrefix(b, []byte(serverHead)) {
		if d.salvage(e, b) {
			d.send(e)
			return
		}
	}
	off := -1
	if len(whole) > 0 && len(b) > 0 {
		// b is a part of whole where both end in the same array.
		if d := cap(whole) - cap(b); d >= 0 && d+at <= len(whole) && &whole[:cap(whole)][cap(whole)-1] == &b[:cap(b)][cap(b)-1] {
			off = d + at
		}
	}
	text := "not JSON"
	if at >= len(b) {
		text = "the text ends in the middle of a value"
	}
	d.damage(off, text)
}

// salvage reads the beginning of a truncated event. It reports whether that names
// the request and its client.
func (d *decoder) salvage(e *Event, b []byte) bool {
	c := cursor{b: b}
	e.scan(&c, true)
	e.Client = d.clients.of(&e.who)
	e.bodies, e.request, e.response = nil, nil, nil
	e.Lost |= LostTail | LostBodies | LostAnnotations
	return !e.AuditID.IsZero() && !e.Verb.IsZero() && e.Client.User != ""
}

// send hands an event on.
func (d *decoder) send(e *Event) {
	e.Lost |= d.lost
	d.emit(e)
}
