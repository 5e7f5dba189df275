package customresource

import (
	"strings"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Definition is the content of a CustomResourceDefinition.
type Definition struct {
	Group, Kind, Plural string
	// Namespaced is false if objects have no namespace.
	Namespaced bool
	// Partial is set if the definition was made from schemas of single versions.
	// The server may serve more versions. If Plural is empty, Namespaced is
	// unknown.
	Partial bool
	// PreserveUnknownFields is spec.preserveUnknownFields. If it is set, the
	// server does not prune unknown fields. Only v1beta1 definitions may set it,
	// and there the default is true.
	PreserveUnknownFields bool
	// Versions are in the order of the definition.
	Versions []Version
	// At is the CustomResourceDefinition object.
	At *wire.Value

	// byName has the index of each version by name. If several versions have the
	// same name, it has the first index.
	byName map[string]int
	// current is the greatest served version that is not deprecated, or "".
	current string
}

// Version is one version of a custom resource.
type Version struct {
	Name            string
	Served, Storage bool
	Deprecated      bool
	// DeprecationWarning is the warning in the definition, or nil if it has none.
	// The server refuses an empty warning.
	DeprecationWarning *string
	// Status is set if there is a status subresource. Otherwise status is an
	// ordinary field.
	Status bool
	// Scale is the scale subresource, or nil.
	Scale *Scale
	// At is the item of spec.versions, or the spec of a v1beta1 definition
	// without this list.
	At *wire.Value

	schemaAt *wire.Value
	once     *sync.Once
	schema   **Schema
	refused  *sync.Map // from minor to *refusal
}

// Scale has the paths of a scale subresource, such as .spec.replicas.
type Scale struct {
	SpecReplicasPath, StatusReplicasPath string
	// LabelSelectorPath may be empty.
	LabelSelectorPath string
}

// Schema returns the version's validation schema. It is nil if there is none, or
// if it is too large to be real. The schema is parsed on first use.
func (v *Version) Schema() *Schema {
	if v == nil || v.once == nil {
		return nil
	}
	v.once.Do(func() { *v.schema = readSchema(v.schemaAt) })
	return *v.schema
}

// Read reads a CustomResourceDefinition of apiextensions.k8s.io/v1 or v1beta1 and
// sets the server's defaults. ok is false for other objects, and for a definition
// without group or kind. Source: pkg/apis/apiextensions/{v1,v1beta1}/defaults.go.
func Read(obj *wire.Value) (_ *Definition, ok bool) {
	spec := obj.Get("spec")
	if obj.Get("kind").StringOr("") != "CustomResourceDefinition" || spec == nil {
		return nil, false
	}
	beta := false
	switch obj.Get("apiVersion").StringOr("") {
	case "apiextensions.k8s.io/v1":
	case "apiextensions.k8s.io/v1beta1":
		beta = true
	default:
		return nil, false
	}
	d := &Definition{
		Group:      spec.Get("group").StringOr(""),
		Kind:       spec.At("names", "kind").StringOr(""),
		Plural:     spec.At("names", "plural").StringOr(""),
		Namespaced: spec.Get("scope").StringOr("Namespaced") == "Namespaced",
		At:         obj,
	}
	if d.Group == "" || d.Kind == "" {
		return nil, false
	}
	d.PreserveUnknownFields = spec.Get("preserveUnknownFields").IsTrue() || beta && spec.Get("preserveUnknownFields").IsNull()
	if versions := spec.Get("versions"); versions != nil && versions.Kind == wire.List {
		for _, at := range versions.Items {
			d.Versions = append(d.Versions, readVersion(at, spec, beta))
		}
	}
	if name := spec.Get("version").StringOr(""); beta && name != "" && len(d.Versions) == 0 {
		v := readVersion(nil, spec, beta)
		v.Name, v.Served, v.Storage, v.At = name, true, true, spec
		d.Versions = []Version{v}
	}
	d.index()
	return d, true
}

// index sets byName and current.
func (d *Definition) index() {
	d.byName = make(map[string]int, len(d.Versions))
	for i := range d.Versions {
		v := &d.Versions[i]
		if _, ok := d.byName[v.Name]; !ok {
			d.byName[v.Name] = i
		}
		if v.Served && !v.Deprecated && (d.current == "" || CompareVersions(v.Name, d.current) > 0) {
			d.current = v.Name
		}
	}
}

// readVersion reads an item of spec.versions. In v1beta1 the spec can have a
// schema and subresources that apply to all versions.
func readVersion(at, spec *wire.Value, beta bool) Version {
	v := Version{
		Name:       at.Get("name").StringOr(""),
		Served:     at.Get("served").IsTrue(),
		Storage:    at.Get("storage").IsTrue(),
		Deprecated: at.Get("deprecated").IsTrue(),
		At:         at,
		schemaAt:   at.At("schema", "openAPIV3Schema"),
		once:       new(sync.Once),
		schema:     new(*Schema),
		refused:    new(sync.Map),
	}
	if w := at.Get("deprecationWarning"); w != nil && w.Kind == wire.String {
		v.DeprecationWarning = &w.Text
	}
	subresources := at.Get("subresources")
	if beta {
		if v.schemaAt.IsNull() {
			v.schemaAt = spec.At("validation", "openAPIV3Schema")
		}
		if subresources.IsNull() {
			subresources = spec.Get("subresources")
		}
	}
	if v.schemaAt.IsNull() {
		v.schemaAt = nil
	}
	v.Status = !subresources.Get("status").IsNull()
	if s := subresources.Get("scale"); !s.IsNull() {
		v.Scale = &Scale{
			SpecReplicasPath:   s.Get("specReplicasPath").StringOr(""),
			StatusReplicasPath: s.Get("statusReplicasPath").StringOr(""),
			LabelSelectorPath:  s.Get("labelSelectorPath").StringOr(""),
		}
	}
	return v
}

// Version returns the version with a name, or nil.
func (d *Definition) Version(name string) *Version {
	if d == nil {
		return nil
	}
	if i, ok := d.byName[name]; ok {
		return &d.Versions[i]
	}
	return nil
}

// Served returns the names of the served versions. The server's preferred version
// is first.
func (d *Definition) Served() []string {
	var names []string
	for i := range d.Versions {
		if d.Versions[i].Served {
			names = append(names, d.Versions[i].Name)
		}
	}
	sortVersions(names)
	return names
}

// SplitGroupVersion splits an apiVersion into group and version. The core group
// is "".
func SplitGroupVersion(apiVersion string) (group, version string) {
	if i := strings.IndexByte(apiVersion, '/'); i >= 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// Same reports whether two definitions have the same group, kind and spec.
func (d *Definition) Same(other *Definition) bool {
	return d.Group == other.Group && d.Kind == other.Kind && equal(d.At.Get("spec"), other.At.Get("spec"))
}
