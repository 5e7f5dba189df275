package lifecycle

import "sync"

// State says how a kube-apiserver treats an API.
type State uint8

// The states. The zero value is Unknown.
const (
	// Unknown means that Kubernetes never had the API. It belongs to a custom
	// resource or does not exist.
	Unknown State = iota
	// NotYet means that only a later minor has the API.
	NotYet
	// Disabled means that the minor has the API, but neither its defaults nor the
	// target's settings serve it. --runtime-config or a feature gate can enable
	// it.
	Disabled
	// Served means that the server accepts requests.
	Served
	// Removed means that the minor no longer has the API and no setting enables it.
	Removed
)

// String returns the name of the state for reports.
func (s State) String() string {
	switch s {
	case NotYet:
		return "not yet"
	case Disabled:
		return "disabled"
	case Served:
		return "served"
	case Removed:
		return "removed"
	}
	return "unknown"
}

// State returns how a server of minor m with the target's settings treats the
// API. m must be a known minor; it may be outside of the target's range. The zero
// Target means default settings. --emulated-version is not supported.
//
// Source: k8s.io/apiserver: the resource configuration (pkg/server/storage), the
// feature gates in the storage providers in pkg/registry, and the removal of
// kinds by their lifecycle methods (pkg/server/deleted_kinds.go).
func (a API) State(m Minor, t Target) State {
	r := a.servedRecord()
	switch {
	case r.groupVersion == "":
		return Unknown
	case r.servable.Has(m):
		if t.serves(r, m) {
			return Served
		}
		return Disabled
	case m < r.servable.Oldest():
		return NotYet
	}
	return Removed
}

// Servable returns the known minors that have the API, even if it is off by
// default.
func (a API) Servable() Minors { return a.servedRecord().servable }

// ServedMinors returns the minors of the target's range that serve the API.
func (a API) ServedMinors(t Target) Minors { return a.minorsIn(t, Served) }

// DisabledMinors returns the minors of the target's range that have the API but
// do not serve it.
func (a API) DisabledMinors(t Target) Minors { return a.minorsIn(t, Disabled) }

// RemovedMinors returns the minors of the target's range that no longer have the API.
func (a API) RemovedMinors(t Target) Minors { return a.minorsIn(t, Removed) }

// NotYetMinors returns the minors of the target's range that do not have the API yet.
func (a API) NotYetMinors(t Target) Minors { return a.minorsIn(t, NotYet) }

func (a API) minorsIn(t Target, want State) Minors {
	in := t.Minors()
	for rest := in; rest != 0; { // an iterator would allocate memory
		m := rest.Oldest()
		if rest &^= 1 << m; a.State(m, t) != want {
			in &^= 1 << m
		}
	}
	return in
}

// DisabledBy returns the feature gate that is off and therefore disables the API
// at minor m. It returns "" if the runtime configuration disables the API,
// because the server checks the runtime configuration first.
func (a API) DisabledBy(m Minor, t Target) (gate string) {
	r := a.servedRecord()
	if !t.enabled(r, m) {
		return ""
	}
	for _, g := range r.gated {
		if g.minors.Has(m) && !t.GateEnabled(g.gate, m) {
			return g.gate
		}
	}
	return ""
}

// serves reports whether the target's settings enable an API that the minor has.
func (t Target) serves(r *record, m Minor) bool {
	if !t.enabled(r, m) {
		return false
	}
	for _, g := range r.gated {
		if g.minors.Has(m) && !t.GateEnabled(g.gate, m) {
			return false
		}
	}
	return true
}

// IsGroup reports whether a known minor has an API in the group. A kind of such a
// group that Lookup does not find is misspelt, or is in a release that kubevet
// does not know.
func IsGroup(group string) bool {
	for i := range apis {
		if (API{&apis[i]}).Group() == group {
			return true
		}
	}
	return false
}

// resourcesOf returns the resources by group.
var resourcesOf = sync.OnceValue(func() map[string][]*record {
	all := map[string][]*record{}
	for i := range apis {
		if r := &apis[i]; r.class == Resource {
			group := API{r}.Group()
			all[group] = append(all[group], r)
		}
	}
	return all
})

// GroupServed reports whether a server of minor m with the target's settings
// serves any resource of the group.
func GroupServed(group string, m Minor, t Target) bool {
	for _, r := range resourcesOf()[group] {
		if r.servable.Has(m) && t.serves(r, m) {
			return true
		}
	}
	return false
}

// The texts of an answer with code 404.
const (
	textNoGroup    = "404 page not found"
	textNoResource = "the server could not find the requested resource"
)

// NotFoundText returns the message of the 404 answer to a request for an API that
// the server does not serve. It returns "" if the server of minor m with the
// target's settings serves the API.
//
// The message depends only on the group. For a group with a served API, the
// server installs a handler at /apis/<group>, and the go-restful container
// answers with a Status. For other groups, the mux answers with plain text.
// Source: k8s.io/apiserver/pkg/endpoints/discovery/group.go.
func NotFoundText(a API, m Minor, t Target) string {
	switch {
	case a.r == nil || a.State(m, t) == Served:
		return ""
	case a.Group() == "" || GroupServed(a.Group(), m, t):
		return textNoResource
	}
	return textNoGroup
}
