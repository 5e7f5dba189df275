package auditlog

import "bytes"

// serverHead is the beginning of each event in a log file of an API server. The
// server encodes a Go struct without white space, so the order of the keys is
// fixed (k8s.io/apiserver/pkg/apis/audit/v1, type Event).
const serverHead = `{"kind":"Event","apiVersion":"audit.k8s.io/v1`

// listHead is the beginning of each event in a list that an API server sends to
// a webhook.
const listHead = `{"level":`

// tailKey is the key after the bodies in an event of an API server. The values
// after tailKey have no keys of their own, and quotes in strings are escaped.
// So the last occurrence of tailKey in the text is the key of the event itself,
// and not of an object in a body.
const tailKey = `,"requestReceivedTimestamp":"`

// scanner reads events for one goroutine. The zero value is ready to use.
type scanner struct {
	clients clientSet
}

// event reads one event, which must be the whole text of c. It returns false if
// the text is not JSON; c.i is then the offset of the error.
//
// If the event begins like an event of an API server, the bodies are skipped.
// Damage in a body is then found only when somebody reads the body.
func (s *scanner) event(e *Event, c *cursor) bool {
	start := c.i
	ok := e.scan(c, byServer(c.b[start:]))
	if !ok && e.bodies != nil {
		// The tailKey that was found may be a part of a body.
		c.i = start
		ok = e.scan(c, false)
	}
	if ok {
		e.Client = s.clients.of(&e.who)
	}
	return ok
}

// byServer reports whether a text begins like an event of an API server.
func byServer(b []byte) bool {
	return bytes.HasPrefix(b, []byte(serverHead+`"`)) || bytes.HasPrefix(b, []byte(listHead))
}

// scan reads an event key by key. If skipBodies is set, it skips the bodies.
// After an error, e has the fields before the error.
func (e *Event) scan(c *cursor, skipBodies bool) bool {
	*e = Event{}
	c.space()
	if c.peek() != '{' || !c.object(func(key Text) bool { return e.field(c, key, skipBodies) }) {
		return false
	}
	c.space()
	return c.i == len(c.b)
}

// field reads the value of one key of an event.
func (e *Event) field(c *cursor, key Text, skipBodies bool) (ok bool) {
	var t Text
	switch string(key.raw) {
	case "level":
		t, ok = c.text()
		e.level(t)
	case "k8s_audit_level", "openshift_audit_level": // OpenShift Logging replaces the field level
		t, ok = c.text()
		e.level(t)
	case "stage":
		t, ok = c.text()
		e.Stage = parseStage(t)
	case "auditID":
		e.AuditID, ok = c.text()
	case "requestURI":
		e.URI, ok = c.text()
	case "verb":
		e.Verb, ok = c.text()
	case "user":
		if ok = e.who.scanUser(c); !ok {
			e.who = who{}
		}
	case "impersonatedUser", "sourceIPs", "userAgent":
		ok = e.who.field(c, key)
	case "objectRef":
		if ok = e.Ref.scan(c); !ok {
			e.Ref = Ref{}
		}
	case "responseStatus":
		ok = e.status(c)
	case "requestReceivedTimestamp":
		e.Received, ok = c.scalar()
	case "stageTimestamp":
		e.Stamp, ok = c.scalar()
	case "annotations":
		e.notes = notes{}
		if ok = e.notes.scan(c); !ok {
			e.notes = notes{}
		}
	case "requestObject", "responseObject":
		ok = e.body(c, key.raw[2] == 'q', skipBodies)
	default:
		ok = c.skip()
	}
	return ok
}

// level sets the level, if t is a known level.
func (e *Event) level(t Text) {
	if l := parseLevel(t); l != LevelUnknown {
		e.Level = l
	}
}

// field reads the value of one key that describes the client, except user.
func (w *who) field(c *cursor, key Text) (ok bool) {
	switch string(key.raw) {
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

// scanUser reads the value of the key user.
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

// scan reads the value of the key objectRef.
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

// status reads the value of the key responseStatus.
func (e *Event) status(c *cursor) bool {
	e.Code, e.Reason, e.Message, e.details = 0, Text{}, Text{}, nil
	return c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "code":
			if e.Code, ok = c.small(); c.b[c.i-1] == '}' {
				return false // a database adds types to values
			}
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

// body reads the value of the key requestObject or responseObject. If unread is
// set, it skips both bodies.
func (e *Event) body(c *cursor, request, unread bool) bool {
	if unread && e.inOrder() {
		if at := lastTail(c.b[c.i:]); at > 0 && stampFollows(c.b[c.i+at:]) && !bytes.Contains(c.b[c.i:c.i+at], []byte(nextEvent)) {
			e.bodies, e.inRequest = c.b[c.i:c.i+at:c.i+at], request
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

// inOrder reports whether all keys that a server writes before the bodies were
// read, and no body. Log shippers can write keys in another order.
func (e *Event) inOrder() bool {
	return e.request == nil && e.response == nil && e.Level != LevelUnknown && e.Code != 0 && e.Stage != StageUnknown && !e.Verb.IsZero() && !e.URI.IsZero() && !e.who.user.IsZero() && !e.who.first.IsZero() && !e.who.agent.IsZero() && !e.Ref.Resource.IsZero()
}

// stampFollows reports whether stageTimestamp follows the tailKey at the
// beginning of tail, as in an event of an API server. If not, tailKey may be
// inside a body.
func stampFollows(tail []byte) bool {
	value := tail[len(tailKey):]
	end := bytes.IndexByte(value, '"')
	return end >= 0 && bytes.HasPrefix(value[end:], []byte(`","stageTimestamp":`))
}

// nextEvent is a text near the beginning of each event that is unlikely in a
// body. A server that crashes leaves an incomplete event, and the next event
// follows on the same line. nextEvent finds it. The first byte of nextEvent is
// rare in logs.
const nextEvent = `k8s.io/v1","level":"`

// lastTail returns the offset of the last tailKey, or -1. It searches forwards
// in ever larger parts at the end of b. The text after the key is short, and
// bytes.Index is much faster than bytes.LastIndex.
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

// notes are the annotations that all reports need.
type notes struct {
	// Deprecated is set if k8s.io/deprecated is "true". RemovedRelease is
	// k8s.io/removed-release.
	Deprecated     bool
	RemovedRelease Text
	// Allowed and Forbidden are set from the annotation
	// authorization.k8s.io/decision.
	Allowed, Forbidden bool
	// Truncated is set from audit.k8s.io/truncated. The server has then removed
	// the bodies.
	Truncated bool
	// Decided is set if an annotation describes a decision of admission control:
	// see AnnotationOf.
	Decided bool

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

// set handles one annotation.
func (n *notes) set(key, v Text) {
	switch string(key.raw) {
	// Elastic's pipeline replaces dots in keys by underscores. BigQuery
	// replaces all other special characters too.
	case "k8s.io/deprecated", "k8s_io/deprecated", "k8s_io_deprecated":
		n.Deprecated = v.Is("true")
	case "k8s.io/removed-release", "k8s_io/removed-release", "k8s_io_removed_release":
		n.RemovedRelease = v
	case "authorization.k8s.io/decision", "authorization_k8s_io/decision", "authorization_k8s_io_decision":
		n.Allowed, n.Forbidden = v.Is("allow"), v.Is("forbid")
	case "audit.k8s.io/truncated", "audit_k8s_io/truncated":
		n.Truncated = v.Is("true")
	default:
		// Most annotations are ruled out by their first byte.
		if len(key.raw) > 0 && mayDecide(key.raw[0]) && AnnotationOf(key) != AnnotationOther {
			n.Decided = true
		}
	}
}
