package lifecycle

import (
	"iter"
	"strings"
)

// Class says how a kind appears in the API.
type Class uint8

// The classes. The zero value is none.
const (
	// Resource is a kind whose objects have a path of their own.
	Resource Class = iota + 1
	// List is a kind that holds objects of another one, such as
	// DeploymentList. It is served where they are and never warned about.
	List
	// Subresource is a kind that only paths below other objects accept, such
	// as Scale or Eviction.
	Subresource
)

// String gives the lower-case name, and "" for none.
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

// API is one kind in one version of a group that some Kubernetes release
// serves or served. The zero value is none: all its methods return zero
// values. APIs are comparable; equal ones are the same.
type API struct{ r *record }

// record is a line of the generated table. Indices into the table are one
// more than the place, so that zero is none.
type record struct {
	groupVersion, kind string
	// resource is the lower-case plural in the path; of a subresource kind,
	// the path from there on, such as pods/eviction.
	resource   string
	class      Class
	namespaced bool
	// item is the kind of a list's items.
	item uint16
	// successor is what to use instead at the newest minor.
	successor  uint16
	introduced Minor
	// servable are the minors that have the kind at all, enabled those among
	// them where the server's default configuration has it on.
	servable, enabled Minors
	// gated says where its installation asks feature gates besides.
	gated []gatedIn
	// history are the values of the lifecycle methods, oldest first, each
	// valid until the next.
	history []historySpan
	// warnings are the texts of the server, at most one per minor.
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

// none is what the zero API stands for.
var none record

func (a API) rec() *record {
	if a.r == nil {
		return &none
	}
	return a.r
}

// served is the record that decides whether a kind is served: a list's items'.
func (a API) served() *record {
	r := a.rec()
	if r.item != 0 {
		return &apis[r.item-1]
	}
	return r
}

// at returns the API with a one-based index.
func at(i uint16) (API, bool) {
	if i == 0 {
		return API{}, false
	}
	return API{&apis[i-1]}, true
}

// All yields every known API, in the order of apiVersion and kind.
func All() iter.Seq[API] {
	return func(yield func(API) bool) {
		for i := range apis {
			if !yield(API{&apis[i]}) {
				return
			}
		}
	}
}

// Lookup finds an API by group ("" for core), version and kind.
func Lookup(group, version, kind string) (API, bool) {
	if group == "" {
		return LookupGV(version, kind)
	}
	return LookupGV(group+"/"+version, kind)
}

// maxKind is longer than any kind's name: longer ones are not even hashed.
const maxKind = 100

// LookupGV finds an API by apiVersion ("apps/v1", "v1") and kind as a
// manifest has them, exactly as written. It does not allocate.
func LookupGV[S string | []byte](apiVersion, kind S) (API, bool) {
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

// kindBucket is the place of a kind in kindStart: the upper bits of its
// FNV-1a hash. The generator has the same function.
func kindBucket[S string | []byte](kind S) uint32 {
	h := uint32(2166136261)
	for i := range len(kind) {
		h = (h ^ uint32(kind[i])) * 16777619
	}
	return h >> (32 - kindBits)
}

// IsZero reports whether a is none.
func (a API) IsZero() bool { return a.r == nil }

// GroupVersion is the apiVersion, such as "apps/v1" or "v1".
func (a API) GroupVersion() string { return a.rec().groupVersion }

// Group is the API group, "" for core.
func (a API) Group() string { return groupOf(a.rec().groupVersion) }

func groupOf(groupVersion string) string {
	return groupVersion[:max(strings.IndexByte(groupVersion, '/'), 0)]
}

// Version is the version in the group, such as "v1beta1".
func (a API) Version() string {
	gv := a.rec().groupVersion
	return gv[strings.IndexByte(gv, '/')+1:]
}

// Kind is the kind, such as "Deployment".
func (a API) Kind() string { return a.rec().kind }

// String gives apiVersion and kind as the server's texts do, such as
// "apps/v1 Deployment" or "v1 Endpoints"; "" for none.
func (a API) String() string {
	if a.r == nil {
		return ""
	}
	return a.r.groupVersion + " " + a.r.kind
}

// Resource is the lower-case plural in the API's path, such as
// "deployments"; of a list that of its items; of a subresource's kind one
// path that accepts it, such as "pods/eviction".
func (a API) Resource() string { return a.served().resource }

// Namespaced reports whether objects live in namespaces.
func (a API) Namespaced() bool { return a.served().namespaced }

// Class says how the kind appears in the API.
func (a API) Class() Class { return a.rec().class }

// Item is the kind of a list's items, and none for other kinds.
func (a API) Item() API {
	item, _ := at(a.rec().item)
	return item
}
