package traffic

import "fmt"

// change changes the fields of an object, or its status if status is true. Sometimes it
// changes nothing, because real clients also write stored values again.
func (g *Generator) change(o *object, status bool) {
	switch {
	case status:
		o.state++
	case g.r.chance(35):
		return
	default:
		o.generation++
	}
	o.version = g.revision()
}

func (g *Generator) request(by *client, verb string, o *object) *request {
	return &request{by: by, verb: verb, kind: o.kind, version: o.kind.version, namespace: o.namespace, name: o.name, object: o, code: 200}
}

// put writes the event for replacing an object or its status. The body has the version
// that the client has read.
func (g *Generator) put(by *client, o *object, sub string) {
	q := g.request(by, "update", o)
	q.sub = sub
	if by.manager != "" {
		q.query = "fieldManager=" + by.manager
	}
	q.requestBody = g.body(g.sent[:0], o, q.version, by, by.style == styleTemplate && sub == "")
	g.sent = q.requestBody
	q.received = g.now
	guard := o.version
	g.change(o, sub == "status" || o.kind.resource == "leases")
	g.answer = g.body(g.answer[:0], o, q.version, by, false)
	q.responseBody = g.answer
	after := o.version
	o.version = guard // objectRef must have the version from the request
	g.write(q)
	o.version = after
}

// update writes the events for reading and then replacing an object.
func (g *Generator) update(by *client, o *object, sub string) {
	g.get(by, o)
	g.wait(4000)
	g.put(by, o, sub)
}

// patch changes an object or its status, and writes the event for a merge patch.
func (g *Generator) patch(by *client, o *object, sub string) {
	g.change(o, sub == "status")
	g.writePatchEvent(by, o, sub)
}

// writePatchEvent writes the event for a merge patch whose result is the current state of
// an object.
func (g *Generator) writePatchEvent(by *client, o *object, sub string) {
	q := g.request(by, "patch", o)
	q.sub = sub
	if by.manager != "" {
		q.query = "fieldManager=" + by.manager
	}
	if sub == "status" {
		q.requestBody = fmt.Appendf(g.sent[:0], `{"metadata":{"uid":"%s"},"status":{"observed":%d,"conditions":[{"type":"Ready","status":"%t"}]}}`, o.uid, o.state, o.state%2 == 1)
	} else {
		q.requestBody = fmt.Appendf(g.sent[:0], `{"metadata":{"annotations":{"example.com/revision":"%d"}},"spec":{"revision":"v0.%d.0"}}`, o.generation, o.generation)
	}
	g.sent = q.requestBody
	g.answer = g.body(g.answer[:0], o, q.version, by, false)
	q.responseBody = g.answer
	g.write(q)
}

func (g *Generator) apply(by *client, o *object, query string) {
	q := g.request(by, "patch", o)
	q.query = `fieldManager=` + by.manager + query
	g.sent = g.body(g.sent[:0], o, q.version, by, true)
	q.requestBody = g.sent
	g.change(o, false)
	g.answer = g.body(g.answer[:0], o, q.version, by, false)
	q.responseBody = g.answer
	g.write(q)
}

// save changes an object and writes the events in the style of the client.
func (g *Generator) save(by *client, o *object) {
	switch by.style {
	case styleUpdate:
		g.update(by, o, "")
	case stylePatch:
		g.get(by, o)
		g.wait(9000)
		g.patch(by, o, "")
	case styleForcedApply:
		g.apply(by, o, `\u0026force=true`)
	case styleApply:
		g.apply(by, o, "")
	case styleTemplate:
		g.put(by, o, "")
	}
}

// create adds an object to the cluster and writes the event.
func (g *Generator) create(by *client, o *object) {
	q := g.request(by, "create", o)
	q.code = 201
	if by.manager != "" {
		q.query = "fieldManager=" + by.manager
	}
	g.sent = g.body(g.sent[:0], o, q.version, by, true)
	g.answer = g.body(g.answer[:0], o, q.version, by, false)
	q.requestBody, q.responseBody = g.sent, g.answer
	if o.kind.resource == "pods" && g.r.chance(30) {
		q.notes = `,"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"istio-sidecar-injector\",\"webhook\":\"rev.namespace.sidecar-injector.istio.io\",\"mutated\":true}","pod-security.kubernetes.io/enforce-policy":"baseline:latest"`
	}
	g.write(q)
	o.kind.pool = append(o.kind.pool, o)
}

// remove deletes a random object of a kind and writes the event.
func (g *Generator) remove(by *client, k *kind) {
	i := g.r.below(len(k.pool))
	o := k.pool[i]
	k.pool[i] = k.pool[len(k.pool)-1]
	k.pool = k.pool[:len(k.pool)-1]
	q := g.request(by, "delete", o)
	g.sent = fmt.Appendf(g.sent[:0], `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":{"uid":"%s"},"propagationPolicy":"Background"}`, o.uid)
	g.answer = g.body(g.answer[:0], o, q.version, by, false)
	q.requestBody, q.responseBody = g.sent, g.answer
	g.write(q)
}
