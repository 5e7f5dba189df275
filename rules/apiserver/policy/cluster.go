//go:build !js

package policy

import (
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Cluster is a server and the known objects of its cluster. It is immutable and
// safe for concurrent use. Policies are compiled on first use.
type Cluster struct {
	server   apiserver.Server
	serves   func(lifecycle.API) bool
	complete bool

	validating []*policy[*validatingPolicy, *validatingBinding]
	mutating   []*policy[*mutatingPolicy, *mutatingBinding]

	namespaces  map[string]*corev1.Namespace
	definitions map[schema.GroupKind]*customresource.Definition
	params      map[schema.GroupVersionKind][]*wire.Value
	resources   sync.Map // from schema.GroupVersionKind to *resource
	converters  converters
	slow        slowness // shared by all mutating policies
}

// NewCluster returns a cluster with a server and objects. It uses policies, their
// bindings, Namespaces, CustomResourceDefinitions and parameters of policies. A
// parameter can be of any kind.
//
// A policy has no effect if the server does not serve its version, or if the
// server's feature for such policies is off.
func NewCluster(s apiserver.Server, o Options, objects []*wire.Value) *Cluster {
	c := &Cluster{
		server:      s,
		serves:      o.Serves,
		complete:    o.Complete,
		namespaces:  map[string]*corev1.Namespace{},
		definitions: map[schema.GroupKind]*customresource.Definition{},
		params:      map[schema.GroupVersionKind][]*wire.Value{},
	}
	if c.serves == nil {
		c.serves = func(api lifecycle.API) bool { return api.State(s.Minor, lifecycle.Target{}) == lifecycle.Served }
	}
	var validating, mutating source
	for _, obj := range objects {
		apiVersion, kind := obj.Get("apiVersion").StringOr(""), obj.Get("kind").StringOr("")
		if g, _, _ := strings.Cut(apiVersion, "/"); g == group {
			switch kind {
			case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding":
				validating.add(c, apiVersion, kind, obj)
			case "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
				mutating.add(c, apiVersion, kind, obj)
			}
		}
		if d, ok := customresource.Read(obj); ok {
			c.definitions[schema.GroupKind{Group: d.Group, Kind: d.Kind}] = d
		}
		if apiVersion == "v1" && kind == "Namespace" {
			c.addNamespace(obj)
		}
		gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
		c.params[gvk] = append(c.params[gvk], obj)
	}
	c.validating = boundPolicies(c, validating, validatingSpecs)
	c.mutating = boundPolicies(c, mutating, mutatingSpecs)
	return c
}

// Empty reports whether the cluster has no policy with a binding. Validate and
// Mutate then return the zero verdict and an unchanged object.
func (c *Cluster) Empty() bool { return c == nil || len(c.validating)+len(c.mutating) == 0 }

// Mutates reports whether the cluster has a MutatingAdmissionPolicy with a
// binding.
func (c *Cluster) Mutates() bool { return c != nil && len(c.mutating) > 0 }

// addNamespace adds a Namespace as a server stores it. Values that only a server
// knows are placeholders. An expression can check that such a value is set, but
// an expression that reads the value has an unknown result. Source:
// SetDefaults_Namespace in pkg/apis/core/v1/defaults.go and PrepareForCreate in
// pkg/registry/core/namespace/strategy.go.
func (c *Cluster) addNamespace(obj *wire.Value) {
	namespace := &corev1.Namespace{}
	if !decodeInto(obj, namespace) || namespace.Name == "" {
		return
	}
	c.namespaces[namespace.Name] = storedNamespace(namespace)
}

func storedNamespace(namespace *corev1.Namespace) *corev1.Namespace {
	namespace.UID, namespace.ResourceVersion, namespace.CreationTimestamp = "unknown", "unknown", metav1.Unix(1, 0)
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	if namespace.Status.Phase == "" {
		namespace.Status.Phase = corev1.NamespaceActive
	}
	if !slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
		namespace.Spec.Finalizers = append(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
	return namespace
}

// decodeInto decodes a value into a struct and ignores unknown fields. It returns
// false if a value has a wrong type.
func decodeInto(v *wire.Value, obj any) bool {
	data, err := native(v)
	if err != nil {
		return false
	}
	fields, ok := data.(map[string]any)
	return ok && runtime.DefaultUnstructuredConverter.FromUnstructured(fields, obj) == nil
}

// unstructuredOf returns v as an unstructured object. It returns false if v is
// not a map or is too deep.
func unstructuredOf(v *wire.Value) (*unstructured.Unstructured, bool) {
	data, err := native(v)
	if err != nil {
		return nil, false
	}
	fields, ok := data.(map[string]any)
	return &unstructured.Unstructured{Object: fields}, ok
}
