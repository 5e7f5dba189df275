package traffic

import (
	"bytes"
	"strconv"
	"time"
)

type request struct {
	by              *client
	verb            string
	kind            *kind // nil for paths such as /healthz, which are in query
	version         string
	namespace, name string
	sub, query      string
	object          *object // nil if the body has no object
	stage           string  // "" means ResponseComplete
	id              uid     // zero means a new ID
	received        int64   // zero means now
	code            int
	// status has the fields of a refusal, as JSON.
	status string
	// requestBody and responseBody may be nil.
	requestBody, responseBody []byte
	notes                     string // further annotations, as JSON with a leading comma
	impersonates              string
}

// loggedBodies reports whether the log has the body of the request and of the response.
// As with most audit policies, secrets and token reviews have no bodies, and requests
// that only read have no response bodies.
func (g *Generator) loggedBodies(q *request) (requests, answers bool) {
	if q.kind == nil || q.kind.secret || q.sub == "token" {
		return false, false
	}
	switch q.verb {
	case "get", "list", "watch":
		return g.cfg.Level != Metadata, false
	}
	return g.cfg.Level != Metadata, g.cfg.Level == RequestResponse
}

// write appends the event of a request to the log.
func (g *Generator) write(q *request) {
	g.events++
	requests, answers := g.loggedBodies(q)
	level := Metadata
	switch {
	case answers:
		level = RequestResponse
	case requests:
		level = Request
	}
	if q.id == (uid{}) {
		q.id = g.r.uid()
	}
	if q.stage == "" {
		q.stage = "ResponseComplete"
	}
	if q.received == 0 {
		q.received = g.now
	}
	b := append(g.buf, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"`...)
	b = append(b, level...)
	b = append(b, `","auditID":"`...)
	b = q.id.appendTo(b)
	b = append(b, `","stage":"`...)
	b = append(b, q.stage...)
	b = append(b, `","requestURI":"`...)
	b = q.uri(b)
	b = append(b, `","verb":"`...)
	b = append(b, q.verb...)
	b = append(b, `","user":`...)
	b = append(b, q.by.user...)
	if q.impersonates != "" {
		b = append(b, `,"impersonatedUser":{"username":"`...)
		b = append(b, q.impersonates...)
		b = append(b, `","groups":["system:authenticated"]}`...)
	}
	b = append(b, `,"sourceIPs":`...)
	b = append(b, q.by.ips...)
	b = append(b, `,"userAgent":"`...)
	b = append(b, q.by.agent...)
	b = append(b, '"')
	if q.kind != nil {
		b = q.reference(b)
	}
	b = append(b, `,"responseStatus":{"metadata":{},`...)
	b = append(b, q.status...)
	b = append(b, `"code":`...)
	b = strconv.AppendInt(b, int64(q.code), 10)
	b = append(b, '}')
	if requests && q.requestBody != nil {
		b = append(b, `,"requestObject":`...)
		b = append(b, q.requestBody...)
	}
	if answers && q.responseBody != nil {
		b = append(b, `,"responseObject":`...)
		b = append(b, q.responseBody...)
	}
	b = append(b, `,"requestReceivedTimestamp":"`...)
	b = appendTime(b, q.received)
	b = append(b, `","stageTimestamp":"`...)
	b = appendTime(b, g.now+int64(300+g.r.skewed(60_000)))
	b = append(b, `","annotations":{"authorization.k8s.io/decision":"`...)
	if q.code == 403 {
		b = append(b, `forbid","authorization.k8s.io/reason":"`...)
	} else {
		b = append(b, `allow","authorization.k8s.io/reason":"`...)
		b = append(b, q.by.reason...)
	}
	b = append(b, '"')
	b = append(b, q.notes...)
	if k := q.kind; k != nil && q.stage == "ResponseComplete" && k.oldVersion != "" && q.version == k.oldVersion {
		b = append(b, `,"k8s.io/deprecated":"true","k8s.io/removed-release":"`...)
		b = append(b, k.removedIn...)
		b = append(b, '"')
	}
	g.buf = append(b, "}}\n"...)
}

func appendTime(b []byte, micros int64) []byte {
	return time.UnixMicro(micros).UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
}

// uri appends the path and the query of a request as JSON.
func (q *request) uri(b []byte) []byte {
	k := q.kind
	if k == nil {
		return append(b, q.query...)
	}
	if k.group == "" {
		b = append(b, "/api/"...)
	} else {
		b = append(b, "/apis/"...)
		b = append(b, k.group...)
		b = append(b, '/')
	}
	b = append(b, q.version...)
	if q.namespace != "" {
		b = append(b, "/namespaces/"...)
		b = append(b, q.namespace...)
	}
	b = append(b, '/')
	b = append(b, k.resource...)
	if q.name != "" && q.verb != "create" {
		b = append(b, '/')
		b = append(b, q.name...)
	}
	if q.sub != "" {
		b = append(b, '/')
		b = append(b, q.sub...)
	}
	if q.query != "" {
		b = append(b, '?')
		b = append(b, q.query...)
	}
	return b
}

// reference appends the key objectRef.
func (q *request) reference(b []byte) []byte {
	field := func(name, value string) {
		if value == "" {
			return
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(append(append(append(append(b, '"'), name...), `":"`...), value...), '"')
	}
	b = append(b, `,"objectRef":{`...)
	field("resource", q.kind.resource)
	field("namespace", q.namespace)
	field("name", q.name)
	guarded := q.verb == "update" && bytes.Contains(q.requestBody[:min(len(q.requestBody), 400)], []byte(`"resourceVersion"`))
	if guarded {
		field("uid", q.object.uid.String())
	}
	field("apiGroup", q.kind.group)
	field("apiVersion", q.version)
	if guarded {
		field("resourceVersion", strconv.FormatUint(q.object.version, 10))
	}
	field("subresource", q.sub)
	return append(b, '}')
}
