//go:build !js

package policy

import (
	"fmt"
	"slices"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/object"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
)

// matchCriteria reports whether criteria select a request (match.applies), and
// for which resource and kind. It uses the namespace selector namespaces, not the
// selector in the criteria.
//
// It repeats code of the server, because importing the server's package would link
// a client for all kinds of Kubernetes.
// Source: Matcher.Matches in
// k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go (1.26–1.37).
func (r *request) matchCriteria(k *criteria, namespaces labels.Selector) match {
	matches, namespaceErr := r.inNamespace(namespaces, k.namespacesErr)
	if !matches && namespaceErr == nil {
		return match{}
	}
	matches, objectErr := (&object.Matcher{}).MatchObjectSelector(k, r)
	if !matches && objectErr == nil {
		return match{}
	}
	if excluded := r.matchRule(k.resources.ExcludeResourceRules, k.resources.MatchPolicy); excluded.applies || excluded.err != nil {
		return match{err: excluded.err}
	}
	m := match{applies: true, resource: r.GetResource(), kind: r.GetKind()}
	if len(k.resources.ResourceRules) > 0 {
		m = r.matchRule(k.resources.ResourceRules, k.resources.MatchPolicy)
	}
	switch {
	case !m.applies:
		return match{err: m.err}
	case namespaceErr != nil:
		return match{err: namespaceErr}
	case objectErr != nil:
		return match{err: objectErr}
	}
	return m
}

// inNamespace reports whether a selector selects the namespace of a request. It
// returns true for an object that is not namespaced.
//
// Source: MatchNamespaceSelector in
// k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace/matcher.go
// (1.26–1.37).
func (r *request) inNamespace(selector labels.Selector, selectorErr error) (bool, error) {
	isNamespace := r.GetResource().Resource == "namespaces"
	switch {
	case r.GetNamespace() == "" && !isNamespace:
		return true, nil
	case selectorErr != nil:
		return false, apierrors.NewInternalError(selectorErr)
	case selector.Empty():
		return true, nil
	case !isNamespace:
		return selector.Matches(labels.Set(r.cluster.namespace(r.GetNamespace()).Labels)), nil
	}
	accessor, err := meta.Accessor(r.GetObject())
	if err != nil {
		return false, apierrors.NewInternalError(err)
	}
	return selector.Matches(labels.Set(accessor.GetLabels())), nil
}

// matchRule returns the resource and kind that the first matching rule selects. If
// no rule selects the resource of the request and the match policy is Equivalent,
// the rules are compared with the equivalent resources.
func (r *request) matchRule(all []admissionregistration.NamedRuleWithOperations, policy *admissionregistration.MatchPolicyType) match {
	named := func(rule *admissionregistration.NamedRuleWithOperations) bool {
		return len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, r.GetName())
	}
	for i := range all {
		if selects := (rules.Matcher{Rule: all[i].RuleWithOperations, Attr: r}); selects.Matches() && named(&all[i]) {
			return match{applies: true, resource: r.GetResource(), kind: r.GetKind()}
		}
	}
	if policy == nil || *policy == admissionregistration.Exact {
		return match{}
	}
	for i := range all {
		for _, equivalent := range r.resource.equivalents {
			selects := rules.Matcher{Rule: all[i].RuleWithOperations, Attr: equivalentRequest{r, equivalent}}
			if equivalent == r.GetResource() || !selects.Matches() {
				continue
			}
			kind := r.resource.kinds[equivalent]
			if kind.Empty() {
				return match{err: fmt.Errorf("unable to convert to %v: unknown kind", equivalent)}
			}
			if named(&all[i]) {
				return match{applies: true, resource: equivalent, kind: kind}
			}
		}
	}
	return match{}
}

// equivalentRequest is a request whose resource is replaced by an equivalent
// resource.
type equivalentRequest struct {
	admission.Attributes
	resource schema.GroupVersionResource
}

// GetResource implements admission.Attributes.
func (a equivalentRequest) GetResource() schema.GroupVersionResource { return a.resource }
