package traffic

import "fmt"

func (g *Generator) get(by *client, o *object) { g.write(g.request(by, "get", o)) }

func (g *Generator) list(by *client, k *kind, version string) {
	q := &request{by: by, verb: "list", kind: k, version: version, code: 200}
	switch {
	case k.cluster || g.r.chance(40):
		q.query = fmt.Sprintf(`limit=500\u0026resourceVersion=%d`, g.r.below(2)*int(g.version))
	default:
		q.namespace = g.r.namespace()
		q.query = `labelSelector=app.kubernetes.io%2Fname%3D` + g.r.pick(words)
	}
	g.write(q)
}

// watch is an open watch. The zero value is not a watch.
type watch struct {
	started request
	open    bool
}

// watches starts one of the cluster's watches, or ends it if it is open.
func (g *Generator) watches() {
	i := g.r.below(len(g.open))
	w := &g.open[i]
	if w.open {
		w.open = false
		w.started.stage = ""
		g.write(&w.started)
		return
	}
	k := g.kinds[i%len(g.kinds)]
	version := k.version
	if k.oldVersion != "" && i%29 == 0 {
		version = k.oldVersion
	}
	seconds := g.r.between(300, 600)
	w.started = request{
		by: g.clients.all[i%len(g.clients.all)], verb: "watch", kind: k, version: version, code: 200, stage: "ResponseStarted",
		id: g.r.uid(), received: g.now,
		query: fmt.Sprintf(`allowWatchBookmarks=true\u0026resourceVersion=%d\u0026timeout=%dm%ds\u0026timeoutSeconds=%d\u0026watch=true`, g.version, seconds/60, seconds%60, seconds),
	}
	w.open = true
	g.write(&w.started)
}

var paths = []string{"/healthz", "/readyz", "/livez", "/livez?verbose=true", "/metrics", "/openapi/v2?timeout=32s", "/api?timeout=32s", "/apis?timeout=32s", "/version"}

// path writes the event for a request to a path that is not a resource.
func (g *Generator) path() {
	g.write(&request{by: g.clients.all[g.r.below(len(g.clients.all))], verb: "get", query: g.r.pick(paths), code: 200})
}

// review writes the event for a token review, an access review or a token request.
func (g *Generator) review(by *client) {
	switch g.r.below(3) {
	case 0:
		g.write(&request{by: by, verb: "create", kind: tokenReview, version: "v1", code: 201})
	case 1:
		g.write(&request{by: by, verb: "create", kind: accessReview, version: "v1", code: 201})
	default:
		k := g.kind("serviceaccounts")
		q := g.request(by, "create", g.randomObject(k))
		q.sub, q.code = "token", 201
		q.object = nil
		g.write(q)
	}
}

var (
	tokenReview  = &kind{group: "authentication.k8s.io", version: "v1", resource: "tokenreviews", name: "TokenReview", cluster: true, secret: true}
	accessReview = &kind{group: "authorization.k8s.io", version: "v1", resource: "subjectaccessreviews", name: "SubjectAccessReview", cluster: true, secret: true}
)

// deprecatedRequest writes the event for a request to a deprecated API.
func (g *Generator) deprecatedRequest() {
	k := g.oldKinds[g.r.below(len(g.oldKinds))]
	by := g.clients.operators[g.r.skewed(len(g.clients.operators))]
	if g.r.chance(30) {
		by = g.clients.people[g.r.skewed(len(g.clients.people))]
	}
	if g.r.chance(45) {
		g.list(by, k, k.oldVersion)
		return
	}
	o := g.randomObject(k)
	q := g.request(by, "get", o)
	q.version = k.oldVersion
	if g.r.chance(30) {
		q.verb = "patch"
		g.change(o, false)
		g.sent = fmt.Appendf(g.sent[:0], `{"spec":{"revision":"v0.%d.0"}}`, o.generation)
		g.answer = g.body(g.answer[:0], o, q.version, by, false)
		q.requestBody, q.responseBody = g.sent, g.answer
	}
	g.write(q)
}

// fail writes the event for a request that the server refuses.
func (g *Generator) fail() {
	by := g.clients.operators[g.r.skewed(len(g.clients.operators))]
	k := g.kinds[g.r.below(len(g.kinds))]
	o := g.randomObject(k)
	q := g.request(by, "get", o)
	switch g.r.below(8) {
	case 0, 1:
		q.code, q.name = 404, o.name+"-"+g.r.suffix(4)
		q.status = fmt.Sprintf(`"status":"Failure","message":"%s \"%s\" not found","reason":"NotFound","details":{"name":"%s","kind":"%s"},`, k.resource, q.name, q.name, k.resource)
	case 2:
		q.verb, q.code, q.name, q.object = "list", 403, "", nil
		q.status = fmt.Sprintf(`"status":"Failure","message":"%s is forbidden: User \"%s\" cannot list resource \"%s\" in API group \"%s\" at the cluster scope","reason":"Forbidden","details":{"kind":"%s"},`, k.resource, by.name, k.resource, k.group, k.resource)
	case 3, 4:
		q.verb, q.code = "update", 409
		q.requestBody = g.body(g.sent[:0], o, q.version, by, false)
		g.sent = q.requestBody
		q.status = fmt.Sprintf(`"status":"Failure","message":"Operation cannot be fulfilled on %s \"%s\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"%s","kind":"%s"},`, k.resource, o.name, o.name, k.resource)
	case 5:
		q.verb, q.code = "create", 409
		q.requestBody = g.body(g.sent[:0], o, q.version, by, true)
		g.sent = q.requestBody
		q.status = fmt.Sprintf(`"status":"Failure","message":"%s \"%s\" already exists","reason":"AlreadyExists","details":{"name":"%s","kind":"%s"},`, k.resource, o.name, o.name, k.resource)
	case 6:
		q.verb, q.code, q.query = "patch", 409, "fieldManager=kubectl"
		q.requestBody = g.body(g.sent[:0], o, q.version, by, true)
		g.sent = q.requestBody
		q.status = `"status":"Failure","message":"Apply failed with 1 conflict: conflict with \"helm\": .spec.revision","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"helm\"","field":".spec.revision"}]},`
	default:
		q.verb, q.code = "patch", 422
		q.status = fmt.Sprintf(`"status":"Failure","message":"%s \"%s\" is invalid: spec.revision: Invalid value: \"v0.%d\": must be a version","reason":"Invalid","details":{"name":"%s","kind":"%s","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \"v0\": must be a version","field":"spec.revision"}]},`, k.name, o.name, g.r.below(1000), o.name, k.name)
	}
	g.write(q)
}
