package policy

import (
	"context"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/client-go/tools/cache"
)

// The types of this file pass the objects of a Cluster to the dispatchers of
// k8s.io/apiserver.

func serverMatcher(c *Cluster) *matching.Matcher { return matching.NewMatcher(namespaceLister{c}, nil) }

type namespaceLister struct{ *Cluster }

// List implements listers.NamespaceLister.
func (n namespaceLister) List(selector labels.Selector) (all []*corev1.Namespace, err error) {
	for _, namespace := range n.namespaces {
		if selector.Matches(labels.Set(namespace.Labels)) {
			all = append(all, namespace)
		}
	}
	return all, nil
}

// Get implements listers.NamespaceLister.
func (n namespaceLister) Get(name string) (*corev1.Namespace, error) {
	return n.Cluster.namespace(name), nil
}

func serverValidator(v *validator) validating.Validator {
	return validating.NewValidator(serverEvaluator{v.validations}, v.matcher, serverEvaluator{v.annotations}, v.messages, v.spec.FailurePolicy, nil)
}

// serverEvaluator returns results with the accessor types that the server's
// validator expects.
type serverEvaluator struct{ *evaluator }

// ForInput implements plugincel.ConditionEvaluator.
func (e serverEvaluator) ForInput(ctx context.Context, attributes *admission.VersionedAttributes, review *admissionv1.AdmissionRequest, inputs plugincel.OptionalVariableBindings, namespace *corev1.Namespace, budget int64) ([]plugincel.EvaluationResult, int64, error) {
	results, budget, err := e.evaluator.ForInput(ctx, attributes, review, inputs, namespace, budget)
	for i := range results {
		switch of := results[i].ExpressionAccessor.(type) {
		case *validation:
			results[i].ExpressionAccessor = &validating.ValidationCondition{Expression: of.Expression, Message: of.Message, Reason: of.Reason}
		case *auditAnnotation:
			results[i].ExpressionAccessor = &validating.AuditAnnotationCondition{Key: of.Key, ValueExpression: of.ValueExpression}
		}
	}
	return results, budget, err
}

type typeConverters struct{ *Cluster }

// GetTypeConverter implements patch.TypeConverterManager.
func (t typeConverters) GetTypeConverter(kind schema.GroupVersionKind) managedfields.TypeConverter {
	return t.typeConverter(kind)
}

// Run implements patch.TypeConverterManager.
func (typeConverters) Run(context.Context) {}

func scope(p *paramSource) meta.RESTScope {
	if p.namespaced {
		return meta.RESTScopeNamespace
	}
	return meta.RESTScopeRoot
}

// informer has the parameters of one kind.
type informer struct {
	cache.SharedIndexInformer // nil, because only HasSynced is called
	*paramSource
}

// Informer implements informers.GenericInformer.
func (i informer) Informer() cache.SharedIndexInformer { return i }

// HasSynced implements cache.SharedIndexInformer.
func (informer) HasSynced() bool { return true }

// Lister implements informers.GenericInformer.
func (i informer) Lister() cache.GenericLister { return paramLister{i.paramSource, ""} }

type paramLister struct {
	*paramSource
	namespace string
}

// ByNamespace implements cache.GenericLister.
func (l paramLister) ByNamespace(namespace string) cache.GenericNamespaceLister {
	return paramLister{l.paramSource, namespace}
}

// List implements cache.GenericLister.
func (l paramLister) List(selector labels.Selector) ([]runtime.Object, error) {
	return l.list(l.namespace, selector), nil
}

// Get implements cache.GenericLister.
func (l paramLister) Get(name string) (runtime.Object, error) {
	if found := l.byName(l.namespace, name); len(found) > 0 {
		return found[0], nil
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{Group: l.kind.Group, Resource: l.kind.Kind}, name)
}
