package policydefinition

import (
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/kubevet/kubevet/rules/apiserver/internal/gotype"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Custom is a version of a custom resource.
type Custom struct {
	Group, Version, Kind string
	// Plural and Singular are the names of the resource.
	Plural, Singular string
	// Schema is the version's openAPIV3Schema; nil for none.
	Schema *wire.Value
}

// Resources are the resources that a server serves. They are immutable and safe
// for concurrent use.
type Resources struct {
	minor  lifecycle.Minor
	named  map[string][]served // by the lower-case names of the resource
	groups map[string]bool
	kinds  map[schema.GroupVersionKind]*served
	types  sync.Map // of typeKey to func() *apiservercel.DeclType
	envs   sync.Map // of envKey to func() (*cel.Env, error)
}

// served is a resource of a server.
type served struct {
	schema.GroupVersionKind
	schema *wire.Value // nil for built-in kinds
	custom bool
}

type typeKey struct {
	schema.GroupVersionKind
	exposed bool
}

// NewResources returns the resources of the target's server of a minor, with
// custom resources.
func NewResources(t lifecycle.Target, m lifecycle.Minor, custom []Custom) *Resources {
	r := &Resources{minor: m, named: map[string][]served{}, groups: map[string]bool{}, kinds: map[schema.GroupVersionKind]*served{}}
	add := func(s served, names ...string) {
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if name != "" {
				r.named[name] = append(r.named[name], s)
			}
		}
		r.groups[s.Group] = true
		r.kinds[s.GroupVersionKind] = &s
	}
	for api := range lifecycle.All() {
		if api.Class() == lifecycle.Resource && api.State(m, t) == lifecycle.Served {
			gvk := schema.GroupVersionKind{Group: api.Group(), Version: api.Version(), Kind: api.Kind()}
			add(served{GroupVersionKind: gvk}, api.Resource(), strings.ToLower(api.Kind()))
		}
	}
	for _, c := range custom {
		gvk := schema.GroupVersionKind{Group: c.Group, Version: c.Version, Kind: c.Kind}
		add(served{GroupVersionKind: gvk, schema: c.Schema, custom: true}, strings.ToLower(c.Plural), strings.ToLower(c.Singular), strings.ToLower(c.Kind))
	}
	return r
}

// Minor returns the server's minor.
func (r *Resources) Minor() lifecycle.Minor { return r.minor }

// kindsFor returns the kinds of a resource as a discovery client finds them:
// KindsFor of k8s.io/apimachinery/pkg/api/meta/restmapper.go. An empty group
// stands for any group.
func (r *Resources) kindsFor(group, version, resource string) (all []schema.GroupVersionKind) {
	for _, s := range r.named[strings.ToLower(resource)] {
		if (group == "" || s.Group == group) && (version == "" || s.Version == version) {
			all = append(all, s.GroupVersionKind)
		}
	}
	return all
}

// Serves reports whether the server has a kind at a version. known is false if
// the group may be one that the resources lack.
func (r *Resources) Serves(apiVersion, kind string) (serves, known bool) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return false, true
	}
	return r.kinds[gv.WithKind(kind)] != nil, r.knows(gv.Group)
}

// knows reports whether the server's resources in a group are known.
func (r *Resources) knows(group string) bool { return r.groups[group] || lifecycle.IsGroup(group) }

// declType returns the type of a kind, or nil if it is not known. Types are
// shared.
//
// The server appends random digits to the name of the type.
func (r *Resources) declType(gvk schema.GroupVersionKind, exposed bool) *apiservercel.DeclType {
	if gvk.Empty() || r.kinds[gvk] == nil {
		return nil
	}
	key := typeKey{gvk, exposed}
	made, ok := r.types.Load(key)
	if !ok {
		made, _ = r.types.LoadOrStore(key, sync.OnceValue(func() *apiservercel.DeclType {
			t := common.SchemaDeclType(r.schemaOf(gvk, exposed), true)
			if t == nil {
				return nil
			}
			return t.MaybeAssignTypeName(gvk.Kind)
		}))
	}
	return made.(func() *apiservercel.DeclType)()
}

// schemaOf returns the schema of a kind that is served; nil if it is not known.
// The type checker of 1.28 has no schemas of custom resources.
func (r *Resources) schemaOf(gvk schema.GroupVersionKind, exposed bool) common.Schema {
	s := r.kinds[gvk]
	if !s.custom {
		if t := gotype.TypeOf(r.minor, gvk.GroupVersion().String(), gvk.Kind); !t.IsZero() {
			return builtIn{t: t, exposed: exposed}
		}
		return nil
	}
	if r.minor < 29 {
		return nil
	}
	return custom{v: s.schema, meta: objectMeta(r.minor), resource: true, exposed: exposed}
}

// objectMeta returns the type of metadata.
func objectMeta(m lifecycle.Minor) gotype.Type {
	for name, t := range gotype.TypeOf(m, "v1", "ConfigMap").Fields() {
		if name == "metadata" {
			return t
		}
	}
	return gotype.Type{}
}
