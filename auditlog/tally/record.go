package tally

import (
	"github.com/kubevet/kubevet/auditlog"
	"github.com/kubevet/kubevet/auditlog/denial"
	"github.com/kubevet/kubevet/auditlog/internal/fingerprint"
)

// record is the part of an event that a worker passes to the tally. The tally
// counts records in the order of the log.
type record struct {
	id      uint64 // fingerprint of the event; equal for copies
	request uint64 // fingerprint of the request; equal for all its events
	object  uint64 // fingerprint of the object; 0 for none
	stamp   int64  // microseconds since 1970
	client  *auditlog.Client
	api     *API
	// manager is the field manager in the request; nil for none.
	manager *string
	// version is the object's version in the response, and before is its
	// version in the request.
	version, before uint64
	detail          *detail // nil for most events
	line            int32
	code            int16
	verb            Verb
	stage           auditlog.Stage
	flags           flags
}

// flags are properties of a request.
type flags uint16

const (
	flagDeprecated flags = 1 << iota // the server marked it as deprecated
	flagDryRun
	flagForce
	flagApply      // certainly a server-side apply
	flagMaybeApply // possibly a server-side apply
	flagNoQuery    // the parameters are unknown
	flagImpersonated
	flagTail // the end of the event is missing
	flagAllowed
	flagUnserved // the server does not serve the API
)

// detail has the texts of an event that a report may show. Most events have
// none.
type detail struct {
	auditID, namespace, name string
	removed                  string
	reason, message          string
	causes                   []cause
}

type cause struct{ message, field, reason string }

// Part has the records of one block of a log.
type Part struct {
	records []record
	sent    []sent    // sorted by record
	decided []decided // sorted by record
	skipped int64     // events that the filter excluded
	stages  int64     // events of earlier stages
}

// worker converts events to records.
type worker struct {
	t        *Tally
	part     Part
	apis     map[string]*API
	managers map[string]*string
	buf, key []byte
}

// maxInterned is the largest number of strings that a worker shares between
// records.
const maxInterned = 1 << 14

// Event converts an event to a record.
func (w *worker) Event(e *auditlog.Event, line int) {
	if e.Stage == auditlog.StageRequestReceived {
		w.part.stages++
		return
	}
	w.buf = w.buf[:0]
	verb := parseVerb(e.Verb.Bytes(w.buf))
	r := record{
		client: e.Client, line: int32(line), code: int16(e.Code), verb: verb, stage: e.Stage,
		stamp: e.Stamp.Time(),
	}
	if r.stamp == 0 {
		r.stamp = e.Received.Time()
	}
	r.api = w.api(&e.Ref)
	if !w.t.cfg.Filter.keeps(e, &r) {
		w.part.skipped++
		return
	}
	w.identify(e, &r)
	switch {
	case e.Deprecated:
		r.flags |= flagDeprecated
	case e.Lost&auditlog.LostTail != 0:
		r.flags |= flagTail
	}
	if e.Allowed {
		r.flags |= flagAllowed
	}
	if e.Client.Impersonated != "" {
		r.flags |= flagImpersonated
	}
	if verb.writes() {
		w.write(e, &r)
		w.checkBody(e, &r)
	}
	if (verb.writes() || verb == VerbGet) && !e.Ref.Name.IsZero() {
		r.object = w.object(e, r.api)
	}
	if w.wantsDetail(e, &r) {
		r.detail = newDetail(e)
		if r.detail.unserved(e) {
			r.flags |= flagUnserved
		}
	}
	if (e.Decided || r.code >= 400) && e.Stage == auditlog.StageResponseComplete {
		if found := denial.Read(e, r.flags&flagDryRun != 0); found != nil {
			w.part.decided = append(w.part.decided, decided{len(w.part.records), found})
		}
	}
	w.part.records = append(w.part.records, r)
}

// wantsDetail reports whether a report may show texts of the event.
func (w *worker) wantsDetail(e *auditlog.Event, r *record) bool {
	switch {
	case r.flags&flagDeprecated != 0:
		return true
	case r.code == 403 || r.code == 404 || r.code == 410 || r.stage == auditlog.StageResponseStarted:
		return r.api.old || r.passedOn()
	case r.verb.writes() && (r.code == 400 || r.code == 409 || r.code == 422):
		return true
	}
	return r.api.old
}

func newDetail(e *auditlog.Event) *detail {
	d := &detail{
		auditID: clip(e.AuditID.String(), 64), namespace: clip(e.Ref.Namespace.String(), 253), name: clip(e.Ref.Name.String(), 253),
		removed: clip(e.RemovedRelease.String(), 16),
		reason:  clip(e.Reason.String(), 64), message: clip(e.Message.String(), 1024),
	}
	if d.namespace == d.name && e.Ref.Resource.Is("namespaces") {
		d.namespace = "" // the server sets a namespace for some objects without one
	}
	e.Causes(func(c auditlog.Cause) bool {
		d.causes = append(d.causes, cause{clip(c.Message.String(), 512), clip(c.Field.String(), 512), clip(c.Reason.String(), 64)})
		return len(d.causes) < 64
	})
	return d
}

// unserved reports whether the server does not serve the API of a request
// (apiserver, pkg/endpoints/handlers/responsewriters, and apimachinery,
// pkg/api/errors). There are two cases:
//
//   - The server does not know the API version. The response has no status.
//   - The server does not know the resource. The message names no object,
//     which it would if only the object were missing.
func (d *detail) unserved(e *auditlog.Event) bool {
	if e.Code != 404 || e.Deprecated {
		return false
	}
	if d.message == "" && d.reason == "" {
		return e.Lost&(auditlog.LostCode|auditlog.LostAnnotations) == 0
	}
	return d.message == "the server could not find the requested resource"
}

// clip returns at most the first n bytes of a text from a client.
func clip(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// write sets the fields of a record that only writes have.
func (w *worker) write(e *auditlog.Event, r *record) {
	switch {
	case e.Lost&auditlog.LostQuery != 0:
		r.flags |= flagNoQuery
	default:
		w.buf = w.buf[:0]
		uri := e.URI.Bytes(w.buf)
		q := ParseQuery(uri)
		if len(q.Manager) > 0 {
			r.manager = w.manager(q.Manager)
		}
		force := len(q.Force) > 0
		switch {
		case force && (string(q.Force) == "true" || string(q.Force) == "1"):
			r.flags |= flagForce
		}
		if len(q.DryRun) > 0 {
			r.flags |= flagDryRun
		}
		if r.verb == VerbPatch {
			switch {
			case force && r.code != 422:
				// The server rejects force in other patches (apimachinery, meta/v1/validation,
				// ValidatePatchOptions).
				r.flags |= flagApply
			case len(q.Manager) == 0:
				// An apply must name a field manager.
			case e.HasBodies():
				if gv, kind := e.RequestKind(); !gv.IsZero() && !kind.IsZero() {
					r.flags |= flagApply
				}
			default:
				r.flags |= flagMaybeApply
			}
		}
	}
	if e.DryRun || r.verb >= VerbDelete && r.flags&flagDryRun == 0 && e.HasBodies() && e.RequestDryRun() {
		r.flags |= flagDryRun
	}
	if r.verb.manages() && r.code >= 200 && r.code < 300 && r.flags&flagDryRun == 0 {
		r.before = e.Ref.ResourceVersion.Uint()
		if e.Level == auditlog.LevelRequestResponse && e.HasBodies() {
			r.version = e.ResponseVersion()
		}
	}
}

// api returns the API of a reference.
func (w *worker) api(ref *auditlog.Ref) *API {
	k := w.key[:0]
	k = append(ref.Group.AppendTo(k), '/')
	k = append(ref.Version.AppendTo(k), '/')
	k = append(ref.Resource.AppendTo(k), '/')
	k = ref.Subresource.AppendTo(k)
	w.key = k
	if a := w.apis[string(k)]; a != nil {
		return a
	}
	a := &API{
		Group: clip(ref.Group.String(), 253), Version: clip(ref.Version.String(), 63),
		Resource: clip(ref.Resource.String(), 253), Subresource: clip(ref.Subresource.String(), 253),
	}
	a.Known = lookup(a.Group, a.Version, a.Resource)
	a.old = w.t.isOld(a)
	if w.apis == nil || len(w.apis) >= maxInterned {
		w.apis = map[string]*API{}
	}
	w.apis[string(k)] = a
	return a
}

func (w *worker) manager(name []byte) *string {
	if m := w.managers[string(name)]; m != nil {
		return m
	}
	s := clip(string(name), 128)
	if w.managers == nil || len(w.managers) >= maxInterned {
		w.managers = map[string]*string{}
	}
	w.managers[s] = &s
	return &s
}

// identify sets the fingerprint of an event. If the request can have other
// events, it also sets the fingerprint of the request. A client can choose the
// audit ID with the header Audit-ID, so fingerprints have more than this ID.
// Otherwise all requests of a client that always sends the same ID would count
// as one.
func (w *worker) identify(e *auditlog.Event, r *record) {
	w.buf = w.buf[:0]
	h := fingerprint.Add(w.t.seed, e.AuditID.Bytes(w.buf))
	stamp := e.Stamp
	if stamp.IsZero() {
		stamp = e.Received
	}
	r.id = fingerprint.Add(h+uint64(e.Stage), stamp.Bytes(w.buf))
	if r.lasting() || r.passedOn() {
		h = fingerprint.Add(h, e.Verb.Bytes(w.buf))
		r.request = fingerprint.Add(h, e.URI.Bytes(w.buf))
	}
}

// lasting reports whether the request can have other events, such as one for
// the beginning of its response.
func (r *record) lasting() bool {
	return r.stage != auditlog.StageResponseComplete || r.verb == VerbWatch || r.verb == VerbOther || r.api.Subresource != "" ||
		r.code == 101 || r.code >= 500
}

// longRunning reports whether a request can continue after its response began.
// For such a request, the server logs an event at the beginning of the
// response, which can be in another log than the last event. The verbs and
// subresources come from the configuration of the server (k8s.io/kubernetes,
// pkg/controlplane/apiserver).
func (r *record) longRunning() bool {
	switch r.api.Subresource {
	case "attach", "exec", "log", "portforward", "proxy":
		return true
	}
	return r.verb == VerbWatch || r.verb == VerbOther || r.api.Known.IsZero() || r.code >= 500 || r.code == 101
}

// passedOn reports whether another server may also log the request. This is
// possible for resources of aggregated APIs.
func (r *record) passedOn() bool { return r.api.Known.IsZero() && r.api.Resource != "" }

// object returns the fingerprint of an object. An object has the same
// fingerprint in all API versions.
func (w *worker) object(e *auditlog.Event, a *API) uint64 {
	w.buf = w.buf[:0]
	h := mixString(mixString(w.t.seed, a.Group), a.Resource)
	h = fingerprint.Add(h, e.Ref.Namespace.Bytes(w.buf))
	h = fingerprint.Add(h, e.Ref.Name.Bytes(w.buf))
	return h | 1
}

// Part returns the records since the last call.
func (w *worker) Part() Part {
	p := w.part
	w.part = Part{records: w.t.spare()}
	return p
}

// mixString adds a string to a fingerprint and returns the result.
func mixString(h uint64, s string) uint64 {
	for len(s) >= 8 {
		h = (h ^ (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)) * 0xbf58476d1ce4e5b9
		h ^= h >> 31
		s = s[8:]
	}
	var tail uint64
	for i := range len(s) {
		tail |= uint64(s[i]) << (8 * i)
	}
	h = (h ^ tail ^ uint64(len(s))<<56) * 0x94d049bb133111eb
	return h ^ h>>29
}
