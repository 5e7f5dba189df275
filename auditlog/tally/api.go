package tally

import (
	"slices"
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// API is one resource in one version, as requests name it.
type API struct {
	Group, Version, Resource, Subresource string
	// Known is its history; the zero API for custom resources and for unknown paths.
	Known lifecycle.API

	id  uint32 // given in order; 0 before
	old bool   // the target has removed or deprecated it
}

// GroupVersion is the apiVersion.
func (a *API) GroupVersion() string {
	if a.Group == "" {
		return a.Version
	}
	return a.Group + "/" + a.Version
}

// String returns "apps/v1 deployments/scale".
func (a *API) String() string {
	s := a.GroupVersion() + " " + a.Resource
	if a.Subresource != "" {
		s += "/" + a.Subresource
	}
	return s
}

// Removed returns the release that removes the API, as in the warning of the
// newest server that has it; "" if no removal is planned.
func (a *API) Removed() string {
	if m := a.Known.Removed(); m != 0 {
		return m.String()
	}
	return ""
}

// byResource finds an API by the names in a path.
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

// lookup finds the history of the API that a path names.
func lookup(group, version, resource string) lifecycle.API {
	gv := version
	if group != "" {
		gv = group + "/" + version
	}
	return byResource()[gv+"/"+strings.ToLower(resource)]
}

// verdict is the target's verdict on an API.
type verdict struct {
	// removed and deprecated are the minors of the target that removed or deprecated the API.
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

// verbs in the order in which reports name them.
var verbs = [...]string{"", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// Verb is a request's verb. The zero value is any other verb: that of a request that is not about
// resources.
type Verb uint8

// The verbs.
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

// manages reports whether a verb records a field manager.
func (v Verb) manages() bool { return v >= VerbCreate && v <= VerbPatch }
