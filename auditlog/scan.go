package auditlog

// scanner reads events for one goroutine. The zero value is ready.
type scanner struct {
	clients clientSet
	whos    memo[*Client]
	notes   memo[notes]
}

// event reads one event, which must be the whole of c's text. It reports false
// where the text is not JSON, with c.i at the place.
//
// Bodies are not read but jumped over where the event is in the server's own
// order. Damage inside of them is found only by who reads them.
func (s *scanner) event(e *Event, c *cursor) bool {
	start := c.i
	*e = Event{}
	if !s.rest(e, c, true) {
		if e.bodies == nil {
			return false
		}
		// Perhaps what was jumped to lies within a body.
		*e, c.i = Event{}, start
		if !s.rest(e, c, false) {
			return false
		}
	}
	if e.Client == nil {
		e.Client = s.clients.of(&e.who)
	}
	return true
}

// rest reads an event: by way of the server's own order as far as it is kept,
// unless no jump over bodies is wanted, then key by key.
func (s *scanner) rest(e *Event, c *cursor, jump bool) bool {
	start := c.i
	server := jump && s.server(e, c)
	var ok bool
	if c.i == start {
		c.space()
		ok = c.peek() == '{' && c.object(func(key Text) bool { return e.field(c, key, server) })
	} else {
		c.space()
		if ok = c.at('}'); !ok && c.at(',') {
			c.space()
			ok = c.fields(func(key Text) bool {
				switch string(key.raw) {
				case "user", "impersonatedUser", "sourceIPs", "userAgent":
					e.reopen()
				}
				return e.field(c, key, server)
			})
		}
	}
	if !ok {
		return false
	}
	c.space()
	return c.i == len(c.b)
}

// reopen makes a client that is known already one that is still being read.
func (e *Event) reopen() {
	if c := e.Client; c != nil {
		e.Client = nil
		e.who = c.who()
	}
}

// field reads the value of one key of an event.
func (e *Event) field(c *cursor, key Text, server bool) (ok bool) {
	var t Text
	switch string(key.raw) {
	case "level":
		t, ok = c.text()
		e.Level = parseLevel(t)
	case "stage":
		t, ok = c.text()
		e.Stage = parseStage(t)
	case "auditID":
		e.AuditID, ok = c.text()
	case "requestURI":
		e.URI, ok = c.text()
	case "verb":
		e.Verb, ok = c.text()
	case "user", "impersonatedUser", "sourceIPs", "userAgent":
		ok = e.who.field(c, key)
	case "objectRef":
		ok = e.Ref.scan(c)
	case "responseStatus":
		ok = e.status(c)
	case "requestReceivedTimestamp":
		e.Received, ok = c.text()
	case "stageTimestamp":
		e.Stamp, ok = c.text()
	case "annotations":
		e.notes = notes{}
		ok = e.notes.scan(c)
	case "requestObject", "responseObject":
		ok = e.body(c, key.raw[2] == 'q', server)
	default:
		ok = c.skip()
	}
	return ok
}

// field reads the value of one key that tells of the client.
func (w *who) field(c *cursor, key Text) (ok bool) {
	switch string(key.raw) {
	case "user":
		ok = w.scanUser(c)
	case "impersonatedUser":
		w.impersonated = Text{}
		ok = c.object(func(key Text) (ok bool) {
			if string(key.raw) == "username" {
				w.impersonated, ok = c.text()
				return ok
			}
			return c.skip()
		})
	case "sourceIPs":
		w.first, w.last = Text{}, Text{}
		ok = c.array(func() bool {
			ip, ok := c.text()
			if w.first.IsZero() {
				w.first = ip
			}
			w.last = ip
			return ok
		})
	case "userAgent":
		w.agent, ok = c.text()
	default:
		ok = c.skip()
	}
	return ok
}

// scanUser reads the value of key user.
func (w *who) scanUser(c *cursor) bool {
	w.user, w.pod, w.groups = Text{}, Text{}, nil
	return c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "username":
			w.user, ok = c.text()
		case "groups":
			w.groups, ok = c.raw()
		case "extra":
			ok = c.object(func(key Text) bool {
				if string(key.raw) != "authentication.kubernetes.io/pod-name" {
					return c.skip()
				}
				return c.array(func() (ok bool) {
					w.pod, ok = c.text()
					return ok
				})
			})
		default:
			ok = c.skip()
		}
		return ok
	})
}

// scan reads the value of key objectRef.
func (r *Ref) scan(c *cursor) bool {
	*r = Ref{}
	return c.object(func(key Text) (ok bool) {
		var into *Text
		switch string(key.raw) {
		case "resource":
			into = &r.Resource
		case "namespace":
			into = &r.Namespace
		case "name":
			into = &r.Name
		case "uid":
			into = &r.UID
		case "apiGroup":
			into = &r.Group
		case "apiVersion":
			into = &r.Version
		case "resourceVersion":
			into = &r.ResourceVersion
		case "subresource":
			into = &r.Subresource
		default:
			return c.skip()
		}
		*into, ok = c.text()
		return ok
	})
}

// status reads the value of key responseStatus.
func (e *Event) status(c *cursor) bool {
	e.Code, e.Reason, e.Message, e.details = 0, Text{}, Text{}, nil
	return c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "code":
			e.Code, ok = c.small()
		case "reason":
			e.Reason, ok = c.text()
		case "message":
			e.Message, ok = c.text()
		case "details":
			e.details, ok = c.raw()
		default:
			ok = c.skip()
		}
		return ok
	})
}

// body reads or jumps over the value of key requestObject or responseObject.
func (e *Event) body(c *cursor, request, server bool) bool {
	if server {
		if at := lastTail(c.b[c.i:]); at > 0 {
			e.bodies, e.inRequest = c.b[c.i:c.i+at:c.i+at], request
			if e.response = nil; request {
				e.request = nil
			}
			c.i += at
			return true
		}
	}
	e.split()
	raw, ok := c.raw()
	if string(raw) == "null" {
		raw = nil
	}
	if request {
		e.request = raw
	} else {
		e.response = raw
	}
	return ok
}

// notes are the annotations that every report needs.
type notes struct {
	// Deprecated and RemovedRelease are the annotations
	// k8s.io/deprecated ("true") and k8s.io/removed-release.
	Deprecated     bool
	RemovedRelease Text
	// Allowed and Forbidden tell authorization.k8s.io/decision.
	Allowed, Forbidden bool
	// Truncated is the annotation audit.k8s.io/truncated: the bodies were
	// dropped by the server.
	Truncated bool

	raw []byte
}

// scan reads the value of key annotations.
func (n *notes) scan(c *cursor) bool {
	start := c.i
	ok := c.object(func(key Text) bool {
		v, ok := c.text()
		n.set(key, v)
		return ok
	})
	n.raw = c.b[start:c.i]
	return ok
}

// set takes one annotation.
func (n *notes) set(key, v Text) {
	switch string(key.raw) {
	// Elastic's pipeline writes underscores for the dots of keys.
	case "k8s.io/deprecated", "k8s_io/deprecated":
		n.Deprecated = v.Is("true")
	case "k8s.io/removed-release", "k8s_io/removed-release":
		n.RemovedRelease = v
	case "authorization.k8s.io/decision", "authorization_k8s_io/decision":
		n.Allowed, n.Forbidden = v.Is("allow"), v.Is("forbid")
	case "audit.k8s.io/truncated", "audit_k8s_io/truncated":
		n.Truncated = v.Is("true")
	}
}
