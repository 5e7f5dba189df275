package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/client-go/tools/cache"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// paramSource has the parameters of one kind. It is the informer and the lister
// that the server's code asks.
type paramSource struct {
	cache.SharedIndexInformer // nil: only HasSynced is called
	kind                      schema.GroupVersionKind
	scope                     meta.RESTScope
	objects                   []*unstructured.Unstructured
	// unknown is set if it is not known whether the server has the kind.
	unknown bool
	// err is the error of a kind that the server does not have.
	err error
}

// onlyServer are fields of parameters and namespaces that a server sets.
var onlyServer = []string{"metadata.uid", "metadata.resourceVersion", "metadata.creationTimestamp", "metadata.generation", "metadata.managedFields"}

// stored returns an object as the server stores it: with the defaults of a built-in
// kind, and the stringData of a Secret among its data.
func (c *Cluster) stored(kind schema.GroupVersionKind, v *wire.Value) (*unstructured.Unstructured, bool) {
	if _, builtIn := lifecycle.LookupGV(kind.GroupVersion().String(), kind.Kind); builtIn {
		obj, _, err := admitted.Decoded(c.server, apiserver.Request{APIVersion: kind.GroupVersion().String(), Kind: kind.Kind, New: v})
		if err == nil {
			if fields, err := admitted.Fields(c.server, obj); err == nil {
				fields = maps.Clone(fields)
				fields["apiVersion"], fields["kind"] = kind.GroupVersion().String(), kind.Kind
				return &unstructured.Unstructured{Object: fields}, true
			}
		}
	}
	return unstructuredOf(v)
}

// paramsOf returns the parameters of a kind: ensureParamsForPolicyLocked of
// k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go
// (1.28–1.37).
func (c *Cluster) paramsOf(kind schema.GroupVersionKind) *paramSource {
	p := &paramSource{kind: kind, scope: meta.RESTScopeRoot}
	r := c.resourceOf(kind)
	served := slices.Contains(r.equivalents, r.GroupVersionResource)
	if api, ok := lifecycle.LookupGV(kind.GroupVersion().String(), kind.Kind); ok {
		served = c.serves(api)
	}
	switch {
	case !r.known && !c.complete:
		p.unknown = true
		return p
	case !served:
		p.err = fmt.Errorf("failed to find resource referenced by paramKind: '%v'", kind)
		return p
	}
	if r.namespaced {
		p.scope = meta.RESTScopeNamespace
	}
	defaults := structuralSchema(c.definitions[kind.GroupKind()], kind.Version)
	for _, v := range c.params[kind] {
		obj, ok := c.stored(kind, v)
		if !ok {
			continue
		}
		if defaults != nil {
			defaulting.Default(obj.Object, defaults)
		}
		if r.namespaced && obj.GetNamespace() == "" {
			obj.SetNamespace(metav1.NamespaceDefault)
		}
		p.objects = append(p.objects, obj)
	}
	slices.SortStableFunc(p.objects, func(a, b *unstructured.Unstructured) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return p
}

// Informer implements informers.GenericInformer.
func (p *paramSource) Informer() cache.SharedIndexInformer { return p }

// HasSynced implements cache.SharedIndexInformer.
func (p *paramSource) HasSynced() bool { return true }

// Lister implements informers.GenericInformer.
func (p *paramSource) Lister() cache.GenericLister { return paramLister{p, nil} }

// paramLister lists the parameters of a namespace, or of all of them.
type paramLister struct {
	*paramSource
	namespace *string
}

// ByNamespace implements cache.GenericLister.
func (l paramLister) ByNamespace(namespace string) cache.GenericNamespaceLister {
	return paramLister{l.paramSource, &namespace}
}

// List implements cache.GenericLister.
func (l paramLister) List(selector labels.Selector) (all []runtime.Object, err error) {
	for _, obj := range l.objects {
		if (l.namespace == nil || obj.GetNamespace() == *l.namespace) && selector.Matches(labels.Set(obj.GetLabels())) {
			all = append(all, obj)
		}
	}
	return all, nil
}

// Get implements cache.GenericLister. Of several objects of a name, the last one
// counts.
func (l paramLister) Get(name string) (runtime.Object, error) {
	for _, obj := range slices.Backward(l.objects) {
		if obj.GetName() == name && (l.namespace == nil || obj.GetNamespace() == *l.namespace) {
			return obj, nil
		}
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Group: l.kind.Group, Resource: l.kind.Kind}, name)
}

// collect returns the parameters of a binding: one nil for none. If it is not
// known which there are, unknown says so.
func (r *request) collect(kind *admissionregistration.ParamKind, ref *admissionregistration.ParamRef, p *paramSource) (params []runtime.Object, unknown string, err error) {
	if p == nil {
		p = &paramSource{scope: meta.RESTScopeRoot}
	}
	if kind != nil && ref != nil && !r.cluster.complete && p.absent(ref, r.GetNamespace()) {
		return nil, "parameters of kind " + kind.Kind + describe(ref), nil
	}
	params, err = generic.CollectParams(kind, p, p.scope, ref, r.GetNamespace(), nil, nil)
	return params, "", err
}

// absent reports whether none of the known objects is the parameter.
func (p *paramSource) absent(ref *admissionregistration.ParamRef, namespace string) bool {
	var lister cache.GenericNamespaceLister = p.Lister()
	if p.scope.Name() == meta.RESTScopeNameNamespace {
		if ref.Namespace != "" {
			namespace = ref.Namespace
		}
		if namespace == "" {
			return false // the server refuses it
		}
		lister = p.Lister().ByNamespace(namespace)
	} else if ref.Namespace != "" {
		return false
	}
	if ref.Name != "" {
		_, err := lister.Get(ref.Name)
		return err != nil && ref.Selector == nil
	}
	selector, err := metav1.LabelSelectorAsSelector(ref.Selector)
	if err != nil {
		return false
	}
	all, _ := lister.List(selector)
	return len(all) == 0
}

func describe(ref *admissionregistration.ParamRef) string {
	if ref.Name != "" {
		return fmt.Sprintf(" named %q", ref.Name)
	}
	return ""
}

// nameOf returns "namespace/name" of a parameter.
func nameOf(param runtime.Object) string {
	obj, ok := param.(metav1.Object)
	if !ok {
		return ""
	}
	if obj.GetNamespace() != "" {
		return obj.GetNamespace() + "/" + obj.GetName()
	}
	return obj.GetName()
}
