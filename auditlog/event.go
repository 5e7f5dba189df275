package auditlog

import "bytes"

// Event is one event of an audit log (audit.k8s.io/v1, kind Event, of
// k8s.io/apiserver/pkg/apis/audit), or of an equivalent record. Texts and bytes are parts of the
// log. They are valid until the next event is read. The zero value is an empty event.
type Event struct {
	Level Level
	Stage Stage
	// Verb is the request's: get, list, watch, create, update, patch, delete,
	// deletecollection, or for other requests the lower-case HTTP method.
	Verb Text
	// AuditID names the request; all its stages have it.
	AuditID Text
	// URI is the request URI with its query. It is absent in shapes that do
	// not carry it: see Lost.
	URI Text

	// Client is the sender. It is never nil and stays valid after the event. Equal
	// clients usually share one value, see clientSet.
	Client *Client

	Ref Ref

	// Code is the HTTP status; 0 if it is unknown.
	Code int
	// Reason and Message are those of the response status; details is its
	// details as JSON.
	Reason, Message Text
	details         []byte

	// Received and Stamp are requestReceivedTimestamp and stageTimestamp.
	Received, Stamp Text

	notes

	// DryRun is set if the shape marks a dry run outside of the URI (the GKE label
	// command.gke.io/dryRun, or dryRun of an AdmissionReview).
	DryRun bool

	// Lost is the information that the format of the log lacks.
	Lost Lost

	who               who // the source of Client
	request, response []byte
	// bodies contains both bodies unread, from the value of the first one on. Its end is not yet
	// known. inRequest is set if it begins with the request's.
	bodies    []byte
	inRequest bool
}

// Ref is the object that a request is about.
type Ref struct {
	Group, Version, Resource, Subresource Text
	Namespace, Name, UID                  Text
	// ResourceVersion is the one in the request's body.
	ResourceVersion Text
}

// Level is how much an audit policy records. The zero value is unknown.
type Level uint8

// The levels.
const (
	LevelUnknown Level = iota
	LevelMetadata
	LevelRequest
	LevelRequestResponse
)

// Stage is the moment at which an event was made. The zero value is unknown.
type Stage uint8

// The stages.
const (
	StageUnknown Stage = iota
	StageRequestReceived
	StageResponseStarted
	StageResponseComplete
	StagePanic
)

// Lost is a set of information that a format lacks.
type Lost uint16

// The information that may be missing.
const (
	// LostQuery: no query string, so that field managers, force and dry runs
	// are unknown.
	LostQuery Lost = 1 << iota
	// LostCode: the status is not the HTTP one.
	LostCode
	// LostGroups: the user's groups and extra fields.
	LostGroups
	// LostReads: requests that only read are not logged at all.
	LostReads
	// LostBodies: bodies were cut or dropped on the way.
	LostBodies
	// LostAnnotations: the audit annotations.
	LostAnnotations
	// LostTail: the event was cut, and the text behind the cut is unknown.
	LostTail
	// LostMetadata: the bodies' metadata, so that managed fields are unknown.
	LostMetadata
	// LostAgent: the user agents and addresses of clients.
	LostAgent
	// LostPath: the API version in the request's path.
	LostPath
	// LostTime: the time of the request.
	LostTime
	// LostImpersonation: the impersonated user.
	LostImpersonation
	// LostVersion: the versions of objects. They show whether a write changed something, and which
	// version it is based on.
	LostVersion
	// LostFields: fields that every event has.
	LostFields
	// LostSent: bodies are as admission control left them, not as clients sent them.
	LostSent
	// LostUnmatched: requests that no rule of an alerting program matches.
	LostUnmatched
)

// inferLevel sets the level of an event that does not name it, from its bodies.
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

// Request returns the request's body as JSON, nil if the log has none.
func (e *Event) Request() []byte {
	e.split()
	return e.request
}

// Response returns the response's body as JSON, nil if the log has none.
func (e *Event) Response() []byte {
	e.split()
	return e.response
}

// Bodies returns the request's body, and a text that begins with the response's body. It does not
// search for the end of the response's body. Either is nil if the log does not contain it.
func (e *Event) Bodies() (request, response []byte) {
	if e.bodies == nil {
		return e.request, e.response
	}
	c := cursor{b: e.bodies}
	if e.inRequest {
		raw, ok := c.raw()
		if ok && string(raw) != "null" {
			request = raw
		}
		if !ok || !c.word(`,"responseObject":`) {
			if ok && c.i == len(c.b) {
				return request, nil
			}
			return e.Request(), e.Response()
		}
	}
	return request, c.b[c.i:]
}

// BodiesHold reports whether a word is anywhere in the bodies, without reading
// them.
func (e *Event) BodiesHold(word []byte) bool {
	return bytes.Contains(e.bodies, word) || bytes.Contains(e.request, word) || bytes.Contains(e.response, word)
}

// HasBodies reports whether the log has a body, without reading any.
func (e *Event) HasBodies() bool {
	return e.bodies != nil || e.request != nil || e.response != nil
}

// split finds the ends of bodies that were skipped. Damaged bodies are treated as absent.
func (e *Event) split() {
	if e.bodies == nil {
		return
	}
	c := cursor{b: e.bodies}
	e.bodies = nil
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
			return c.skip() // the annotations after the bodies count
		}
		// A key of the event itself that is out of the server's order.
		return e.field(&c, key, false)
	})
}

// AnnotationsHold reports whether a word is anywhere in the annotations, without
// reading them.
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

// ResponseVersion returns metadata.resourceVersion of the response's body; 0 if it is absent or not
// a number. The higher of two versions of an object is the newer one.
func (e *Event) ResponseVersion() uint64 {
	c := e.beforeResponse()
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

// beforeResponse returns a cursor at the beginning of the response's body. Unlike Response, it does
// not search for the body's end.
func (e *Event) beforeResponse() cursor {
	if e.bodies != nil {
		c := cursor{b: e.bodies}
		if !e.inRequest || c.skip() && c.word(`,"responseObject":`) {
			return c
		}
	}
	return cursor{b: e.Response()}
}

// RequestKind returns apiVersion and kind of the request's body; both are empty if the body is not
// an object.
func (e *Event) RequestKind() (apiVersion, kind Text) {
	c := cursor{b: e.Request()}
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
	c := cursor{b: e.Request()}
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
