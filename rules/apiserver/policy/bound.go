//go:build !js

package policy

import (
	admissionregistration "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type (
	validatingPolicy  = admissionregistration.ValidatingAdmissionPolicy
	validatingBinding = admissionregistration.ValidatingAdmissionPolicyBinding
	mutatingPolicy    = admissionregistration.MutatingAdmissionPolicy
	mutatingBinding   = admissionregistration.MutatingAdmissionPolicyBinding
)

// policy is a policy of type P with its bindings of type B and its compiled
// expressions. P and B differ between validating and mutating policies.
type policy[P, B runtime.Object] struct {
	spec     P
	criteria *criteria
	bindings []binding[B]
	params   *paramSource // nil if the policy has no paramKind
	compiled compiledOnce
	slow     slowness
}

type binding[B runtime.Object] struct {
	spec     B
	criteria *criteria // nil if the binding has no matchResources
}

// specs has functions for the differences between validating and mutating
// policies.
type specs[P, B runtime.Object] struct {
	policy        func() P
	binding       func() B
	ofPolicy      func(P) policyParts
	ofBinding     func(B) bindingParts
	defaultPolicy func(P)
}

// policyParts are the parts that validating and mutating policies share.
type policyParts struct {
	constraints *admissionregistration.MatchResources
	params      *admissionregistration.ParamKind
}

// bindingParts are the parts that the bindings of validating and mutating
// policies share.
type bindingParts struct {
	policy    string
	resources *admissionregistration.MatchResources
	param     *admissionregistration.ParamRef
}

var validatingSpecs = specs[*validatingPolicy, *validatingBinding]{
	policy:  func() *validatingPolicy { return &validatingPolicy{} },
	binding: func() *validatingBinding { return &validatingBinding{} },
	ofPolicy: func(p *validatingPolicy) policyParts {
		return policyParts{p.Spec.MatchConstraints, p.Spec.ParamKind}
	},
	ofBinding: func(b *validatingBinding) bindingParts {
		return bindingParts{b.Spec.PolicyName, b.Spec.MatchResources, b.Spec.ParamRef}
	},
	defaultPolicy: func(p *validatingPolicy) {
		p.Spec.FailurePolicy = orDefault(p.Spec.FailurePolicy, admissionregistration.Fail)
	},
}

var mutatingSpecs = specs[*mutatingPolicy, *mutatingBinding]{
	policy:  func() *mutatingPolicy { return &mutatingPolicy{} },
	binding: func() *mutatingBinding { return &mutatingBinding{} },
	ofPolicy: func(p *mutatingPolicy) policyParts {
		return policyParts{p.Spec.MatchConstraints, p.Spec.ParamKind}
	},
	ofBinding: func(b *mutatingBinding) bindingParts {
		return bindingParts{b.Spec.PolicyName, b.Spec.MatchResources, b.Spec.ParamRef}
	},
	defaultPolicy: func(p *mutatingPolicy) {
		p.Spec.FailurePolicy = orDefault(p.Spec.FailurePolicy, admissionregistration.Fail)
	},
}

func orDefault[T any](p *T, value T) *T {
	if p == nil {
		return &value
	}
	return p
}

// boundPolicies returns the policies that have a binding. Policies and bindings
// are sorted by name. An object with a field of a wrong type is left out, because
// no server accepts it.
func boundPolicies[P, B runtime.Object](c *Cluster, s source, kind specs[P, B]) []*policy[P, B] {
	bindings := map[string][]binding[B]{}
	for _, obj := range sorted(s.bindings) {
		spec := kind.binding()
		if !decodeInto(obj, spec) {
			continue
		}
		bound, parts := binding[B]{spec: spec}, kind.ofBinding(spec)
		if parts.resources != nil {
			bound.criteria = newCriteria(parts.resources)
		}
		if ref := parts.param; ref != nil && obj.Get("apiVersion").StringOr("") == group+"/v1alpha1" {
			ref.ParameterNotFoundAction = orDefault(ref.ParameterNotFoundAction, admissionregistration.DenyAction)
		}
		bindings[parts.policy] = append(bindings[parts.policy], bound)
	}
	var all []*policy[P, B]
	for _, obj := range sorted(s.policies) {
		spec := kind.policy()
		policyBindings := bindings[obj.At("metadata", "name").StringOr("")]
		if len(policyBindings) == 0 || !decodeInto(obj, spec) {
			continue
		}
		kind.defaultPolicy(spec)
		p, parts := &policy[P, B]{spec: spec, bindings: policyBindings}, kind.ofPolicy(spec)
		if parts.constraints == nil {
			continue // the server refuses a policy without matchConstraints
		}
		p.criteria = newCriteria(parts.constraints)
		if kind := parts.params; kind != nil {
			p.params = c.paramsOf(schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind))
		}
		all = append(all, p)
	}
	return all
}

// criteria are MatchResources with parsed selectors and defaults. Source:
// SetDefaults_MatchResources and SetDefaults_Rule in
// pkg/apis/admissionregistration/*/defaults.go (1.26–1.37).
type criteria struct {
	resources          admissionregistration.MatchResources
	namespaces         labels.Selector
	objects            labels.Selector
	namespacesErr, err error
}

func newCriteria(resources *admissionregistration.MatchResources) *criteria {
	resources.MatchPolicy = orDefault(resources.MatchPolicy, admissionregistration.Equivalent)
	resources.NamespaceSelector = orDefault(resources.NamespaceSelector, metav1.LabelSelector{})
	resources.ObjectSelector = orDefault(resources.ObjectSelector, metav1.LabelSelector{})
	for _, rules := range [...][]admissionregistration.NamedRuleWithOperations{resources.ResourceRules, resources.ExcludeResourceRules} {
		for i := range rules {
			rules[i].Scope = orDefault(rules[i].Scope, admissionregistration.AllScopes)
		}
	}
	c := &criteria{resources: *resources}
	c.namespaces, c.namespacesErr = metav1.LabelSelectorAsSelector(resources.NamespaceSelector)
	c.objects, c.err = metav1.LabelSelectorAsSelector(resources.ObjectSelector)
	return c
}

// GetParsedObjectSelector implements object.ObjectSelectorProvider.
func (c *criteria) GetParsedObjectSelector() (labels.Selector, error) { return c.objects, c.err }
