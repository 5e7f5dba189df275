//go:build !js

package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/admitted"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// paramSource has the parameters of one kind, which are objects that policies
// read.
type paramSource struct {
	kind       schema.GroupVersionKind
	namespaced bool
	objects    []*unstructured.Unstructured
	// unknown is set if it is unknown whether the server has the kind.
	unknown bool
	// err is the server's error about a missing kind, or nil.
	err error
}

// serverOnlyFields are the fields of parameters and namespaces whose values only
// a server sets.
var serverOnlyFields = []string{"metadata.uid", "metadata.resourceVersion", "metadata.creationTimestamp", "metadata.generation", "metadata.managedFields"}

// stored returns an object as the server stores it: with the defaults of a
// built-in kind, and with stringData of a Secret moved to data.
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

// paramsOf returns the parameters of a kind. Source: ensureParamsForPolicyLocked
// in k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go
// (1.28–1.37).
func (c *Cluster) paramsOf(kind schema.GroupVersionKind) *paramSource {
	p := &paramSource{kind: kind}
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
	p.namespaced = r.namespaced
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

// list returns the parameters that a selector selects in a namespace, or in all
// namespaces if namespace is empty.
func (p *paramSource) list(namespace string, selector labels.Selector) (all []runtime.Object) {
	for _, obj := range p.objects {
		if (namespace == "" || obj.GetNamespace() == namespace) && selector.Matches(labels.Set(obj.GetLabels())) {
			all = append(all, obj)
		}
	}
	return all
}

// byName returns the last parameter with a name, as a list of at most one.
func (p *paramSource) byName(namespace, name string) []runtime.Object {
	for _, obj := range slices.Backward(p.objects) {
		if obj.GetName() == name && (namespace == "" || obj.GetNamespace() == namespace) {
			return []runtime.Object{obj}
		}
	}
	return nil
}

// paramsFor returns the parameters of a binding. If the policy has no parameters,
// params has one item, which is nil. unknown describes parameters that are not
// known; otherwise it is "".
//
// Source: CollectParams in
// k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
// (1.28–1.37).
func (r *request) paramsFor(kind *admissionregistration.ParamKind, ref *admissionregistration.ParamRef, p *paramSource) (params []runtime.Object, unknown string, err error) {
	if kind == nil || ref == nil {
		return []runtime.Object{nil}, "", nil
	}
	if params, err = p.find(ref, r.GetNamespace()); err != nil {
		return nil, "", err
	}
	if len(params) == 0 && !r.cluster.complete {
		return nil, "parameters of kind " + kind.Kind + describe(ref), nil
	}
	if len(params) == 0 && ref.ParameterNotFoundAction != nil && *ref.ParameterNotFoundAction == admissionregistration.DenyAction {
		return nil, "", errors.New("no params found for policy binding with `Deny` parameterNotFoundAction")
	}
	return params, "", nil
}

// find returns the parameters to which a binding refers. namespace is the
// namespace of the request.
func (p *paramSource) find(ref *admissionregistration.ParamRef, namespace string) ([]runtime.Object, error) {
	switch {
	case !p.namespaced && ref.Namespace != "":
		return nil, errors.New("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
	case !p.namespaced:
		namespace = ""
	case ref.Namespace != "":
		namespace = ref.Namespace
	case namespace == "":
		return nil, errors.New("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
	}
	switch {
	case ref.Name != "" && ref.Selector != nil:
		return nil, errors.New("paramRef.name and paramRef.selector are mutually exclusive")
	case ref.Name != "":
		return p.byName(namespace, ref.Name), nil
	case ref.Selector == nil:
		return nil, errors.New("one of name or selector must be provided")
	}
	selector, err := metav1.LabelSelectorAsSelector(ref.Selector)
	if err != nil {
		return nil, err
	}
	return p.list(namespace, selector), nil
}

func describe(ref *admissionregistration.ParamRef) string {
	if ref.Name != "" {
		return fmt.Sprintf(" named %q", ref.Name)
	}
	return ""
}

// nameOf returns the name of a parameter as "namespace/name", or "name" if it has
// no namespace.
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
