package lifecycle

import "sync"

// State says what a kube-apiserver does with an API.
type State uint8

// The states. The zero value is that of an unknown API.
const (
	// Unknown means that the API is none of Kubernetes' own: that of a custom
	// resource, or one that does not exist.
	Unknown State = iota
	// NotYet means that the minor does not have the API, a later one does.
	NotYet
	// Disabled means that the minor has the API and the target's settings
	// (or the defaults) do not serve it: --runtime-config or a feature gate
	// would turn it on.
	Disabled
	// Served means that requests are accepted.
	Served
	// Removed means that the minor does not have the API any more and nothing
	// turns it on.
	Removed
)

// String gives the name that reports use.
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

// State says what the target's server of minor m does with the API. m is one
// of the known minors; the target's range does not matter, its gates and
// runtime configuration do. The zero Target stands for defaults.
//
// It re-states what decides the same in k8s.io/apiserver: the resource
// configuration (pkg/server/storage), the feature gates that pkg/registry's
// storage providers ask, and the removal of kinds by their lifecycle methods
// (pkg/server/deleted_kinds.go). --emulated-version is out of scope.
func (a API) State(m Minor, t Target) State {
	r := a.served()
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

// Servable are the known minors that have the API, enabled or not.
func (a API) Servable() Minors { return a.served().servable }

// ServedMinors are those minors of the target's range that serve the API.
func (a API) ServedMinors(t Target) Minors { return a.minorsIn(t, Served) }

// DisabledMinors are those minors of the target's range that have the API
// and do not serve it.
func (a API) DisabledMinors(t Target) Minors { return a.minorsIn(t, Disabled) }

// RemovedMinors are those minors of the target's range that do not have the
// API any more.
func (a API) RemovedMinors(t Target) Minors { return a.minorsIn(t, Removed) }

// NotYetMinors are those minors of the target's range that do not have the
// API yet.
func (a API) NotYetMinors(t Target) Minors { return a.minorsIn(t, NotYet) }

func (a API) minorsIn(t Target, want State) Minors {
	in := t.Minors()
	for rest := in; rest != 0; { // an iterator would be allocated
		m := rest.Oldest()
		if rest &^= 1 << m; a.State(m, t) != want {
			in &^= 1 << m
		}
	}
	return in
}

// DisabledBy says why an API is Disabled at a minor: the feature gate that is
// off, or "" where the API's version is off in the runtime configuration
// (both may be needed; the runtime configuration is asked first).
func (a API) DisabledBy(m Minor, t Target) (gate string) {
	r := a.served()
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

// serves reports whether a servable API is on.
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

// IsGroup reports whether some known minor has an API of the group: whether
// a kind that Lookup does not find in it can only be a mistake or a release
// that is not covered.
func IsGroup(group string) bool {
	for i := range apis {
		if (API{&apis[i]}).Group() == group {
			return true
		}
	}
	return false
}

// resourcesOf are the resources of each group.
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

// GroupServed reports whether the target's server of minor m serves anything
// in the group.
func GroupServed(group string, m Minor, t Target) bool {
	for _, r := range resourcesOf()[group] {
		if r.servable.Has(m) && t.serves(r, m) {
			return true
		}
	}
	return false
}

// The two bodies of a 404 answer.
const (
	textNoGroup    = "404 page not found"
	textNoResource = "the server could not find the requested resource"
)

// NotFoundText is the message of the 404 answer to a request for an API that
// the target's server of minor m does not serve, and "" if it serves it.
//
// The server knows a path by the group alone: it installs a handler at
// /apis/<group> for each group that it serves anything of
// (k8s.io/apiserver/pkg/endpoints/discovery/group.go), and the go-restful
// container behind it answers for whatever is missing in the group, with a
// Status. Outside, nothing but the mux is left, with its plain text.
func NotFoundText(a API, m Minor, t Target) string {
	switch {
	case a.r == nil || a.State(m, t) == Served:
		return ""
	case a.Group() == "" || GroupServed(a.Group(), m, t):
		return textNoResource
	}
	return textNoGroup
}
