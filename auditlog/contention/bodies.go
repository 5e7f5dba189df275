package contention

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
)

// read reads the effect of a write from the bodies and annotations of an event.
func (w *worker) read(e *auditlog.Event, r *write) {
	o := &r.obs
	if o.how != HowDelete && e.HasBodies() {
		switch {
		case o.how == HowCreate:
			// Nothing can be reverted in a new object, and there can be many
			// new objects. Only the version is needed.
			if e.Level == auditlog.LevelRequestResponse {
				o.version = e.ResponseVersion()
			}
			o.kind = kindCreated
		case !w.answered(e, r):
			w.sent(e, r)
		}
	}
	if e.AnnotationsHold([]byte(`\"mutated\":true`)) {
		w.walk.doc, w.walk.docPatch = patched(e, o.how)
		r.hooks = w.hooks(e)
		w.walk.doc = nil
		for i := range r.hooks {
			// A webhook that adds containers to all pods would use much memory.
			if s := r.hooks[i].state; s != nil && o.how == HowCreate && len(s.leaves) > maxInjected {
				r.hooks[i].state = nil
			}
		}
		w.sentToHooks(e, r)
	}
}

// patched returns an object with the list items at the indices that the patches
// of webhooks use: the object in the response, or else the body of the request;
// nil if there is none. strategic is set if the body may be a strategic merge
// patch, whose lists lack the unchanged items. Custom resources have no such
// patches. The lists in their merge patches are complete.
func patched(e *auditlog.Event, how How) (object []byte, strategic bool) {
	request, response := e.Bodies()
	if e.Level == auditlog.LevelRequestResponse {
		return response, false
	}
	switch how {
	case HowCreate, HowUpdate, HowApply, HowForcedApply:
		return request, false
	case HowMergePatch:
		return request, builtIn(e.Ref.Group.String())
	}
	return nil, false
}

// sentToHooks reads the values that fields had in the request before webhooks
// changed them.
func (w *worker) sentToHooks(e *auditlog.Event, r *write) {
	switch {
	case !e.HasBodies() || !slices.ContainsFunc(r.hooks, func(h hookWrite) bool { return h.state != nil }):
		return
	case r.obs.how != HowUpdate && r.obs.how != HowApply && r.obs.how != HowForcedApply && r.obs.how != HowMergePatch:
		return
	}
	body, _ := e.Bodies()
	if !w.walk.object(body, r.obs.how == HowMergePatch) {
		return
	}
	sent := map[uint64]uint64{}
	for i := range r.hooks {
		if s := r.hooks[i].state; s != nil {
			for _, l := range s.leaves {
				sent[l.path] = 0
			}
		}
	}
	for i, l := range w.walk.leaves {
		if _, changed := sent[l.path]; changed {
			sent[l.path] = l.value
		} else {
			w.walk.spans[i] = span{}
		}
	}
	w.keepTexts()
	for i := range r.hooks {
		if s := r.hooks[i].state; s != nil {
			for _, l := range s.leaves {
				r.hooks[i].sent = append(r.hooks[i].sent, leaf{l.path, sent[l.path]})
			}
		}
	}
}

// keepTexts passes the texts of the last values to the collector.
func (w *worker) keepTexts() {
	if !w.redact {
		w.part.texts = w.walk.texts(w.part.texts)
	}
}

// answered reads the object in the response. It returns false if there is none.
func (w *worker) answered(e *auditlog.Event, r *write) bool {
	if e.Level != auditlog.LevelRequestResponse {
		return false
	}
	o := &r.obs
	request, response := e.Bodies()
	w.walk.scale = o.how == HowScale
	defer func() { w.walk.scale = false }()
	if !w.walk.object(response, false) {
		return false
	}
	o.version = w.walk.version
	o.kind = kindFull
	if o.how == HowScale {
		o.kind = kindStated
	}
	r.state = w.state(func() bool { return w.walk.object(response, false) })
	w.keepTexts()
	if o.how == HowApply || o.how == HowForcedApply {
		r.left = leftovers(response, r.writer.Manager)
		if fetched(request) {
			o.flags |= flagFetched
		}
	}
	return true
}

// sent reads the request's body, for events without a response.
func (w *worker) sent(e *auditlog.Event, r *write) {
	body, _ := e.Bodies()
	w.walk.scale = r.obs.how == HowScale && e.Verb.Is("update")
	w.walk.applies = r.obs.how == HowApply || r.obs.how == HowForcedApply
	defer func() { w.walk.scale, w.walk.applies = false, false }()
	var read func() bool
	switch r.obs.how {
	case HowUpdate:
		read = func() bool { return w.walk.object(body, false) }
		r.obs.kind = kindSent
	case HowApply, HowForcedApply:
		if fetched(body) {
			r.obs.flags |= flagFetched
		}
		fallthrough
	case HowScale:
		read = func() bool { return w.walk.object(body, false) }
		r.obs.kind = kindStated
	case HowMergePatch:
		read = func() bool { return w.walk.object(body, true) }
		r.obs.kind = kindStated
	case HowJSONPatch:
		read = func() bool { return w.walk.operations(body) }
		r.obs.kind = kindStated
	}
	if read == nil || !read() {
		r.obs.kind = kindNone
		return
	}
	r.state = w.state(read)
	w.keepTexts()
}

// state returns the leaves (the fields and their values) of the object that the
// walker read last. Equal states have the same leafSet. If the leafSet is new,
// state calls read, which reads the object again for the texts of the paths.
func (w *worker) state(read func() bool) *leafSet {
	h := stateHash(w.walk.leaves)
	if s := w.states[h]; s != nil {
		return s
	}
	s := w.walk.set()
	for _, l := range s.leaves {
		if _, known := w.known[l.path]; known {
			continue
		}
		w.walk.name = w.name
		read()
		w.walk.name = nil
		break
	}
	if len(w.states) >= maxCached {
		clear(w.states)
	}
	w.states[h] = s
	return s
}

// maxKnown is the largest number of paths that a worker remembers after it
// passed their texts to the collector.
const maxKnown = 1 << 17

// name passes the text of a path to the collector.
func (w *worker) name(path uint64, text func() string, atomic bool) {
	if _, known := w.known[path]; known {
		return
	}
	if len(w.known) >= maxKnown {
		clear(w.known)
	}
	w.known[path] = struct{}{}
	w.part.paths = append(w.part.paths, pathInfo{path, text(), atomic})
}

const (
	mutation = "mutation.webhook.admission.k8s.io/"
	patchOf  = "patch.webhook.admission.k8s.io/"
)

// maxInjected is the largest number of fields that are recorded if one webhook
// adds them to a new object. If it adds more, none of them are recorded.
const maxInjected = 16

// maxHooks is the largest number of webhooks that are recorded for one write.
const maxHooks = 16

// hooks reads the annotations of mutating webhooks (k8s.io/apiserver,
// pkg/admission/plugin/webhook/mutating/dispatcher.go). They name the webhooks
// that changed the object. At level Request and higher, they also have the
// patches of the webhooks.
func (w *worker) hooks(e *auditlog.Event) (out []hookWrite) {
	var patches []string
	e.Annotations(func(key, value auditlog.Text) bool {
		k := key.String()
		isPatch := strings.HasPrefix(k, patchOf)
		if !isPatch && !strings.HasPrefix(k, mutation) {
			return true
		}
		var v struct {
			Configuration, Webhook string
			Mutated                bool
			Patch                  json.RawMessage
		}
		if json.Unmarshal([]byte(value.String()), &v) != nil {
			return true
		}
		h := Writer{User: clip(v.Configuration), Agent: clip(v.Webhook), Webhook: true}
		at := -1
		for i := range out {
			if out[i].hook == h {
				at = i
			}
		}
		if at < 0 {
			if !isPatch && !v.Mutated || len(out) == maxHooks {
				return true
			}
			at = len(out)
			out = append(out, hookWrite{hook: h})
			patches = append(patches, "")
		}
		if isPatch && len(v.Patch) > 0 {
			body := []byte(v.Patch)
			if read := func() bool { return w.walk.operations(body) }; read() {
				out[at].state = w.state(read)
				w.keepTexts()
			}
		}
		return true
	})
	return out
}

// leftovers returns an entry of managedFields that is older than the first
// server-side apply of a program; nil if there is none. Either an update of the
// program made the entry, or the server made it at the first apply. response
// begins with the object after the apply.
func leftovers(response []byte, manager string) *leftover {
	names := earlierManagers(manager)
	if !mayHaveLeftovers(response, names) {
		return nil
	}
	var body struct {
		Metadata struct {
			ManagedFields []struct {
				Manager, Operation, Subresource string
				FieldsV1                        json.RawMessage
			}
		}
	}
	if json.NewDecoder(bytes.NewReader(response)).Decode(&body) != nil {
		return nil
	}
	for _, f := range body.Metadata.ManagedFields {
		if f.Operation != "Update" || f.Subresource != "" {
			continue
		}
		for _, name := range names {
			if f.Manager != name {
				continue
			}
			l := &leftover{manager: manager, update: name}
			for _, p := range ownedFields(f.FieldsV1) {
				if len(l.fields) == maxFields {
					l.more++
					continue
				}
				l.fields = append(l.fields, p)
			}
			if len(l.fields) > 0 {
				return l
			}
		}
	}
	return nil
}

// mayHaveLeftovers reports whether an object may have entries for updates by
// these managers. It does not parse the object, but counts the names of the
// managers. The first manager also has one entry for its apply.
func mayHaveLeftovers(object []byte, names []string) bool {
	if !bytes.Contains(object, []byte(`"Update"`)) {
		return false
	}
	for i, name := range names {
		quoted, err := json.Marshal(name)
		if err != nil {
			continue
		}
		n, most := 0, 1
		if i > 0 {
			most = 0
		}
		for rest := object; n <= most; n++ {
			_, after, found := bytes.Cut(rest, quoted)
			if !found {
				break
			}
			rest = after
		}
		if n > most {
			return true
		}
	}
	return false
}

// earlierManagers returns the field managers under which a program may have
// written before its first server-side apply (apimachinery,
// pkg/util/managedfields, and kubectl, pkg/cmd/apply):
//
//   - manager, which is the manager of its applies
//   - the manager of kubectl's client-side apply
//   - the manager of writes from before managed fields existed
func earlierManagers(manager string) []string {
	out := []string{manager, "before-first-apply"}
	if manager == "kubectl" {
		out = append(out, "kubectl-client-side-apply")
	}
	return out
}

// fetched reports whether an apply sends an object that was read from the
// server. Such an object has fields that only the server writes.
func fetched(request []byte) bool {
	var body struct {
		Metadata struct {
			UID, ResourceVersion, CreationTimestamp string
			Generation                              int64
		}
	}
	if !bytes.Contains(request, []byte(`"uid":"`)) && !bytes.Contains(request, []byte(`"resourceVersion":"`)) && !bytes.Contains(request, []byte(`"creationTimestamp":"`)) {
		return false
	}
	if json.Unmarshal(request, &body) != nil {
		return false
	}
	m := &body.Metadata
	return m.UID != "" || m.ResourceVersion != "" || m.CreationTimestamp != "" || m.Generation != 0
}
