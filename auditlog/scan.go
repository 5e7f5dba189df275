package auditlog

import "bytes"

// serverHead begins every event that an API server writes to a log file: the
// server encodes a Go struct, which fixes the order of the keys, and adds no
// white space (k8s.io/apiserver/pkg/apis/audit/v1, type Event).
const serverHead = `{"kind":"Event","apiVersion":"audit.k8s.io/v1`

// listHead begins every event of a list that an API server sends to a webhook.
const listHead = `{"level":`

// tailKey follows the bodies in an event of an API server. The values behind it
// are not nested, and a string would escape its quotes. So its last occurrence
// is the key of the event itself.
const tailKey = `,"requestReceivedTimestamp":"`

// scanner reads events for one goroutine. The zero value is ready.
type scanner struct {
	clients clientSet
}

// event reads one event, which must be the whole text of c. It returns false if the text is not
// JSON. Then c.i is the offset of the error.
//
// Bodies are skipped unread if the event begins as an API server writes it.
// Damage in such a body is found when the body is read.
func (s *scanner) event(e *Event, c *cursor) bool {
	start := c.i
	ok := e.scan(c, byServer(c.b[start:]))
	if !ok && e.bodies != nil {
		// The tail may be part of a body.
		c.i = start
		ok = e.scan(c, false)
	}
	if ok {
		e.Client = s.clients.of(&e.who)
	}
	return ok
}

// byServer reports whether a text begins like an event that an API server wrote.
func byServer(b []byte) bool {
	return bytes.HasPrefix(b, []byte(serverHead+`"`)) || bytes.HasPrefix(b, []byte(listHead))
}

// scan reads an event key by key. It skips the bodies unread if skipBodies is set. After an error,
// e has the fields that were complete before it.
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
	case "k8s_audit_level", "openshift_audit_level": // OpenShift Logging sets level to its own
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

// level sets the level if it is a known one.
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
			if e.Code, ok = c.small(); c.b[c.i-1] == '}' {
				return false // a database types its values
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

// body reads the value of key requestObject or responseObject. If unread is set, it skips both
// values.
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

// inOrder reports whether all keys that a server writes before the bodies were present, and no
// body. Log shippers may write the keys in any order.
func (e *Event) inOrder() bool {
	return e.request == nil && e.response == nil && e.Level != LevelUnknown && e.Code != 0 && e.Stage != StageUnknown && !e.Verb.IsZero() && !e.URI.IsZero() && !e.who.user.IsZero() && !e.who.first.IsZero() && !e.who.agent.IsZero() && !e.Ref.Resource.IsZero()
}

// stampFollows reports whether stageTimestamp follows the key at the beginning of a text, as in an
// event of an API server. In another order it may be inside the bodies.
func stampFollows(tail []byte) bool {
	value := tail[len(tailKey):]
	end := bytes.IndexByte(value, '"')
	return end >= 0 && bytes.HasPrefix(value[end:], []byte(`","stageTimestamp":`))
}

// nextEvent is a text from the beginning of an event that is unlikely in a body. A server that
// crashes during a write leaves a partial event, and the next event on the same line. nextEvent
// begins with a byte that is rare in logs.
const nextEvent = `k8s.io/v1","level":"`

// lastTail returns the offset of the last tailKey, or -1. It searches forwards in growing windows
// at the end: the text after the key is short, and bytes.Index is much faster than bytes.LastIndex.
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

// notes are the annotations that every report needs.
type notes struct {
	// Deprecated and RemovedRelease are the annotations
	// k8s.io/deprecated ("true") and k8s.io/removed-release.
	Deprecated     bool
	RemovedRelease Text
	// Allowed and Forbidden are set from authorization.k8s.io/decision.
	Allowed, Forbidden bool
	// Truncated is the annotation audit.k8s.io/truncated: the server dropped the bodies.
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

// set takes one annotation.
func (n *notes) set(key, v Text) {
	switch string(key.raw) {
	// Elastic's pipeline writes underscores for the dots of keys.
	// BigQuery replaces every other character as well.
	case "k8s.io/deprecated", "k8s_io/deprecated", "k8s_io_deprecated":
		n.Deprecated = v.Is("true")
	case "k8s.io/removed-release", "k8s_io/removed-release", "k8s_io_removed_release":
		n.RemovedRelease = v
	case "authorization.k8s.io/decision", "authorization_k8s_io/decision", "authorization_k8s_io_decision":
		n.Allowed, n.Forbidden = v.Is("allow"), v.Is("forbid")
	case "audit.k8s.io/truncated", "audit_k8s_io/truncated":
		n.Truncated = v.Is("true")
	default:
		// The first byte rules out most annotations.
		if len(key.raw) > 0 && mayDecide(key.raw[0]) && AnnotationOf(key) != AnnotationOther {
			n.Decided = true
		}
	}
}
