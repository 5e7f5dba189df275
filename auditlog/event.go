package auditlog

import "bytes"

// Event is an event of an audit log, or an equivalent record. In Kubernetes it
// has the kind Event in audit.k8s.io/v1 (k8s.io/apiserver/pkg/apis/audit).
// Texts and bytes are parts of the log, and are valid until the next event is
// read. The zero value is an empty event.
type Event struct {
	Level Level
	Stage Stage
	// Verb is the verb of the request: get, list, watch, create, update, patch,
	// delete or deletecollection. For other requests, it is the HTTP method in
	// lower case.
	Verb Text
	// AuditID identifies the request. All stages of a request have the same ID.
	AuditID Text
	// URI is the request URI with its query. Some formats do not have it: see
	// Lost.
	URI Text

	// Client is the sender. It is never nil, and stays valid after the event.
	// Equal clients usually have the same pointer: see clientSet.
	Client *Client

	Ref Ref

	// Code is the HTTP status; 0 if unknown.
	Code int
	// Reason and Message are from the response's status. details are the
	// status's details as JSON.
	Reason, Message Text
	details         []byte

	// Received is requestReceivedTimestamp, and Stamp is stageTimestamp.
	Received, Stamp Text

	notes

	// DryRun is set if the log marks a dry run outside of the URI: by the GKE
	// label command.gke.io/dryRun, or by the field dryRun of an
	// AdmissionReview.
	DryRun bool

	// Lost says which information the format of the log does not have.
	Lost Lost

	who               who // the text from which Client is made
	request, response []byte
	// bodies is a part of the event's text. It begins with the first body, and
	// ends after the last one or later. inRequest is set if the first body is
	// the request's. The bodies are parsed only when they are needed.
	bodies    []byte
	inRequest bool
	// begun is set if request is known, and response begins with the response's
	// body, but can be longer.
	begun bool
}

// Ref is the object that a request is about.
type Ref struct {
	Group, Version, Resource, Subresource Text
	Namespace, Name, UID                  Text
	// ResourceVersion is the resource version in the request's body.
	ResourceVersion Text
}

// Level says how much of a request an audit policy records. The zero value is
// unknown.
type Level uint8

// These are the levels of audit policies.
const (
	LevelUnknown Level = iota
	LevelMetadata
	LevelRequest
	LevelRequestResponse
)

// Stage is the moment in a request at which an event is written. The zero value
// is unknown.
type Stage uint8

// These are the stages of a request.
const (
	StageUnknown Stage = iota
	StageRequestReceived
	StageResponseStarted
	StageResponseComplete
	StagePanic
)

// Lost is a set of information that a format lacks.
type Lost uint16

// These are the kinds of information that a format may lack.
const (
	// LostQuery means that there is no query. Field managers, force and dry
	// runs are then unknown.
	LostQuery Lost = 1 << iota
	// LostCode means that the status is not an HTTP status.
	LostCode
	// LostGroups means that the user's groups and extra fields are missing.
	LostGroups
	// LostReads means that requests that only read are not logged.
	LostReads
	// LostBodies means that bodies were truncated or removed after the server
	// wrote them.
	LostBodies
	// LostAnnotations means that the audit annotations are missing.
	LostAnnotations
	// LostTail means that the event was truncated, and that the rest of its
	// text is unknown.
	LostTail
	// LostMetadata means that the bodies have no metadata. Managed fields are
	// then unknown.
	LostMetadata
	// LostAgent means that the user agents and addresses of clients are
	// missing.
	LostAgent
	// LostPath means that the API version in the request's path is missing.
	LostPath
	// LostTime means that the time of the request is missing.
	LostTime
	// LostImpersonation means that the impersonated user is missing.
	LostImpersonation
	// LostVersion means that the resource versions of objects are missing. A
	// resource version shows whether a write changed something, and which state
	// of the object the write started from.
	LostVersion
	// LostFields means that fields are missing that each event should have.
	LostFields
	// LostSent means that bodies are as admission control left them, not as
	// clients sent them.
	LostSent
	// LostUnmatched means that requests are missing if no rule of an alerting
	// program matches them.
	LostUnmatched
)

// inferLevel sets the level of an event from its bodies, if the event has no
// level.
func (e *Event) inferLevel() {
	switch {
	case e.Level != LevelUnknown:
	case e.response != nil:
		e.Level = LevelRequestResponse
	case e.request != nil:
		e.Level = LevelRequest
	default:
		e.Level = LevelMetadata
		e.Lost |= LostFields
	}
}

// Request returns the request's body as JSON; nil if the log has none.
func (e *Event) Request() []byte {
	e.split()
	return e.request
}

// Response returns the response's body as JSON; nil if the log has none.
func (e *Event) Response() []byte {
	e.split()
	return e.response
}

// Bodies returns the body of the request, and a text that begins with the body
// of the response. The text may have more after this body, because finding its
// end would take time. A result is nil if the log does not have the body.
func (e *Event) Bodies() (request, response []byte) {
	if e.bodies != nil && !e.begun {
		e.findBodies()
	}
	return e.request, e.response
}

// findBodies sets the request's body, and the beginning of the response's body.
func (e *Event) findBodies() {
	c := cursor{b: e.bodies}
	var request []byte
	if e.inRequest {
		raw, ok := c.raw()
		if ok && string(raw) != "null" {
			request = raw
		}
		if !ok || !c.word(`,"responseObject":`) {
			if ok && c.i == len(c.b) {
				e.request, e.begun = request, true
				return
			}
			e.split()
			return
		}
	}
	e.request, e.response, e.begun = request, c.b[c.i:], true
}

// HasBodies reports whether the log has a body. It does not parse the bodies.
func (e *Event) HasBodies() bool {
	return e.bodies != nil || e.request != nil || e.response != nil
}

// split finds the ends of bodies that were skipped. Damaged bodies are treated as absent.
func (e *Event) split() {
	if e.bodies == nil {
		return
	}
	c := cursor{b: e.bodies}
	e.bodies, e.request, e.response = nil, nil, nil
	take := func(request bool) bool {
		raw, ok := c.raw()
		switch {
		case !ok:
			e.Lost |= LostBodies
			return false
		case string(raw) == "null":
			raw = nil
		}
		if request {
			e.request = raw
		} else {
			e.response = raw
		}
		return true
	}
	if !take(e.inRequest) || c.i == len(c.b) {
		return
	}
	if !c.at(',') {
		e.Lost |= LostBodies
		return
	}
	c.fields(func(key Text) bool {
		switch string(key.raw) {
		case "requestObject", "responseObject":
			return take(key.raw[2] == 'q')
		case "stageTimestamp", "annotations":
			return c.skip() // annotations after the bodies are needed
		}
		// The key belongs to the event itself, in another order than the
		// server's.
		return e.field(&c, key)
	})
}

// AnnotationsHold reports whether the annotations contain a word. It does not
// parse the annotations.
func (e *Event) AnnotationsHold(word []byte) bool { return bytes.Contains(e.notes.raw, word) }

// Annotations calls yield with every annotation until it returns false.
func (e *Event) Annotations(yield func(key, value Text) bool) {
	if len(e.notes.raw) == 0 {
		return
	}
	c := cursor{b: e.notes.raw}
	c.object(func(key Text) bool {
		v, ok := c.text()
		return ok && yield(key, v)
	})
}

// Cause is one of the causes in a response status.
type Cause struct{ Reason, Message, Field Text }

// Causes calls yield with every cause of the response status until it returns
// false.
func (e *Event) Causes(yield func(Cause) bool) {
	if len(e.details) == 0 {
		return
	}
	c := cursor{b: e.details}
	c.object(func(key Text) bool {
		if !key.Is("causes") {
			return c.skip()
		}
		return c.array(func() bool {
			var cause Cause
			ok := c.object(func(key Text) (ok bool) {
				switch {
				case key.Is("reason"):
					cause.Reason, ok = c.text()
				case key.Is("message"):
					cause.Message, ok = c.text()
				case key.Is("field"):
					cause.Field, ok = c.text()
				default:
					ok = c.skip()
				}
				return ok
			})
			return ok && yield(cause)
		})
	})
}

func parseLevel(t Text) Level {
	switch string(t.raw) {
	case "Metadata":
		return LevelMetadata
	case "Request":
		return LevelRequest
	case "RequestResponse":
		return LevelRequestResponse
	}
	return LevelUnknown
}

func parseStage(t Text) Stage {
	switch string(t.raw) {
	case "ResponseComplete":
		return StageResponseComplete
	case "RequestReceived":
		return StageRequestReceived
	case "ResponseStarted":
		return StageResponseStarted
	case "Panic":
		return StagePanic
	}
	return StageUnknown
}

// ResponseVersion returns metadata.resourceVersion in the response's body; 0 if
// it is absent or not a number. Of two versions of an object, the higher one is
// newer.
func (e *Event) ResponseVersion() uint64 {
	_, response := e.Bodies()
	c := cursor{b: response}
	var version uint64
	c.object(func(key Text) bool {
		if string(key.raw) != "metadata" {
			return c.skip()
		}
		c.object(func(key Text) bool {
			if string(key.raw) != "resourceVersion" {
				return c.skip()
			}
			t, _ := c.text()
			version = t.Uint()
			return false
		})
		return false
	})
	return version
}

// RequestKind returns apiVersion and kind of the request's body; both are empty if the body is not
// an object.
func (e *Event) RequestKind() (apiVersion, kind Text) {
	request, _ := e.Bodies()
	c := cursor{b: request}
	found := 0
	c.object(func(key Text) (ok bool) {
		switch string(key.raw) {
		case "apiVersion":
			apiVersion, ok = c.text()
			found++
		case "kind":
			kind, ok = c.text()
			found++
		default:
			ok = c.skip()
		}
		return ok && found < 2
	})
	return apiVersion, kind
}

// RequestDryRun reports whether the request's body has options that ask for a dry run. The body of
// a deletion may have them.
func (e *Event) RequestDryRun() bool {
	request, _ := e.Bodies()
	c := cursor{b: request}
	found := false
	c.object(func(key Text) bool {
		if string(key.raw) != "dryRun" {
			return c.skip()
		}
		return c.array(func() bool {
			found = true
			return c.skip()
		})
	})
	return found
}
