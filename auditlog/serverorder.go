package auditlog

import "bytes"

// serverHead begins every event that an API server's log backend writes: it
// encodes a Go struct, so the order of keys is known, and no space is between
// them (k8s.io/apiserver/pkg/apis/audit/v1, type Event).
const serverHead = `{"kind":"Event","apiVersion":"audit.k8s.io/v1`

// listHead begins every event of a list that an API server sends.
const listHead = `{"level":`

// tailKey begins what follows the bodies in such an event: nothing behind it
// nests, and within a string its quotes would be escaped, so the last one is
// the event's own.
const tailKey = `,"requestReceivedTimestamp":"`

// server reads as much of an event as is in the server's order, and reports
// whether it began so. It leaves c.i behind the last value that it read, or
// where it was if it read none.
func (s *scanner) server(e *Event, c *cursor) bool {
	start := c.i
	done := func() bool { c.i = start; return true }
	switch {
	case c.lit(listHead):
	case c.lit(serverHead + `"`):
		start = c.i
		if !c.lit(`,"level":`) {
			return done()
		}
	default:
		c.i = start
		return false // v1beta1 and whatever else may come
	}
	var t Text
	var ok bool
	if t, ok = c.str(); !ok {
		return done()
	}
	e.Level, start = parseLevel(t), c.i
	if !c.lit(`,"auditID":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.AuditID, start = t, c.i
	if !c.lit(`,"stage":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.Stage, start = parseStage(t), c.i
	if !c.lit(`,"requestURI":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.URI, start = t, c.i
	if !c.lit(`,"verb":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.Verb, start = t, c.i
	if !s.client(e, c) {
		return done()
	}
	start = c.i
	if c.lit(`,"objectRef":`) {
		if !e.Ref.inOrder(c) {
			e.Ref = Ref{}
			return done()
		}
		start = c.i
	}
	if c.lit(`,"responseStatus":`) {
		if !e.plainStatus(c) && !e.status(c) {
			return done()
		}
		start = c.i
	}
	for range 2 {
		request := c.lit(`,"requestObject":`)
		if request || c.lit(`,"responseObject":`) {
			if !e.body(c, request, true) {
				return done()
			}
			start = c.i
		}
	}
	if !c.lit(`,"requestReceivedTimestamp":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.Received, start = t, c.i
	if !c.lit(`,"stageTimestamp":`) {
		return done()
	}
	if t, ok = c.str(); !ok {
		return done()
	}
	e.Stamp, start = t, c.i
	if c.lit(`,"annotations":`) {
		n, known := s.notes.find(c.b[c.i:])
		if known != nil {
			e.notes = *known
			c.i += n
			return true
		}
		at := c.i
		if !e.notes.scan(c) {
			e.notes = notes{}
			return done()
		}
		own := e.notes
		own.raw = bytes.Clone(own.raw)
		own.RemovedRelease = plainText(own.RemovedRelease.AppendTo(nil))
		s.notes.add(c.b[at:], c.i-at, own)
	}
	return true
}

// client reads the keys from user to userAgent, or recognises them.
func (s *scanner) client(e *Event, c *cursor) bool {
	if !c.lit(`,"user":`) {
		return false
	}
	start := c.i
	if n, known := s.whos.find(c.b[start:]); known != nil {
		e.Client = *known
		c.i += n
		return true
	}
	if !e.who.scanUser(c) {
		e.who = who{}
		return false
	}
	end := c.i
	for {
		if !c.lit(`,`) {
			break
		}
		key, ok := c.str()
		if !ok || !c.lit(`:`) || !whoKey(key) {
			break
		}
		if !e.who.field(c, key) {
			break
		}
		end = c.i
		if string(key.raw) == "userAgent" {
			break
		}
	}
	c.i = end
	e.Client = s.clients.of(&e.who)
	s.whos.add(c.b[start:], end-start, e.Client)
	return true
}

func whoKey(key Text) bool {
	switch string(key.raw) {
	case "impersonatedUser", "authenticationMetadata", "sourceIPs", "userAgent":
		return true
	}
	return false
}

// inOrder reads an object reference in the server's order.
func (r *Ref) inOrder(c *cursor) (ok bool) {
	if !c.lit(`{`) {
		return false
	}
	first := true
	for _, f := range [...]struct {
		key  string
		into *Text
	}{
		{`"resource":`, &r.Resource}, {`"namespace":`, &r.Namespace}, {`"name":`, &r.Name},
		{`"uid":`, &r.UID}, {`"apiGroup":`, &r.Group}, {`"apiVersion":`, &r.Version},
		{`"resourceVersion":`, &r.ResourceVersion}, {`"subresource":`, &r.Subresource},
	} {
		at := c.i
		if !first && !c.lit(`,`) {
			break
		}
		if !c.lit(f.key) {
			c.i = at
			continue
		}
		if *f.into, ok = c.str(); !ok {
			return false
		}
		first = false
	}
	return c.lit(`}`)
}

// plainStatus reads the status of a request that went well.
func (e *Event) plainStatus(c *cursor) bool {
	const head = `{"metadata":{},"code":`
	at := c.i
	if c.lit(head) {
		if code, ok := c.small(); ok && c.lit(`}`) {
			e.Code = code
			return true
		}
	}
	c.i = at
	return false
}

// lit steps over a literal text.
func (c *cursor) lit(s string) bool {
	if len(c.b)-c.i >= len(s) && string(c.b[c.i:c.i+len(s)]) == s {
		c.i += len(s)
		return true
	}
	return false
}

// lastTail finds the last tailKey, or gives -1. What follows it is short, and a
// search forwards is much faster than one backwards.
func lastTail(b []byte) int {
	for window := 1 << 9; ; window *= 8 {
		start := max(0, len(b)-window)
		for last := -1; ; {
			at := bytes.Index(b[start:], []byte(tailKey))
			if at < 0 {
				if last >= 0 {
					return last
				}
				break
			}
			last = start + at
			start = last + 1
		}
		if window >= len(b) {
			return -1
		}
	}
}
