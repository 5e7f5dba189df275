package tally

import (
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// API is a resource in one version, as it is in the path of requests.
type API struct {
	Group, Version, Resource, Subresource string
	// Known is the history of the API. It is the zero API for custom resources
	// and for unknown paths.
	Known lifecycle.API

	id  uint32 // number of the API in the tally; 0 before it has one
	old bool   // the target has removed or deprecated it
}

// GroupVersion returns the group and version, such as apps/v1.
func (a *API) GroupVersion() string {
	if a.Group == "" {
		return a.Version
	}
	return a.Group + "/" + a.Version
}

// String returns a text such as "apps/v1 deployments/scale".
func (a *API) String() string {
	s := a.GroupVersion() + " " + a.Resource
	if a.Subresource != "" {
		s += "/" + a.Subresource
	}
	return s
}

// Removed returns the release that removes the API; "" if no removal is
// planned. The newest server that still has the API names this release in its
// warnings.
func (a *API) Removed() string {
	if m := a.Known.Removed(); m != 0 {
		return m.String()
	}
	return ""
}

// byResource has the APIs of Kubernetes by group, version and resource, as in a
// path.
var byResource = sync.OnceValue(func() map[string]lifecycle.API {
	m := map[string]lifecycle.API{}
	for a := range lifecycle.All() {
		if a.Class() != lifecycle.Resource {
			continue
		}
		m[a.GroupVersion()+"/"+a.Resource()] = a
	}
	return m
})

// lookup returns the history of the API in a path; the zero API if it is
// unknown.
func lookup(group, version, resource string) lifecycle.API {
	gv := version
	if group != "" {
		gv = group + "/" + version
	}
	return byResource()[gv+"/"+strings.ToLower(resource)]
}

// verdict says in which minors of the target an API is removed or deprecated.
type verdict struct {
	// removed are the minors without the API. deprecated are the minors that
	// deprecate it.
	removed, deprecated lifecycle.Minors
}

func judge(a lifecycle.API, t lifecycle.Target) (v verdict) {
	if a.IsZero() {
		return v
	}
	v.removed = a.RemovedMinors(t)
	for m := range a.ServedMinors(t).All() {
		if a.IsDeprecated(m) {
			v.deprecated = v.deprecated.With(m)
		}
	}
	return v
}

// verbs has the names of verbs in the order in which reports show them.
var verbs = [...]string{"", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// Verb is the verb of a request. The zero value is the verb of a request that
// is not about resources.
type Verb uint8

// These are the verbs of requests for resources.
const (
	VerbOther Verb = iota
	VerbGet
	VerbList
	VerbWatch
	VerbCreate
	VerbUpdate
	VerbPatch
	VerbDelete
	VerbDeleteCollection
)

// String returns the verb as in audit logs, or "other".
func (v Verb) String() string {
	if v == VerbOther || int(v) >= len(verbs) {
		return "other"
	}
	return verbs[v]
}

func parseVerb(b []byte) Verb {
	if i := slices.IndexFunc(verbs[1:], func(s string) bool { return s == string(b) }); i >= 0 {
		return Verb(i + 1)
	}
	return VerbOther
}

// writes reports whether requests with a verb write.
func (v Verb) writes() bool { return v >= VerbCreate }

// manages reports whether the server records a field manager for requests with
// this verb.
func (v Verb) manages() bool { return v >= VerbCreate && v <= VerbPatch }
