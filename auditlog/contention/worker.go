package contention

import (
	"bytes"
	"net/http"
	"slices"
	"sync"

	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
	"github.com/kubevet/kubevet/auditlog/tally"
)

// Config configures a Collector. The zero value collects all writes.
type Config struct {
	Limits Limits
	// Keep, if not nil, reports whether a write is collected. at is the time in
	// microseconds since 1970. The result must not depend on the writer,
	// because fights need all writers of an object.
	Keep func(e *auditlog.Event, at int64) bool
	// Redact leaves out the texts of all values.
	Redact bool
	// Status also collects writes to statuses. A status is an object of its
	// own, with a resource such as deployments/status.
	Status bool
}

// write is a write that a worker passes to the collector.
type write struct {
	object uint64
	scope  *knownScope
	obs    observation
	writer *knownWriter
	state  *leafSet
	hooks  []hookWrite
	left   *leftover
	line   int32
	// nameFrom and nameTo are the range of the object's name in Part.names.
	nameFrom, nameTo uint32
	// from and to are the range in Part.texts of the records of values.
	from, to uint32
}

// hookWrite is the change of a mutating webhook to a request.
type hookWrite struct {
	hook  Writer
	state *leafSet
	// sent has the values that the client sent for the fields of state; nil if they
	// are unknown.
	sent []leaf
}

// leftover is an entry of managedFields that is older than the first apply of a
// manager: see leftovers.
type leftover struct {
	manager, update string
	fields          []string
	more            int
}

// knownScope is a scope with its number in the collector. Only the collector
// uses the number; it is 0 until the collector has seen the scope.
type knownScope struct {
	scope
	number uint32
}

// knownWriter is a process of a writer. number is the writer's number in the
// collector; 0 until the collector has seen the writer.
type knownWriter struct {
	Writer
	number   uint32
	instance uint8
}

// Part has the writes of one block of a log.
type Part struct {
	writes   []write
	names    string // names of the objects
	paths    []pathInfo
	texts    []byte // records of the values' texts, for valueStore.put
	ticks    []tick
	attempts []sentAttempt
	// end is the time of the last event in the block, in microseconds since
	// 1970.
	end int64
}

// pathInfo is the text of a path.
type pathInfo struct {
	path   uint64
	text   string
	atomic bool // the path is a list that is one value
}

// worker converts events to writes.
type worker struct {
	keep    func(e *auditlog.Event, at int64) bool
	redact  bool
	status  bool // whether statuses are collected
	part    Part
	walk    walker
	writers map[writerKey]*knownWriter
	last    writerKey
	lastIs  *knownWriter
	scopes  map[uint64]*knownScope
	names   []byte // of the part
	states  map[uint64]*leafSet
	known   map[uint64]struct{}
	buf     []byte
	uri     []byte // buffer for the query
	end     []byte // latest time of an event, as text
	pool    *sync.Pool
	arenas  *sync.Pool
}

type writerKey struct {
	client  *auditlog.Client
	manager string
}

// maxCached is the largest size of each cache of a worker.
const maxCached = 1 << 13

// Worker returns a worker for auditlog.Read.
func (c *Collector) Worker() auditlog.Worker[Part] {
	return &worker{
		keep: c.keep, redact: c.redact, status: c.status, pool: &c.pool, arenas: &c.arenas,
		writers: map[writerKey]*knownWriter{}, scopes: map[uint64]*knownScope{}, states: map[uint64]*leafSet{}, known: map[uint64]struct{}{},
	}
}

// Part returns the records since the last call.
func (w *worker) Part() Part {
	p := w.part
	p.end, p.names = auditlog.ParseTime(w.end), string(w.names)
	w.names = w.names[:0]
	w.part, w.end = Part{}, w.end[:0]
	if spare, ok := w.pool.Get().(*[]write); ok {
		w.part.writes = (*spare)[:0]
	}
	if spare, ok := w.arenas.Get().(*[]byte); ok {
		w.part.texts = (*spare)[:0]
	}
	return p
}

// Event records the write of an event, if it succeeded.
func (w *worker) Event(e *auditlog.Event, line int) {
	if e.Stage != auditlog.StageResponseComplete {
		return
	}
	if e.Stamp.Compare(w.end) > 0 {
		w.end = e.Stamp.AppendTo(w.end[:0])
	}
	conflict := e.Code == http.StatusConflict
	if (e.Code < 200 || e.Code > 299) && !conflict {
		return
	}
	how, stated := w.how(e, w.verb(e)), e.Ref.ResourceVersion.Uint()
	if conflict && (how != HowUpdate || stated == 0) {
		return
	}
	if how == HowUnknown && stated == 0 {
		return
	}
	at := e.Stamp.Time()
	if at == 0 {
		at = e.Received.Time()
	}
	if stated != 0 && !conflict {
		w.tick(e, at, stated)
	}
	if how == HowUnknown {
		return
	}
	if w.keep != nil && !w.keep(e, at) {
		return
	}
	q, dry := w.query(e, how)
	switch {
	case dry && conflict:
		return
	case dry:
		w.attempt(e, how, at, &q, 0)
		return
	case conflict:
		w.attempt(e, how, at, &q, stated)
		return
	}
	w.walk.status = e.Ref.Subresource.Is("status")
	r := write{line: int32(line)}
	o := &r.obs
	o.at, o.how = at, how
	if stated != 0 || e.Lost&auditlog.LostVersion != 0 {
		o.flags |= flagGuarded // it may have a version
	}
	if e.Ref.UID.IsZero() {
		o.flags |= flagTemplate
	}
	if how == HowPatch {
		if o.how = w.patchHow(e, &q); e.Code == 201 {
			o.flags |= flagMade
		}
	}
	if e.Level == auditlog.LevelRequestResponse && e.HasBodies() {
		o.flags |= flagAnswer
	}
	w.identify(e, &r)
	r.writer = w.writer(e, &q)
	o.instance = r.writer.instance
	r.from = uint32(len(w.part.texts))
	o.audit, w.part.texts = readAuditID(e, w.buf[:0], w.part.texts)
	w.read(e, &r)
	if o.version == 0 && stated != 0 {
		o.version = stated
		o.flags |= flagStated
	}
	r.to = uint32(len(w.part.texts))
	w.part.writes = append(w.part.writes, r)
}

// verb returns the method that follows from the verb of an event.
func (w *worker) verb(e *auditlog.Event) How {
	switch {
	case e.Verb.Is("update"):
		return HowUpdate
	case e.Verb.Is("patch"):
		return HowPatch
	case e.Verb.Is("create"):
		return HowCreate
	case e.Verb.Is("delete"), e.Verb.Is("deletecollection"):
		return HowDelete
	}
	return HowUnknown
}

// how returns the method of a write. It returns HowUnknown for a write that
// cannot belong to a fight, such as a write to a lease, an event or most
// subresources. A write to the subresource status has a method only if the
// collector collects statuses.
func (w *worker) how(e *auditlog.Event, verb How) How {
	switch sub := e.Ref.Subresource; {
	case verb == HowUnknown, e.Ref.Resource.IsZero(), e.Ref.Resource.Is("leases"), e.Ref.Resource.Is("events"):
		return HowUnknown
	case e.Ref.Name.IsZero() != e.Verb.Is("deletecollection"):
		return HowUnknown
	case verb == HowDelete && janitor(e.Client):
		return HowUnknown
	case sub.IsZero(), sub.Is("resize"):
		return verb
	case w.status && sub.Is("status") && (verb == HowUpdate || verb == HowPatch):
		return verb
	case sub.Is("scale") && (verb == HowUpdate || verb == HowPatch):
		return HowScale
	}
	return HowUnknown
}

// query returns the parameters of a request. dry reports whether the request is
// a dry run.
func (w *worker) query(e *auditlog.Event, verb How) (q tally.Query, dry bool) {
	w.uri = e.URI.AppendTo(w.uri[:0])
	q = tally.ParseQuery(w.uri)
	dry = e.DryRun || len(q.DryRun) > 0 || verb == HowDelete && e.HasBodies() && e.RequestDryRun()
	return q, dry
}

// patchHow returns the type of a patch. The log does not have the type, so it
// follows from the request:
//
//   - A patch with the parameter force is an apply.
//   - A patch without a body in the log has the unknown type HowPatch.
//   - A list is a JSON patch.
//   - An object with a kind, in a request with a field manager, is an apply
//     (apimachinery, meta/v1/validation, ValidatePatchOptions).
//   - Any other object is a merge patch.
func (w *worker) patchHow(e *auditlog.Event, q *tally.Query) How {
	if len(q.Force) > 0 {
		if f := string(q.Force); f == "true" || f == "1" {
			return HowForcedApply
		}
		return HowApply
	}
	if !e.HasBodies() {
		return HowPatch
	}
	body, _ := e.Bodies()
	switch first := bytes.TrimLeft(body, " \t\r\n"); {
	case len(first) == 0:
		return HowPatch
	case first[0] == '[':
		return HowJSONPatch
	case len(q.Manager) > 0:
		if gv, kind := e.RequestKind(); !gv.IsZero() && !kind.IsZero() {
			return HowApply
		}
	}
	return HowMergePatch
}

// identify sets the fingerprints of the event and the object.
func (w *worker) identify(e *auditlog.Event, r *write) {
	w.buf = w.buf[:0]
	stamp := e.Stamp
	if stamp.IsZero() {
		stamp = e.Received
	}
	r.obs.id = uint32(fingerprint.Add(fingerprint.Add(valueSeed, e.AuditID.Bytes(w.buf)), stamp.Bytes(w.buf)) >> 32)
	group := e.Ref.Group.Bytes(w.buf)
	moved := ""
	if string(group) == "extensions" {
		if moved = movedTo(e.Ref.Resource); moved != "" {
			group = []byte(moved)
		}
	}
	h := fingerprint.Add(pathSeed, group)
	resource := e.Ref.Resource.Bytes(w.buf)
	if w.walk.status {
		resource = slices.Concat(resource, []byte(statusOf))
	}
	h = fingerprint.Add(h, resource)
	namespace := e.Ref.Namespace.Bytes(w.buf)
	if len(group) == 0 && e.Ref.Resource.Is("namespaces") {
		namespace = nil // the server sets the name of a Namespace as its namespace
	}
	h = fingerprint.Add(h, namespace)
	r.object = fingerprint.Add(h, e.Ref.Name.Bytes(w.buf))
	r.nameFrom = uint32(len(w.names))
	w.names = e.Ref.Name.AppendTo(w.names)
	w.names = w.names[:min(len(w.names), int(r.nameFrom)+maxText)]
	r.nameTo = uint32(len(w.names))
	key := fingerprint.Add(h, e.Ref.Version.Bytes(w.buf))
	s := w.scopes[key]
	if s == nil {
		if len(w.scopes) >= maxCached {
			clear(w.scopes)
		}
		name := e.Ref.Group.String()
		if moved != "" {
			name = moved
		}
		resource := clip(e.Ref.Resource.String())
		if w.walk.status {
			resource += statusOf
		}
		inside := ""
		if namespace != nil {
			inside = clip(e.Ref.Namespace.String())
		}
		s = &knownScope{scope: scope{clip(name), resource, inside, clip(e.Ref.Version.String())}}
		w.scopes[key] = s
	}
	r.scope = s
}

// statusOf is the suffix of a status's resource.
const statusOf = "/status"

// movedTo returns the group to which a resource of the group extensions moved;
// "" if it did not move. Objects of this kind are the same in both groups.
func movedTo(resource auditlog.Text) string {
	switch {
	case resource.Is("deployments"), resource.Is("daemonsets"), resource.Is("replicasets"):
		return "apps"
	case resource.Is("ingresses"), resource.Is("networkpolicies"):
		return "networking.k8s.io"
	case resource.Is("podsecuritypolicies"):
		return "policy"
	}
	return ""
}

// writer returns the writer of a request.
func (w *worker) writer(e *auditlog.Event, q *tally.Query) *knownWriter {
	if w.lastIs != nil && w.last.client == e.Client && w.last.manager == string(q.Manager) {
		return w.lastIs
	}
	k := writerKey{e.Client, string(q.Manager)}
	x := w.writers[k]
	if x == nil {
		if len(w.writers) >= maxCached {
			clear(w.writers)
		}
		x = &knownWriter{Writer: Writer{User: clip(e.Client.Who()), Agent: clip(tally.FoldAgent(e.Client.Agent)), Manager: clip(k.manager)}}
		if x.Manager == "" && e.Lost&auditlog.LostQuery == 0 {
			x.Manager = tally.DerivedManager(e.Client.Agent)
		}
		at := e.Client.Pod
		if at == "" {
			at = e.Client.SourceIP
		}
		x.instance = uint8(fingerprint.Add(valueSeed, []byte(e.Client.Agent))>>56)&versionBits | uint8(fingerprint.Add(valueSeed, []byte(at))>>60)
		w.writers[k] = x
	}
	w.last, w.lastIs = k, x
	return x
}
