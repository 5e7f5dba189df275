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

// Custom is a served version of a custom resource.
type Custom struct {
	Group, Version, Kind string
	// Plural and Singular are the names of the resource.
	Plural, Singular string
	// Schema is the version's openAPIV3Schema, or nil if it has none.
	Schema *wire.Value
}

// Resources are the resources that a server serves. They are safe for concurrent
// use.
type Resources struct {
	minor   lifecycle.Minor
	builtIn group
	groups  map[string]bool // the groups of served built-in resources
	custom  func(group string) []Custom
	customs sync.Map // from a group's name to func() group
	types   sync.Map // from typeKey to func() *apiservercel.DeclType
	envs    sync.Map // from envKey to func() *typedEnv
}

// group has the resources of one or several API groups.
type group struct {
	byName map[string][]served // by the resource's names in lower case
	kinds  map[schema.GroupVersionKind]*served
}

type served struct {
	schema.GroupVersionKind
	plural string
	schema *wire.Value // nil for built-in kinds
	custom bool
}

type typeKey struct {
	schema.GroupVersionKind
	exposed bool
}

// NewResources returns the resources of a server of minor m, with the gates and
// APIs of the target. custom returns the custom resources of a group. It is
// called at most once for each group, and may be nil.
func NewResources(t lifecycle.Target, m lifecycle.Minor, custom func(group string) []Custom) *Resources {
	r := &Resources{minor: m, builtIn: newGroup(), groups: map[string]bool{}, custom: custom}
	for api := range lifecycle.All() {
		if api.Class() != lifecycle.Resource || api.State(m, t) != lifecycle.Served {
			continue
		}
		gvk := schema.GroupVersionKind{Group: api.Group(), Version: api.Version(), Kind: api.Kind()}
		r.builtIn.add(&served{GroupVersionKind: gvk, plural: api.Resource()}, api.Resource(), strings.ToLower(api.Kind()))
		r.groups[api.Group()] = true
	}
	return r
}

func newGroup() group {
	return group{byName: map[string][]served{}, kinds: map[schema.GroupVersionKind]*served{}}
}

func (g group) add(s *served, names ...string) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name != "" {
			g.byName[name] = append(g.byName[name], *s)
		}
	}
	g.kinds[s.GroupVersionKind] = s
}

// groupOf returns the resources of a group. The empty group means all built-in
// resources.
func (r *Resources) groupOf(name string) group {
	if name == "" || r.groups[name] || r.custom == nil {
		return r.builtIn
	}
	read, ok := r.customs.Load(name)
	if !ok {
		read, _ = r.customs.LoadOrStore(name, sync.OnceValue(func() group {
			g := newGroup()
			for _, c := range r.custom(name) {
				gvk := schema.GroupVersionKind{Group: c.Group, Version: c.Version, Kind: c.Kind}
				g.add(&served{GroupVersionKind: gvk, plural: c.Plural, schema: c.Schema, custom: true}, strings.ToLower(c.Plural), strings.ToLower(c.Singular), strings.ToLower(c.Kind))
			}
			return g
		}))
	}
	return read.(func() group)()
}

// Minor returns the server's minor.
func (r *Resources) Minor() lifecycle.Minor { return r.minor }

// kindsFor returns the kinds of a resource as a discovery client finds them. An
// empty group means every group of built-in resources. An empty version means
// every version. Source: KindsFor in
// k8s.io/apimachinery/pkg/api/meta/restmapper.go.
func (r *Resources) kindsFor(group, version, resource string) (all []schema.GroupVersionKind) {
	for _, s := range r.groupOf(group).byName[strings.ToLower(resource)] {
		if (group == "" || s.Group == group) && (version == "" || s.Version == version) {
			all = append(all, s.GroupVersionKind)
		}
	}
	return all
}

// Serves reports whether the server serves a kind in a version. known is false if
// kubevet does not know all resources of the group.
func (r *Resources) Serves(apiVersion, kind string) (serves, known bool) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return false, true
	}
	return r.groupOf(gv.Group).kinds[gv.WithKind(kind)] != nil, r.knowsGroup(gv.Group)
}

// knowsGroup reports whether kubevet knows all resources of a group. A group of
// custom resources may have more.
func (r *Resources) knowsGroup(group string) bool {
	return r.groups[group] || lifecycle.IsGroup(group)
}

// declType returns the CEL type of a kind, or nil if the schema of the kind is
// not known. Types are cached and shared. Unlike the server, declType does not
// append random digits to the name of the type.
func (r *Resources) declType(gvk schema.GroupVersionKind, exposed bool) *apiservercel.DeclType {
	if gvk.Empty() || r.groupOf(gvk.Group).kinds[gvk] == nil {
		return nil
	}
	key := typeKey{gvk, exposed}
	cached, ok := r.types.Load(key)
	if !ok {
		cached, _ = r.types.LoadOrStore(key, sync.OnceValue(func() *apiservercel.DeclType {
			s := r.schemaOf(gvk, exposed)
			if s == nil {
				return nil
			}
			t := common.SchemaDeclType(s, true)
			if t == nil {
				return nil
			}
			return t.MaybeAssignTypeName(gvk.Kind)
		}))
	}
	return cached.(func() *apiservercel.DeclType)()
}

// schemaOf returns the schema of a served kind, or nil if the schema is not
// known. The type checker of 1.28 knows only the schemas of Kubernetes' own
// types.
func (r *Resources) schemaOf(gvk schema.GroupVersionKind, exposed bool) common.Schema {
	s := r.groupOf(gvk.Group).kinds[gvk]
	if r.minor < 29 && (s.custom || gvk.Group == "apiextensions.k8s.io" || gvk.Group == "apiregistration.k8s.io") {
		return nil
	}
	if !s.custom {
		if t := gotype.TypeOf(r.minor, gvk.GroupVersion().String(), gvk.Kind); !t.IsZero() {
			return builtIn{t: t, exposed: exposed}
		}
		return nil
	}
	return custom{v: s.schema, meta: objectMeta(r.minor), resource: true, exposed: exposed}
}

// objectMeta returns the type of an object's metadata.
func objectMeta(m lifecycle.Minor) gotype.Type {
	for name, t := range gotype.TypeOf(m, "v1", "ConfigMap").Fields() {
		if name == "metadata" {
			return t
		}
	}
	return gotype.Type{}
}
