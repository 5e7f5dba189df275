package webhook

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/policy"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Cluster has facts about a cluster besides its server. In the zero value,
// nothing is known.
type Cluster struct {
	// Namespaces returns the possible labels of a namespace: one map for each
	// Namespace object of that name. It returns nil for an unknown namespace.
	Namespaces func(name string) []map[string]string
	// Custom returns the resource of a custom kind. It returns false if the
	// definition is unknown.
	Custom func(group, kind string) (Resource, bool)
	// Serves reports whether the server serves a built-in API. nil means the
	// defaults of the release.
	Serves func(lifecycle.API) bool
}

// Resource is a resource that a CustomResourceDefinition defines.
type Resource struct {
	Plural     string
	Namespaced bool
	// Served are the names of the served versions.
	Served []string
}

// Scope says whether an object is namespaced. The zero value is ScopeUnknown.
type Scope uint8

// The scopes.
const (
	ScopeUnknown Scope = iota
	ScopeCluster
	ScopeNamespaced
)

// Object has the properties of a request by which webhooks are selected.
type Object struct {
	Kind string
	// Resource is the plural name of the resource, or empty if it is unknown.
	Resource string
	Scope    Scope
	// Namespace is the object's namespace, or a Namespace's own name.
	Namespace string
	Update    bool

	versions  []groupVersion // the object's own version, then equivalent ones
	labels    map[string]string
	oldLabels map[string]string // of the stored object; nil on create
	// namespaceLabels are the possible labels of the namespace. If it is empty,
	// only baseLabels are known: the labels that every namespace of this name
	// has.
	namespaceLabels []map[string]string
	baseLabels      map[string]string
	exempt          bool

	policies   *policy.Cluster // nil if match conditions cannot be evaluated
	attributes policy.Attributes
}

// Evaluate sets the objects that match conditions need. Without it, the result
// for a webhook with conditions is May.
func (o *Object) Evaluate(c *policy.Cluster, a policy.Attributes) { o.policies, o.attributes = c, a }

type groupVersion struct{ group, version string }

// nameLabel is the label with the name of a namespace. From 1.21 on, every
// namespace has it by default. Source: SetDefaults_Namespace in
// pkg/apis/core/v1/defaults.go.
const nameLabel = "kubernetes.io/metadata.name"

// NewObject returns the Object of a request that the server accepts. A namespaced
// object without a namespace is in "default".
func NewObject(s apiserver.Server, r apiserver.Request, c Cluster) *Object {
	o := &Object{Kind: r.Kind, Update: r.Old != nil, labels: labelsOf(r.New)}
	if r.Old != nil {
		o.oldLabels = labelsOf(r.Old)
	}
	sentVersion := splitVersion(r.APIVersion)
	o.versions = []groupVersion{sentVersion}
	if api, ok := lifecycle.LookupGV(r.APIVersion, r.Kind); ok {
		o.setBuiltIn(s, api, c)
	} else if c.Custom != nil {
		if custom, ok := c.Custom(sentVersion.group, r.Kind); ok {
			o.setCustom(custom)
		}
	}
	o.exempt = exempt(s, sentVersion.group, o.Kind, o.Resource)

	sentNamespace := r.New.At("metadata", "namespace").StringOr("")
	if o.Scope == ScopeUnknown && sentNamespace != "" {
		o.Scope = ScopeNamespaced
	}
	named := s.Minor > 21 || s.Minor == 21 && s.Enabled("NamespaceDefaultLabelName")
	if o.isNamespace() {
		o.Namespace = r.New.At("metadata", "name").StringOr("")
		if named && o.Namespace != "" {
			o.labels[nameLabel] = o.Namespace
		}
		o.namespaceLabels = []map[string]string{o.labels}
		return o
	}
	if o.Scope == ScopeCluster {
		return o
	}
	if o.Namespace = sentNamespace; sentNamespace == "" {
		o.Namespace = "default"
	}
	if c.Namespaces != nil {
		o.namespaceLabels = c.Namespaces(o.Namespace)
	}
	if named {
		o.baseLabels = map[string]string{nameLabel: o.Namespace}
		o.namespaceLabels = slices.Clone(o.namespaceLabels)
		for i, labels := range o.namespaceLabels {
			o.namespaceLabels[i] = withLabel(labels, nameLabel, o.Namespace)
		}
	}
	return o
}

func (o *Object) isNamespace() bool {
	return o.Resource == "namespaces" && o.versions[0] == groupVersion{"", "v1"}
}

// setBuiltIn sets the resource and the equivalent versions of a built-in kind.
// Resources with the same name in different groups are equivalent if they share
// their storage, such as the events of v1 and of events.k8s.io. Source:
// EquivalentResourceRegistry in pkg/server/config.go.
func (o *Object) setBuiltIn(s apiserver.Server, api lifecycle.API, c Cluster) {
	o.Resource, o.Scope = api.Resource(), ScopeCluster
	if api.Namespaced() {
		o.Scope = ScopeNamespaced
	}
	for other := range lifecycle.All() {
		if other.Resource() != o.Resource || other == api || other.Class() != lifecycle.Resource {
			continue
		}
		if c.Serves != nil && c.Serves(other) || c.Serves == nil && other.State(s.Minor, lifecycle.Target{}) == lifecycle.Served {
			o.versions = append(o.versions, groupVersion{other.Group(), other.Version()})
		}
	}
}

// setCustom sets the resource of a custom resource. Its served versions are
// equivalent. Source: customresource_handler.go of apiextensions-apiserver.
func (o *Object) setCustom(r Resource) {
	o.Resource, o.Scope = r.Plural, ScopeCluster
	if r.Namespaced {
		o.Scope = ScopeNamespaced
	}
	ownVersion := o.versions[0]
	for _, version := range r.Served {
		if version != ownVersion.version {
			o.versions = append(o.versions, groupVersion{ownVersion.group, version})
		}
	}
}

// exempt reports whether the server calls no webhooks for a resource. These are
// webhook configurations, admission policies and, from 1.37 on and behind a gate,
// reviews.
func exempt(s apiserver.Server, g, kind, resource string) bool {
	switch g {
	case group:
		switch kind {
		case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding":
			return s.Minor >= 26
		case "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
			return s.Minor >= 32
		}
		return isConfigurationKind(kind)
	case "authentication.k8s.io", "authorization.k8s.io":
		switch resource {
		case "selfsubjectreviews", "tokenreviews", "localsubjectaccessreviews", "selfsubjectaccessreviews",
			"selfsubjectrulesreviews", "subjectaccessreviews":
			return s.Minor >= 37 && s.Enabled("ExcludeAdmissionWebhookVirtualResources")
		}
	}
	return false
}

func splitVersion(apiVersion string) groupVersion {
	g, v, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return groupVersion{"", apiVersion}
	}
	return groupVersion{g, v}
}

// labelsOf returns the labels of an object. The map is never nil.
func labelsOf(obj *wire.Value) map[string]string {
	labels := map[string]string{}
	if v := obj.At("metadata", "labels"); v != nil {
		for _, f := range v.Fields {
			labels[f.Name] = f.Value.StringOr("")
		}
	}
	return labels
}

func withLabel(labels map[string]string, key, value string) map[string]string {
	all := make(map[string]string, len(labels)+1)
	maps.Copy(all, labels)
	all[key] = value
	return all
}
