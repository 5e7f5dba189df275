package webhook

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Cluster is what is known of a cluster besides its server. The zero value
// knows nothing.
type Cluster struct {
	// Namespaces gives the labels of a namespace, one map for each of several
	// Namespace objects that may be the one in the cluster; none where the
	// namespace is not known.
	Namespaces func(name string) []map[string]string
	// Custom gives the resource of a custom resource.
	Custom func(group, kind string) (Resource, bool)
	// Serves reports whether the server serves a built-in API; nil: by default.
	Serves func(lifecycle.API) bool
}

// Resource is what a CustomResourceDefinition says of its resource.
type Resource struct {
	Plural     string
	Namespaced bool
	// Served are the versions that are served.
	Served []string
}

// Scope says whether an object is in a namespace. The zero value is
// ScopeUnknown.
type Scope uint8

// The scopes.
const (
	ScopeUnknown Scope = iota
	ScopeCluster
	ScopeNamespaced
)

// Object is what decides who is asked about a request.
type Object struct {
	Kind string
	// Resource is empty where it is not known.
	Resource string
	Scope    Scope
	// Namespace is the object's, of a Namespace its name.
	Namespace string
	Update    bool

	forms     []groupVersion // the object's own first, then its equivalents
	labels    map[string]string
	oldLabels map[string]string // of an update
	// spaces are the labels that the namespace may have; none if it is not
	// known, and then base has those that every namespace of the name has.
	spaces []map[string]string
	base   map[string]string
	exempt bool
}

type groupVersion struct{ group, version string }

// nameLabel is the label that every namespace has with its name, by default
// from 1.21 on (SetDefaults_Namespace of pkg/apis/core/v1/defaults.go).
const nameLabel = "kubernetes.io/metadata.name"

// NewObject makes the Object of a request, for a server that accepts it. An
// object without a namespace goes to the namespace default.
func NewObject(s apiserver.Server, r apiserver.Request, c Cluster) *Object {
	o := &Object{Kind: r.Kind, Update: r.Old != nil, labels: labelsOf(r.New)}
	if r.Old != nil {
		o.oldLabels = labelsOf(r.Old)
	}
	own := splitVersion(r.APIVersion)
	o.forms = []groupVersion{own}
	if api, ok := lifecycle.LookupGV(r.APIVersion, r.Kind); ok {
		o.builtIn(s, api, c)
	} else if c.Custom != nil {
		if custom, ok := c.Custom(own.group, r.Kind); ok {
			o.custom(custom)
		}
	}
	o.exempt = exempt(s, own.group, o.Kind, o.Resource)

	given := r.New.At("metadata", "namespace").StringOr("")
	if o.Scope == ScopeUnknown && given != "" {
		o.Scope = ScopeNamespaced
	}
	named := s.Minor > 21 || s.Minor == 21 && s.Enabled("NamespaceDefaultLabelName")
	if o.isNamespace() {
		o.Namespace = r.New.At("metadata", "name").StringOr("")
		if named && o.Namespace != "" {
			o.labels[nameLabel] = o.Namespace
		}
		o.spaces = []map[string]string{o.labels}
		return o
	}
	if o.Scope == ScopeCluster {
		return o
	}
	if o.Namespace = given; given == "" {
		o.Namespace = "default"
	}
	if c.Namespaces != nil {
		o.spaces = c.Namespaces(o.Namespace)
	}
	if named {
		o.base = map[string]string{nameLabel: o.Namespace}
		o.spaces = slices.Clone(o.spaces)
		for i, labels := range o.spaces {
			o.spaces[i] = with(labels, nameLabel, o.Namespace)
		}
	}
	return o
}

func (o *Object) isNamespace() bool {
	return o.Resource == "namespaces" && o.forms[0] == groupVersion{"", "v1"}
}

// builtIn takes the resource of a built-in kind, and its other forms: what the
// server serves under the same name is the same to it, whatever the group
// (EquivalentResourceRegistry in pkg/server/config.go, by the prefix in the
// storage; in effect events of v1 and events.k8s.io).
func (o *Object) builtIn(s apiserver.Server, api lifecycle.API, c Cluster) {
	o.Resource, o.Scope = api.Resource(), ScopeCluster
	if api.Namespaced() {
		o.Scope = ScopeNamespaced
	}
	for other := range lifecycle.All() {
		if other.Resource() != o.Resource || other == api || other.Class() != lifecycle.Resource {
			continue
		}
		if c.Serves != nil && c.Serves(other) || c.Serves == nil && other.State(s.Minor, lifecycle.Target{}) == lifecycle.Served {
			o.forms = append(o.forms, groupVersion{other.Group(), other.Version()})
		}
	}
}

// custom takes the resource of a custom resource, whose other forms are the
// served versions (customresource_handler.go of apiextensions-apiserver).
func (o *Object) custom(r Resource) {
	o.Resource, o.Scope = r.Plural, ScopeCluster
	if r.Namespaced {
		o.Scope = ScopeNamespaced
	}
	own := o.forms[0]
	for _, version := range r.Served {
		if version != own.version {
			o.forms = append(o.forms, groupVersion{own.group, version})
		}
	}
}

// exempt reports whether no webhook is asked about a resource: about webhook
// configurations and admission policies, nor from 1.37 on about reviews, unless
// a gate brings them back.
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

// labelsOf gives an object's labels; never nil.
func labelsOf(obj *wire.Value) map[string]string {
	labels := map[string]string{}
	if v := obj.At("metadata", "labels"); v != nil {
		for _, f := range v.Fields {
			labels[f.Name] = f.Value.StringOr("")
		}
	}
	return labels
}

// with gives a copy of labels with one more.
func with(labels map[string]string, key, value string) map[string]string {
	all := make(map[string]string, len(labels)+1)
	maps.Copy(all, labels)
	all[key] = value
	return all
}
