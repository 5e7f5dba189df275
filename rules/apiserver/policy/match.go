//go:build !js

package policy

import (
	"fmt"
	"slices"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// match says whether a policy or a binding applies to a request. resource and
// kind are the version that the rules of the policy or binding select.
type match struct {
	applies bool
	// unknown has the facts that decide whether the policy or binding applies. If
	// there are any, applies is set.
	unknown  []string
	resource schema.GroupVersionResource
	kind     schema.GroupVersionKind
	err      error
}

// matches reports whether criteria select a request.
func (r *request) matches(k *criteria) match {
	if !r.resource.known {
		return r.matchByGuess(k)
	}
	asked := k.namespaces
	var unknown []string
	if r.unknownNamespace && k.namespacesErr == nil {
		switch selected, known := selectsByName(k.namespaces, r.GetNamespace()); {
		case !known:
			unknown = []string{r.namespaceName()}
			fallthrough
		case selected:
			asked = labels.Everything()
		default:
			asked = labels.Nothing()
		}
	}
	m := r.matchCriteria(k, asked)
	if m.applies {
		m.unknown = unknown
	}
	return m
}

func (r *request) namespaceName() string { return fmt.Sprintf("namespace %q", r.GetNamespace()) }

// selectsByName reports whether a selector selects a namespace of which only the
// name label is known. known is false if other labels decide.
func selectsByName(selector labels.Selector, name string) (selected, known bool) {
	requirements, selectable := selector.Requirements()
	if !selectable {
		return false, true
	}
	nameLabel := labels.Set{corev1.LabelMetadataName: name}
	known = true
	for i := range requirements {
		if requirements[i].Key() != corev1.LabelMetadataName {
			known = false
		} else if !requirements[i].Matches(nameLabel) {
			return false, true
		}
	}
	return true, known
}

// matchByGuess does the work of matches for a custom resource without a
// definition, whose resource name and scope are unknown.
func (r *request) matchByGuess(k *criteria) match {
	m := match{resource: r.GetResource(), kind: r.GetKind()}
	if labelled, err := r.selectsObject(k); err != nil || !labelled {
		m.err = err
		return m
	}
	excluded := r.mayMatch(k.resources.ExcludeResourceRules)
	included := r.mayMatch(k.resources.ResourceRules)
	if len(k.resources.ResourceRules) == 0 {
		included = yes
	}
	if included == no || excluded == yes {
		return m
	}
	m.applies = true
	if included == may || excluded == may || !k.namespaces.Empty() {
		m.unknown = []string{fmt.Sprintf("resource of %s without a CustomResourceDefinition", r.GetKind().Kind)}
	}
	return m
}

func (r *request) selectsObject(k *criteria) (bool, error) {
	if k.err != nil || k.objects.Empty() {
		return k.err == nil, k.err
	}
	for _, obj := range []any{r.GetObject(), r.GetOldObject()} {
		if object, ok := obj.(metav1.Object); ok && k.objects.Matches(labels.Set(object.GetLabels())) {
			return true, nil
		}
	}
	return false, nil
}

// answer is yes, no, or may. may means that the answer depends on an unknown
// fact.
type answer uint8

const (
	no answer = iota
	may
	yes
)

// mayMatch reports whether rules select a resource whose name and scope are
// unknown. It guesses the name from the kind. Source: predicates/rules/rules.go
// in k8s.io/apiserver.
func (r *request) mayMatch(rules []admissionregistration.NamedRuleWithOperations) answer {
	found := no
	for i := range rules {
		rule := &rules[i]
		if !has(rule.Operations, "*", admissionregistration.OperationType(r.GetOperation())) ||
			!has(rule.APIGroups, "*", r.GetKind().Group) || !has(rule.APIVersions, "*", r.GetKind().Version) ||
			len(rule.ResourceNames) > 0 && !slices.Contains(rule.ResourceNames, r.GetName()) {
			continue
		}
		for _, resource := range rule.Resources {
			name, sub, _ := strings.Cut(resource, "/")
			switch {
			case sub != "" && sub != "*":
			case name == "*" && *rule.Scope == admissionregistration.AllScopes:
				return yes
			case name == "*" || strings.HasPrefix(name, stem(r.GetKind().Kind)):
				found = may
			}
		}
	}
	return found
}

func has[S ~string](list []S, wildcard, item S) bool {
	return slices.Contains(list, wildcard) || slices.Contains(list, item)
}

// stem returns the first three letters of a kind in lower case. The name of the
// resource usually begins with them.
func stem(kind string) string {
	s := strings.ToLower(kind)
	return s[:min(len(s), 3)]
}

// namespace returns a Namespace of the cluster. An unknown namespace has only its
// name.
func (c *Cluster) namespace(name string) *corev1.Namespace {
	if namespace := c.namespaces[name]; namespace != nil {
		return namespace
	}
	return storedNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
}
