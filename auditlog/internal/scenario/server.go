// Package scenario writes audit logs of a simulated API server for tests. The
// actions of the clients are known, and so are the correct findings. The logs
// have the form of a real server's logs (Kubernetes 1.36, level
// RequestResponse).
package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"
)

// Object is a decoded JSON object.
type Object = map[string]any

// Client is a sender of requests.
type Client struct {
	User, Agent string
	// Manager is the field manager in its requests; "" for none.
	Manager string
}

// Target is the object of a request.
type Target struct {
	Group, Version, Kind, Resource, Namespace, Name string
}

// apiVersion returns the group and version.
func (t Target) apiVersion() string {
	if t.Group == "" {
		return t.Version
	}
	return t.Group + "/" + t.Version
}

func (t Target) path(named bool, sub string) string {
	p := "/api/" + t.Version
	if t.Group != "" {
		p = "/apis/" + t.Group + "/" + t.Version
	}
	if t.Namespace != "" {
		p += "/namespaces/" + t.Namespace
	}
	p += "/" + t.Resource
	if named {
		p += "/" + t.Name
	}
	if sub != "" {
		p += "/" + sub
	}
	return p
}

// key returns a text that identifies the object, for all versions of its API.
func (t Target) key() string {
	return t.Group + " " + t.Resource + " " + t.Namespace + " " + t.Name
}

// Hook is a mutating webhook that sets a label on objects.
type Hook struct {
	Configuration, Name, Label, Value string
	// Stamp adds a different time to the value in each request.
	Stamp bool
}

// Server simulates an API server. It has the objects and the log.
type Server struct {
	// Step is the time from one request to the next.
	Step time.Duration
	// Hook, if not nil, changes the objects in requests.
	Hook *Hook

	id      string
	now     time.Time
	version int
	uid     int
	n       int
	store   map[string]Object
	managed map[string][]managedEntry
	out     bytes.Buffer
}

// NewServer returns a server. Its audit IDs begin with id.
func NewServer(id string) *Server {
	return &Server{Step: 700 * time.Millisecond, id: id, now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), version: 100, store: map[string]Object{}}
}

// Log returns the log.
func (s *Server) Log() []byte { return s.out.Bytes() }

// Wait advances the time of the server.
func (s *Server) Wait(d time.Duration) { s.now = s.now.Add(d) }

// Time returns the server's time.
func (s *Server) Time() string { return s.now.Format(time.RFC3339Nano) }

// request has the properties of a request that are logged.
type request struct {
	verb, sub, query string
	code             int
	named            bool
	ref              Object // fields that the target's objectRef lacks, or that replace its fields
	body, answer     any
	notes            map[string]string
}

func (s *Server) log(c Client, t Target, r request) {
	s.n++
	s.now = s.now.Add(s.Step)
	query := r.query
	if c.Manager != "" && r.verb != "get" && r.verb != "delete" && r.verb != "deletecollection" {
		query = strings.Trim("fieldManager="+c.Manager+"&"+query, "&")
	}
	uri := t.path(r.named, r.sub)
	if query != "" {
		uri += "?" + query
	}
	ref := Object{"resource": t.Resource, "apiVersion": t.Version}
	if t.Name != "" {
		ref["name"] = t.Name
	}
	if t.Namespace != "" {
		ref["namespace"] = t.Namespace
	}
	if t.Group != "" {
		ref["apiGroup"] = t.Group
	}
	if r.sub != "" {
		ref["subresource"] = r.sub
	}
	maps.Copy(ref, r.ref)
	status := json.RawMessage(fmt.Sprintf(`{"metadata":{},"code":%d}`, r.code))
	if r.code >= 400 {
		status = json.RawMessage(fmt.Sprintf(`{"metadata":{},"status":"Failure","message":"Operation cannot be fulfilled on %s \"%s\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","code":%d}`, t.Resource, t.Name, r.code))
	}
	// Write the keys in the server's order, without spaces.
	var line bytes.Buffer
	put := func(key string, value any) {
		if value == nil {
			return
		}
		if line.Len() > 1 {
			line.WriteByte(',')
		}
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // impossible for values of this package
		}
		fmt.Fprintf(&line, "%q:%s", key, text)
	}
	line.WriteByte('{')
	put("kind", "Event")
	put("apiVersion", "audit.k8s.io/v1")
	put("level", "RequestResponse")
	put("auditID", fmt.Sprintf("%s-%04d", s.id, s.n))
	put("stage", "ResponseComplete")
	put("requestURI", uri)
	put("verb", r.verb)
	put("user", Object{"username": c.User, "groups": []string{"system:authenticated"}})
	put("sourceIPs", []string{"10.0.0.7"})
	put("userAgent", c.Agent)
	put("objectRef", ref)
	put("responseStatus", status)
	put("requestObject", r.body)
	put("responseObject", r.answer)
	const stamp = "2006-01-02T15:04:05.000000Z"
	put("requestReceivedTimestamp", s.now.Add(-20*time.Millisecond).Format(stamp))
	put("stageTimestamp", s.now.Format(stamp))
	notes := map[string]string{"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""}
	maps.Copy(notes, r.notes)
	put("annotations", notes)
	line.WriteString("}\n")
	s.out.Write(line.Bytes())
}

// clone returns a deep copy of JSON.
func clone(o Object) Object {
	if o == nil {
		return nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var out Object
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

func meta(o Object) Object {
	m, _ := o["metadata"].(Object)
	if m == nil {
		m = Object{}
		o["metadata"] = m
	}
	return m
}

// save stores an object after the webhook changed it. If the object changed, it
// gets a new version. applied is the object in an apply; nil for other writes.
func (s *Server) save(c Client, t Target, sub string, o, applied Object) (answer Object, notes map[string]string) {
	o = clone(o)
	old := s.store[t.key()]
	m := meta(o)
	delete(m, "managedFields")
	m["name"] = t.Name
	if t.Namespace != "" {
		m["namespace"] = t.Namespace
	}
	if old == nil {
		s.uid++
		m["uid"] = fmt.Sprintf("00000000-0000-0000-0000-%012d", s.uid)
		m["creationTimestamp"] = s.now.Format(time.RFC3339)
	} else {
		m["uid"], m["creationTimestamp"] = meta(old)["uid"], meta(old)["creationTimestamp"]
	}
	if h := s.Hook; h != nil {
		labels, _ := m["labels"].(Object)
		if h.Stamp {
			h = &Hook{h.Configuration, h.Name, h.Label, fmt.Sprint("at-", s.n), false}
		}
		mutated := labels[h.Label] != h.Value
		ann := Object{"configuration": h.Configuration, "webhook": h.Name, "mutated": mutated}
		notes = map[string]string{"mutation.webhook.admission.k8s.io/round_0_index_0": text(ann)}
		if mutated {
			if labels == nil {
				labels = Object{}
				m["labels"] = labels
			}
			labels[h.Label] = h.Value
			notes["patch.webhook.admission.k8s.io/round_0_index_0"] = text(Object{"configuration": h.Configuration, "webhook": h.Name,
				"patch": []any{Object{"op": "add", "path": "/metadata/labels/" + h.Label, "value": h.Value}}, "patchType": "JSONPatch"})
		}
	}
	s.manage(t, c, sub, old, o, applied)
	delete(m, "resourceVersion")
	if old != nil {
		same := clone(old)
		delete(meta(same), "resourceVersion")
		same["apiVersion"] = o["apiVersion"]
		if text(same) == text(o) {
			m["resourceVersion"] = meta(old)["resourceVersion"]
			s.store[t.key()] = o
			return s.stored(t), notes
		}
	}
	s.version += 3
	m["resourceVersion"] = fmt.Sprint(s.version)
	s.store[t.key()] = o
	answer = s.stored(t)
	if m["deletionTimestamp"] != nil && len(finalizers(o)) == 0 {
		s.remove(t)
	}
	return answer, notes
}

// stored returns the stored object in the form of a response.
func (s *Server) stored(t Target) Object {
	o := clone(s.store[t.key()])
	if fields := s.managedFields(t); o != nil && fields != nil {
		meta(o)["managedFields"] = fields
	}
	return o
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Read logs that a client reads the object, and returns the object.
func (s *Server) Read(c Client, t Target) Object {
	o := s.stored(t)
	s.log(c, t, request{verb: "get", code: 200, named: true, answer: o})
	return clone(o)
}

// Create creates an object.
func (s *Server) Create(c Client, t Target, o Object) {
	o = s.typed(t, o)
	answer, notes := s.save(c, t, "", o, nil)
	s.log(c, t, request{verb: "create", code: 201, body: o, answer: answer, notes: notes})
}

// typed returns an object with its apiVersion, kind and name.
func (s *Server) typed(t Target, o Object) Object {
	o = clone(o)
	o["apiVersion"], o["kind"] = t.apiVersion(), t.Kind
	m := meta(o)
	m["name"] = t.Name
	if t.Namespace != "" {
		m["namespace"] = t.Namespace
	}
	return o
}

// Put replaces the whole object. o is sent unchanged. It has a UID and a
// version only if the client read it before.
func (s *Server) Put(c Client, t Target, o Object) {
	o = s.typed(t, o)
	ref := Object{}
	for _, k := range []string{"uid", "resourceVersion"} {
		if v, ok := meta(o)[k]; ok {
			ref[k] = v
		}
	}
	if v, ok := meta(o)["resourceVersion"]; ok && v != meta(s.store[t.key()])["resourceVersion"] {
		s.log(c, t, request{verb: "update", code: 409, named: true, ref: ref, body: o})
		return
	}
	answer, notes := s.save(c, t, "", o, nil)
	s.log(c, t, request{verb: "update", code: 200, named: true, ref: ref, body: o, answer: answer, notes: notes})
}

// Edit reads the object, changes it and replaces it.
func (s *Server) Edit(c Client, t Target, change func(o Object)) {
	o := s.Read(c, t)
	change(o)
	s.Put(c, t, o)
}

// merge applies a merge patch to an object (RFC 7396).
func merge(o, patch Object) {
	for k, v := range patch {
		below, nested := v.(Object)
		switch {
		case v == nil:
			delete(o, k)
		case nested:
			x, _ := o[k].(Object)
			if x == nil {
				x = Object{}
				o[k] = x
			}
			merge(x, below)
		default:
			o[k] = v
		}
	}
}

// Merge sends a merge patch.
func (s *Server) Merge(c Client, t Target, patch Object) {
	o := clone(s.store[t.key()])
	merge(o, patch)
	answer, notes := s.save(c, t, "", s.typed(t, o), nil)
	s.log(c, t, request{verb: "patch", code: 200, named: true, body: patch, answer: answer, notes: notes})
}

// JSONPatch sends a JSON patch with one operation. It removes the field if
// value is nil, and otherwise adds it.
func (s *Server) JSONPatch(c Client, t Target, value any, path ...string) {
	patch := Object{}
	at := patch
	pointer := ""
	for i, p := range path {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(p)
		if i == len(path)-1 {
			at[p] = value
			break
		}
		below := Object{}
		at[p] = below
		at = below
	}
	o := clone(s.store[t.key()])
	merge(o, patch)
	op := Object{"op": "add", "path": pointer, "value": value}
	if value == nil {
		op = Object{"op": "remove", "path": pointer}
	}
	answer, notes := s.save(c, t, "", s.typed(t, o), nil)
	s.log(c, t, request{verb: "patch", code: 200, named: true, body: []any{op}, answer: answer, notes: notes})
}

// Apply sends a server-side apply. The fields in o are set, and other fields
// stay.
func (s *Server) Apply(c Client, t Target, o Object, force bool) {
	o = s.typed(t, o)
	code := 200
	now := clone(s.store[t.key()])
	if now == nil {
		code, now = 201, Object{}
	}
	merge(now, clone(o))
	s.removeUnapplied(c, t, now, o)
	answer, notes := s.save(c, t, "", s.typed(t, now), o)
	s.log(c, t, request{verb: "patch", code: code, named: true, query: fmt.Sprintf("force=%v", force), body: o, answer: answer, notes: notes})
}

// Refused logs a forced apply that the server refuses.
func (s *Server) Refused(c Client, t Target, o Object, code int) {
	s.log(c, t, request{verb: "patch", code: code, named: true, query: "force=true", body: s.typed(t, o)})
}

// DryRun logs a merge patch that changes nothing.
func (s *Server) DryRun(c Client, t Target, patch Object) {
	o := clone(s.store[t.key()])
	merge(o, patch)
	s.log(c, t, request{verb: "patch", code: 200, named: true, query: "dryRun=All", body: patch, answer: o})
}

// DryApply logs a dry run of a forced apply.
func (s *Server) DryApply(c Client, t Target, o Object) {
	now := clone(s.store[t.key()])
	merge(now, clone(o))
	s.log(c, t, request{verb: "patch", code: 200, named: true, query: "dryRun=All&force=true", body: s.typed(t, o), answer: now})
}

// Scale updates the subresource scale, like an autoscaler.
func (s *Server) Scale(c Client, t Target, replicas int) {
	o := clone(s.store[t.key()])
	spec := Object{} // servers and clients omit replicas if it is 0
	if replicas != 0 {
		spec["replicas"] = replicas
	}
	scale := func() Object {
		return Object{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": Object{"name": t.Name, "namespace": t.Namespace,
			"uid": meta(o)["uid"], "resourceVersion": meta(o)["resourceVersion"]}, "spec": spec, "status": Object{"replicas": 0}}
	}
	body := scale()
	merge(o, Object{"spec": Object{"replicas": float64(replicas)}})
	ref := Object{"uid": meta(o)["uid"], "resourceVersion": meta(o)["resourceVersion"]}
	_, _ = s.save(c, t, "scale", o, nil)
	o = clone(s.store[t.key()])
	s.log(c, t, request{verb: "update", sub: "scale", code: 200, named: true, ref: ref, body: body, answer: scale()})
}

// Status updates the subresource status.
func (s *Server) Status(c Client, t Target, status Object) {
	o := clone(s.store[t.key()])
	o["status"] = status
	ref := Object{"uid": meta(o)["uid"], "resourceVersion": meta(o)["resourceVersion"]}
	answer, _ := s.save(c, t, "status", o, nil)
	s.log(c, t, request{verb: "update", sub: "status", code: 200, named: true, ref: ref, body: o, answer: answer})
}
