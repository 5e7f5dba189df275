package validation

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Source of the functions below: pkg/apis/rbac/validation.

const rbacGroup = "rbac.authorization.k8s.io"

// role checks a Role, and clusterRole a ClusterRole. Source: ValidateRole and
// ValidateClusterRole.
func (v *validator) role(obj node) { v.rules(obj, true) }

func (v *validator) clusterRole(obj node) {
	v.rules(obj, false)
	aggregation := obj.get("aggregationRule")
	if !aggregation.isSet() {
		return
	}
	selectors := aggregation.get("clusterRoleSelectors")
	if selectors.length() == 0 {
		v.required(selectors, "at least one clusterRoleSelector required if aggregationRule is non-nil")
	}
	for _, s := range selectors.items {
		if s.v.IsNull() {
			continue
		}
		v.labelSelector(s)
		if !v.isParsable(s) {
			text := "null"
			if v.minor < 34 {
				text = `"null"`
			}
			v.invalid(s, text, "invalid label selector.")
		}
	}
}

func (v *validator) rules(obj node, namespaced bool) {
	v.metadata(obj, namespaced, pathSegmentErrors)
	for _, r := range obj.get("rules").items {
		v.policyRule(r, namespaced)
	}
}

// policyRule checks one rule of a Role or ClusterRole. Source:
// ValidatePolicyRule.
func (v *validator) policyRule(r node, namespaced bool) {
	if verbs := r.get("verbs"); verbs.length() == 0 {
		v.declaredSince(37, func() {
			detail := "verbs must contain at least one value"
			if v.minor >= 37 {
				detail = ""
			}
			v.required(verbs, detail)
		})
	}
	groups, resources, urls := r.get("apiGroups"), r.get("resources"), r.get("nonResourceURLs")
	if urls.length() > 0 {
		if namespaced {
			v.invalid(urls, v.stringList(urls.texts()), "namespaced rules cannot apply to non-resource URLs")
		}
		if groups.length()+resources.length()+r.get("resourceNames").length() > 0 {
			v.invalid(urls, v.stringList(urls.texts()), "rules cannot apply to both regular resources and non-resource URLs")
		}
		return
	}
	if groups.length() == 0 {
		v.required(groups, "resource rules must supply at least one api group")
	}
	if resources.length() == 0 {
		v.required(resources, "resource rules must supply at least one resource")
	}
}

// roleBinding checks a RoleBinding, and clusterRoleBinding a ClusterRoleBinding.
// Source: ValidateRoleBinding and ValidateClusterRoleBinding.
func (v *validator) roleBinding(obj node) { v.binding(obj, true, "Role", "ClusterRole") }

func (v *validator) clusterRoleBinding(obj node) { v.binding(obj, false, "ClusterRole") }

func (v *validator) binding(obj node, namespaced bool, kinds ...string) {
	v.metadata(obj, namespaced, pathSegmentErrors)
	ref := obj.get("roleRef")
	v.group(ref, ref.strOr("apiGroup", rbacGroup))
	v.oneOf(ref.get("kind"), kinds...)
	if name := ref.get("name"); name.text() == "" {
		v.declaredSince(lateNames, func() { v.required(name, "") })
	} else {
		v.invalidString(name, name.text(), pathSegmentErrors(v.minor, name.text()))
	}
	for _, s := range obj.get("subjects").items {
		v.subject(s, namespaced)
	}
	if v.req.Old != nil {
		v.immutableRole(obj)
	}
}

// lateNames is the first minor in which declarative validation reports missing
// names.
const lateNames lifecycle.Minor = 37

// group checks the API group of a reference. group is the value with its default.
func (v *validator) group(ref node, group string) {
	if group != rbacGroup {
		v.unsupported(ref.get("apiGroup"), strconv.Quote(group), rbacGroup)
	}
}

// oneOf adds an error if the text of n is not one of the values.
func (v *validator) oneOf(n node, values ...string) {
	for _, s := range values {
		if s == n.text() {
			return
		}
	}
	v.unsupported(n, strconv.Quote(n.text()), values...)
}

// subject checks a subject of a role binding. Source: ValidateRoleBindingSubject.
func (v *validator) subject(s node, namespaced bool) {
	name, group := s.get("name"), s.str("apiGroup")
	if name.text() == "" {
		v.declaredSince(lateNames, func() { v.required(name, "") })
	}
	switch kind := s.get("kind"); kind.text() {
	case "ServiceAccount":
		if name.text() != "" {
			v.dnsSubdomain(name, name.text())
		}
		if group != "" {
			v.unsupported(s.get("apiGroup"), strconv.Quote(group), "")
		}
		if !namespaced && s.str("namespace") == "" {
			v.required(s.get("namespace"), "")
		}
	case "User", "Group":
		v.group(s, s.strOr("apiGroup", rbacGroup))
	default:
		v.oneOf(kind, "ServiceAccount", "User", "Group")
	}
}

// immutableRole adds an error if an update changes the role of a binding.
func (v *validator) immutableRole(obj node) {
	ref, old := obj.get("roleRef"), root(v.req.Old).get("roleRef")
	group := ref.strOr("apiGroup", rbacGroup)
	if group == old.strOr("apiGroup", rbacGroup) && ref.str("kind") == old.str("kind") && ref.str("name") == old.str("name") {
		return
	}
	kind, name, detail := ref.str("kind"), ref.str("name"), "cannot change roleRef"
	if v.minor >= 37 {
		detail = "field is immutable"
	}
	if v.minor >= 34 {
		v.invalid(ref, `{"APIGroup":`+jsonString(group)+`,"Kind":`+jsonString(kind)+`,"Name":`+jsonString(name)+`}`, detail)
	} else {
		v.invalid(ref, "rbac.RoleRef{APIGroup:"+strconv.Quote(group)+", Kind:"+strconv.Quote(kind)+", Name:"+strconv.Quote(name)+"}", detail)
	}
}
