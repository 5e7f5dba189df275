package auditlog

import "bytes"

// braced reads a text that begins with a brace but is not JSON.
func (d *decoder) braced(b, whole []byte, depth int) {
	if d.printed(b, depth) {
		return
	}
	before := d.events
	if d.text(b, whole, depth); d.events == before {
		d.broken(b, whole, 1, depth)
	}
}

// partial records the ID of an event with missing fields.
func (d *decoder) partial(b []byte) {
	id := ""
	c := cursor{b: b}
	c.object(func(key Text) bool {
		if !key.Is("auditID") {
			return c.skip()
		}
		t, ok := c.text()
		id = t.String()
		return ok
	})
	d.partials = append(d.partials, id)
}

// settle reports the events with missing fields as damage. It leaves out events
// that are complete elsewhere in the record.
func (d *decoder) settle(b []byte) {
	partials, events := d.partials, d.events
	emit, damage, foreign, kind := d.emit, d.damage, d.foreign, d.kind
	complete := map[string]bool{}
	d.emit = func(e *Event) { complete[e.AuditID.String()] = true }
	d.damage, d.foreign = func(int, string) {}, func(Foreign) {}
	if events > 0 {
		d.any(b, b, 0)
	}
	d.emit, d.damage, d.foreign, d.kind = emit, damage, foreign, kind
	d.events = events
	for _, id := range partials {
		if !complete[id] {
			d.fault(-1, noUser)
		}
	}
}

// broken reports damage at an offset of b, unless b is an event that was
// truncated on purpose. It returns the number of bytes before the next event in
// b, or the length of b.
func (d *decoder) broken(b, whole []byte, at, depth int) int {
	const cut = "[Truncated...]" // EKS
	e := &d.event
	if bytes.HasSuffix(b, []byte(cut)) && bytes.HasPrefix(b, []byte(serverHead)) {
		if d.salvage(e, b) {
			d.send(e)
			return len(b)
		}
	}
	if d.printed(b, depth) {
		return len(b)
	}
	n := len(b)
	if next := bytes.Index(b[1:], []byte(serverHead)); next >= 0 {
		n = next + 1 // a server crashed during a write, and restarted
	}
	if depth > 0 && !mentions(b[:n]) {
		return n
	}
	off := -1
	if len(whole) > 0 && len(b) > 0 {
		// If both texts end in the same array, b is a part of whole.
		if d := cap(whole) - cap(b); d >= 0 && d+at <= len(whole) && &whole[:cap(whole)][cap(whole)-1] == &b[:cap(b)][cap(b)-1] {
			off = d + at
		}
	}
	text := "not JSON"
	if at >= len(b) {
		text = "the text ends in the middle of a value"
	}
	d.fault(off, text)
	return n
}

// salvage reads the beginning of a truncated event. It reports whether this
// part has the request and the client.
func (d *decoder) salvage(e *Event, b []byte) bool {
	c := cursor{b: b}
	d.scanner.scan(e, &c, true)
	e.Client = d.clients.of(&e.who)
	e.bodies, e.request, e.response = nil, nil, nil
	e.Lost |= LostTail | LostBodies | LostAnnotations
	return !e.AuditID.IsZero() && !e.Verb.IsZero() && e.Client.User != ""
}
