package lifecycle

import (
	"iter"
	"strings"
)

// Class is the way in which a kind appears in the API. The zero value is not a class.
type Class uint8

// The classes.
const (
	// Resource is a kind whose objects have their own path.
	Resource Class = iota + 1
	// List is a kind whose objects are lists of another kind, such as
	// DeploymentList. It is served together with that kind and never has
	// warnings.
	List
	// Subresource is a kind that is accepted only at paths below other objects,
	// such as Scale or Eviction.
	Subresource
)

// String returns the name in lower case, or "" for the zero value.
func (c Class) String() string {
	switch c {
	case Resource:
		return "resource"
	case List:
		return "list"
	case Subresource:
		return "subresource"
	}
	return ""
}

// API is one kind in one version of a group, which some Kubernetes release serves
// or served. The methods of the zero API return zero values. APIs are comparable
// with ==.
type API struct{ r *record }

// record is a line of the generated table of APIs. Indices into the table count
// from 1, and 0 means absent.
type record struct {
	groupVersion, kind string
	// resource is the lower-case plural in the path. For a subresource kind, it
	// is the rest of the path, such as pods/eviction.
	resource   string
	class      Class
	namespaced bool
	// item is the index of the kind of a list's items.
	item uint16
	// successor is the index of the replacement at the newest minor.
	successor  uint16
	introduced Minor
	// servable are the minors that have the kind. enabled are the minors that
	// serve it by default.
	servable, enabled Minors
	// gated are the feature gates that must be on, too.
	gated []gatedIn
	// history has the values of the lifecycle methods, oldest first. A value is
	// valid until the next one begins.
	history []historySpan
	// warnings are the texts of the server, at most one for each minor.
	warnings []warningSpan
}

type gatedIn struct {
	minors Minors
	gate   string
}

type historySpan struct {
	from                Minor
	deprecated, removed Minor
	replacement         uint16
}

type warningSpan struct {
	minors Minors
	text   string
}

var zeroRecord record

func (a API) rec() *record {
	if a.r == nil {
		return &zeroRecord
	}
	return a.r
}

// servedRecord returns the record that decides whether a kind is served. For a
// list kind, it is the record of the items' kind.
func (a API) servedRecord() *record {
	r := a.rec()
	if r.item != 0 {
		return &apis[r.item-1]
	}
	return r
}

// apiAt returns the API at an index into the table. ok is false for index 0.
func apiAt(i uint16) (_ API, ok bool) {
	if i == 0 {
		return API{}, false
	}
	return API{&apis[i-1]}, true
}

// All yields every known API, sorted by apiVersion and kind.
func All() iter.Seq[API] {
	return func(yield func(API) bool) {
		for i := range apis {
			if !yield(API{&apis[i]}) {
				return
			}
		}
	}
}

// Lookup returns an API by group, version and kind. The core group is "". ok is
// false if no release has the API.
func Lookup(group, version, kind string) (_ API, ok bool) {
	if group == "" {
		return LookupGV(version, kind)
	}
	return LookupGV(group+"/"+version, kind)
}

// maxKind is longer than the name of any kind. LookupGV does not look up longer
// texts.
const maxKind = 100

// LookupGV returns an API by the apiVersion ("apps/v1", "v1") and the kind of a
// manifest. ok is false if no release has the API. It does not allocate memory.
func LookupGV[S string | []byte](apiVersion, kind S) (_ API, ok bool) {
	if len(kind) > maxKind {
		return API{}, false
	}
	bucket := kindBucket(kind)
	for _, i := range byKind[kindStart[bucket]:kindStart[bucket+1]] {
		if r := &apis[i]; r.kind == string(kind) && r.groupVersion == string(apiVersion) {
			return API{r}, true
		}
	}
	return API{}, false
}

// kindBucket returns the index of a kind in kindStart: the upper bits of its
// FNV-1a hash. The generator of the tables has the same function.
func kindBucket[S string | []byte](kind S) uint32 {
	h := uint32(2166136261)
	for i := range len(kind) {
		h = (h ^ uint32(kind[i])) * 16777619
	}
	return h >> (32 - kindBits)
}

// IsZero reports whether a is the zero API.
func (a API) IsZero() bool { return a.r == nil }

// GroupVersion returns the apiVersion, such as "apps/v1" or "v1".
func (a API) GroupVersion() string { return a.rec().groupVersion }

// Group returns the API group, "" for core.
func (a API) Group() string { return groupOf(a.rec().groupVersion) }

func groupOf(groupVersion string) string {
	return groupVersion[:max(strings.IndexByte(groupVersion, '/'), 0)]
}

// Version returns the version in the group, such as "v1beta1".
func (a API) Version() string {
	gv := a.rec().groupVersion
	return gv[strings.IndexByte(gv, '/')+1:]
}

// Kind returns the kind, such as "Deployment".
func (a API) Kind() string { return a.rec().kind }

// String returns apiVersion and kind as the server's texts do, such as "apps/v1
// Deployment" or "v1 Endpoints". It returns "" for the zero API.
func (a API) String() string {
	if a.r == nil {
		return ""
	}
	return a.r.groupVersion + " " + a.r.kind
}

// Resource returns the lower-case plural in the API's path, such as
// "deployments". For a list kind, it is the plural of the items' kind. For a
// subresource kind, it is one path that accepts the kind, such as
// "pods/eviction".
func (a API) Resource() string { return a.servedRecord().resource }

// Namespaced reports whether objects of the kind are in namespaces.
func (a API) Namespaced() bool { return a.servedRecord().namespaced }

// Class returns the way in which the kind appears in the API.
func (a API) Class() Class { return a.rec().class }

// Item returns the kind of a list's items. For other kinds it returns the zero
// API.
func (a API) Item() API {
	item, _ := apiAt(a.rec().item)
	return item
}
