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
	known   known
}

// event reads one event, which must be the whole text of c. It returns false if
// the text is not JSON; c.i is then the offset of the error.
//
// If the event begins like an event of an API server, the bodies are skipped.
// Damage in a body is then found only when somebody reads the body.
func (s *scanner) event(e *Event, c *cursor) bool {
	start := c.i
	ok := s.scan(e, c, byServer(c.b[start:]))
	if !ok && e.bodies != nil {
		// The tailKey that was found may be a part of a body.
		c.i = start
		ok = s.scan(e, c, false)
	}
	if ok && e.Client == nil {
		e.Client = s.clients.of(&e.who)
	}
	return ok
}

// byServer reports whether a text begins like an event of an API server.
func byServer(b []byte) bool {
	return bytes.HasPrefix(b, []byte(serverHead+`"`)) || bytes.HasPrefix(b, []byte(listHead))
}

// scan reads an event key by key. If skipBodies is set, it skips the bodies.
// After an error, e has the fields before the error. e.Client is set if the
// sender is known.
func (s *scanner) scan(e *Event, c *cursor, skipBodies bool) bool {
	*e = Event{}
	c.space()
	if c.peek() != '{' {
		return false
	}
	ok := c.members(members, func(i int, _ Text) (ok bool) {
		switch {
		case i == memberUser && e.who.isZero():
			e.Client, ok = s.user(e, c)
			return ok
		case i >= memberUser && i <= memberAgent:
			e.Client = nil
		case i == memberAnnotations:
			return s.annotations(e, c)
		}
		return e.member(c, i, skipBodies)
	})
	if !ok {
		return false
	}
	c.space()
	return c.i == len(c.b)
}

// members are the keys of events, in the order of a server. OpenShift Logging
// replaces the key level by the last two.
var members = []string{
	`,"kind":`, `,"apiVersion":`, `,"level":`, `,"auditID":`, `,"stage":`, `,"requestURI":`, `,"verb":`, `,"user":`, `,"impersonatedUser":`,
	`,"sourceIPs":`, `,"userAgent":`, `,"objectRef":`, `,"responseStatus":`, `,"requestObject":`, `,"responseObject":`,
	`,"requestReceivedTimestamp":`, `,"stageTimestamp":`, `,"annotations":`, `,"k8s_audit_level":`, `,"openshift_audit_level":`,
}

// These are indexes in members.
const (
	memberLevel = iota + 2
	memberAuditID
	memberStage
	memberURI
	memberVerb
	memberUser
	memberImpersonated
	memberSourceIPs
	memberAgent
	memberRef
	memberStatus
	memberRequest
	memberResponse
	memberReceived
	memberStamp
	memberAnnotations
	memberLevelK8s
	memberLevelOpenShift
)

// field reads the value of a key of an event.
func (e *Event) field(c *cursor, key Text) bool {
	return e.member(c, indexKey(members, key), false)
}

// member reads the value of the key members[i], and skips the value of any other
// key.
func (e *Event) member(c *cursor, i int, skipBodies bool) (ok bool) {
	var t Text
	switch i {
	case memberLevel, memberLevelK8s, memberLevelOpenShift:
		t, ok = c.text()
		e.level(t)
	case memberStage:
		t, ok = c.text()
		e.Stage = parseStage(t)
	case memberAuditID:
		e.AuditID, ok = c.text()
	case memberURI:
		e.URI, ok = c.text()
	case memberVerb:
		e.Verb, ok = c.text()
	case memberUser:
		if ok = e.who.scanUser(c); !ok {
			e.who = who{}
		}
	case memberImpersonated:
		ok = e.who.scanImpersonated(c)
	case memberSourceIPs:
		ok = e.who.scanAddresses(c)
	case memberAgent:
		e.who.agent, ok = c.text()
	case memberRef:
		if ok = e.Ref.scan(c); !ok {
			e.Ref = Ref{}
		}
	case memberStatus:
		ok = e.status(c)
	case memberReceived:
		e.Received, ok = c.scalar()
	case memberStamp:
		e.Stamp, ok = c.scalar()
	case memberAnnotations:
		e.notes = notes{}
		if ok = e.notes.scan(c); !ok {
			e.notes = notes{}
		}
	case memberRequest, memberResponse:
		ok = e.body(c, i == memberRequest, skipBodies)
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

// scanImpersonated reads the value of the key impersonatedUser.
func (w *who) scanImpersonated(c *cursor) bool {
	w.impersonated = Text{}
	return c.object(func(key Text) (ok bool) {
		if string(key.raw) == "username" {
			w.impersonated, ok = c.text()
			return ok
		}
		return c.skip()
	})
}

// scanAddresses reads the value of the key sourceIPs.
func (w *who) scanAddresses(c *cursor) bool {
	w.first, w.last = Text{}, Text{}
	return c.array(func() bool {
		ip, ok := c.text()
		if w.first.IsZero() {
			w.first = ip
		}
		w.last = ip
		return ok
	})
}

// scanUser reads the value of the key user.
func (w *who) scanUser(c *cursor) bool {
	w.user, w.pod, w.groups = Text{}, Text{}, nil
	return c.members(userMembers, func(i int, _ Text) (ok bool) {
		switch i {
		case 0:
			w.user, ok = c.text()
		case 2:
			w.groups, ok = c.raw()
		case 3:
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

var userMembers = []string{`,"username":`, `,"uid":`, `,"groups":`, `,"extra":`}

// scan reads the value of the key objectRef.
func (r *Ref) scan(c *cursor) bool {
	*r = Ref{}
	fields := [...]*Text{&r.Resource, &r.Namespace, &r.Name, &r.UID, &r.Group, &r.Version, &r.ResourceVersion, &r.Subresource}
	return c.members(refMembers, func(i int, _ Text) (ok bool) {
		if i < 0 {
			return c.skip()
		}
		*fields[i], ok = c.text()
		return ok
	})
}

var refMembers = []string{
	`,"resource":`, `,"namespace":`, `,"name":`, `,"uid":`, `,"apiGroup":`, `,"apiVersion":`, `,"resourceVersion":`, `,"subresource":`,
}

// status reads the value of the key responseStatus.
func (e *Event) status(c *cursor) bool {
	e.Code, e.Reason, e.Message, e.details = 0, Text{}, Text{}, nil
	return c.members(statusMembers, func(i int, _ Text) (ok bool) {
		switch i {
		case 2:
			e.Message, ok = c.text()
		case 3:
			e.Reason, ok = c.text()
		case 4:
			e.details, ok = c.raw()
		case 5:
			if e.Code, ok = c.small(); c.b[c.i-1] == '}' {
				return false // a database adds types to values
			}
		default:
			ok = c.skip()
		}
		return ok
	})
}

var statusMembers = []string{`,"metadata":`, `,"status":`, `,"message":`, `,"reason":`, `,"details":`, `,"code":`}

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

// inOrder reports whether the first body is next in an event with the key order
// of a server. All keys that a server writes before the bodies were then read,
// and no body was. Log shippers can write keys in another order.
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
const nextEvent = `Version":"audit.k8s.io/v1","level":"`

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

// simple reports whether the annotations only say that the request was allowed.
func (n *notes) simple() bool {
	return n.Allowed && !n.Forbidden && !n.Deprecated && !n.Truncated && !n.Decided && n.RemovedRelease.IsZero() && n.raw[0] == '{'
}

// scan reads the value of key annotations.
func (n *notes) scan(c *cursor) bool {
	start := c.i
	ok := c.members(noteMembers, func(i int, key Text) bool {
		v, ok := c.text()
		n.set(i, key, v)
		return ok
	})
	n.raw = c.b[start:c.i]
	return ok
}

// noteMembers are keys of annotations, in the order of a server. After them are
// the same keys of Elastic's pipeline, which replaces dots in keys by underscores,
// and of BigQuery, which replaces all special characters.
var noteMembers = []string{
	`,"authorization.k8s.io/decision":`, `,"authorization.k8s.io/reason":`, `,"k8s.io/deprecated":`, `,"k8s.io/removed-release":`, `,"audit.k8s.io/truncated":`,
	`,"authorization_k8s_io/decision":`, `,"authorization_k8s_io/reason":`, `,"k8s_io/deprecated":`, `,"k8s_io/removed-release":`, `,"audit_k8s_io/truncated":`,
	`,"authorization_k8s_io_decision":`, `,"authorization_k8s_io_reason":`, `,"k8s_io_deprecated":`, `,"k8s_io_removed_release":`,
}

// set handles the annotation noteMembers[i], or another one with this key.
func (n *notes) set(i int, key, v Text) {
	switch i {
	case 0, 5, 10:
		n.Allowed, n.Forbidden = v.Is("allow"), v.Is("forbid")
	case 1, 6, 11:
	case 2, 7, 12:
		n.Deprecated = v.Is("true")
	case 3, 8, 13:
		n.RemovedRelease = v
	case 4, 9:
		n.Truncated = v.Is("true")
	default:
		// Most annotations are ruled out by their first byte.
		if len(key.raw) > 0 && mayDecide(key.raw[0]) && AnnotationOf(key) != AnnotationOther {
			n.Decided = true
		}
	}
}
