package conversion

import "strings"

// accessReview converts a SubjectAccessReview or LocalSubjectAccessReview to v1,
// where spec.group is called spec.groups. Source: k8s.io/api
// authorization/{v1beta1,v1}/types.go.
func accessReview(d *draft, _ destination) { d.rename(Fields("spec", "group"), "groups") }

const rbacGroup = "rbac.authorization.k8s.io"

// roleBinding converts the subjects of a v1alpha1 RoleBinding or
// ClusterRoleBinding to v1. Source: k8s.io/kubernetes
// pkg/apis/rbac/v1alpha1/conversion.go (1.16–1.22).
func roleBinding(d *draft, _ destination) {
	subjects := Fields("subjects")
	for _, at := range d.objects(subjects) {
		group := ""
		kind := d.value(at.Field("kind")).StringOr("")
		version := d.value(at.Field("apiVersion"))
		switch kind {
		case "ServiceAccount":
		case "User", "Group":
			group = rbacGroup
		default:
			if g, _, ok := strings.Cut(version.StringOr(""), "/"); ok {
				group = g
			}
		}
		if version != nil {
			switch {
			case group == "":
				d.remove(at.Field("apiVersion"))
			default:
				d.step(Step{Op: Move, Path: at.Field("apiVersion"), To: at.Field("apiGroup"), Value: text(group)})
			}
		} else if group != "" {
			d.set(at.Field("apiGroup"), text(group), "name")
		}
		// Only v1alpha1 accepts the user "*", which means all authenticated
		// users.
		if kind == "User" && d.value(at.Field("name")).StringOr("") == "*" {
			d.set(at.Field("kind"), text("Group"), "")
			d.set(at.Field("name"), text("system:authenticated"), "")
		}
	}
}

// policyBinding converts the v1alpha1 binding of an admission policy to v1beta1
// or v1. Only v1alpha1 has a default for parameterNotFoundAction. Source:
// k8s.io/kubernetes pkg/apis/admissionregistration/v1alpha1/defaults.go
// (1.27–1.37).
func policyBinding(d *draft, _ destination) {
	if d.has(Fields("spec", "paramRef")) {
		d.writeDefault(Fields("spec", "paramRef", "parameterNotFoundAction"), text("Deny"), "")
	}
	if d.root.Get("kind").StringOr("") == "ValidatingAdmissionPolicyBinding" && d.length(Fields("spec", "validationActions")) == 0 {
		d.review("validationActions are required since 1.27; 1.26, which did not have them, denied what a policy refuses, and [Deny] is written.")
		d.set(Fields("spec", "validationActions"), list(text("Deny")), "")
	}
}
