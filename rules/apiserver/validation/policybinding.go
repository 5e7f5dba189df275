package validation

import (
	"slices"
	"strconv"
	"strings"
)

// policyBinding checks a ValidatingAdmissionPolicyBinding. Like the server, it
// does not check whether the policy exists. Up to 1.31 a path in its errors is
// misspelt. Source: ValidateValidatingAdmissionPolicyBinding in
// pkg/apis/admissionregistration/validation (1.28–1.37).
func (v *validator) policyBinding(obj node) {
	v.commonMetadata(obj, false, subdomainErrors)
	spec := obj.get("spec")
	if name := spec.get("policyName"); name.text() == "" {
		v.declaredSince(37, func() { v.required(name, "") })
	} else {
		v.dnsSubdomain(name, name.text())
	}
	v.paramRef(spec.get("paramRef"))
	resources := spec.get("matchResources")
	if v.minor < 32 {
		resources = spec.field("matchResources", "matchResouces")
	}
	if resources.isSet() {
		v.matchResources(resources)
	}
	v.validationActions(spec.get("validationActions"))
	v.staticName(obj)
}

// mutatingBinding checks a MutatingAdmissionPolicyBinding. Source:
// ValidateMutatingAdmissionPolicyBinding (1.32–1.37).
func (v *validator) mutatingBinding(obj node) {
	v.commonMetadata(obj, false, subdomainErrors)
	spec := obj.get("spec")
	if name := spec.get("policyName"); name.text() == "" {
		v.required(name, "")
	} else {
		v.dnsSubdomain(name, name.text())
	}
	v.paramRef(spec.get("paramRef"))
	if resources := spec.get("matchResources"); resources.isSet() {
		v.matchResources(resources)
		v.mutableOperations(resources)
	}
	v.staticName(obj)
}

// paramRef checks the reference of a binding to its parameters. Source:
// validateParamRef.
func (v *validator) paramRef(ref node) {
	if !ref.isSet() {
		return
	}
	name, selector := ref.get("name"), ref.get("selector")
	const both = "name and selector are mutually exclusive"
	if name.text() != "" {
		v.invalidString(name, name.text(), pathSegmentErrors(v.minor, name.text()))
		if selector.isSet() {
			v.forbidden(name, both)
		}
	}
	if selector.isSet() {
		v.labelSelector(selector)
		if name.text() != "" {
			v.forbidden(selector, both)
		}
	}
	if name.text() == "" && !selector.isSet() {
		v.required(ref, "one of name or selector must be specified")
	}
	switch missing := ref.get("parameterNotFoundAction"); {
	case !missing.isSet() && strings.HasSuffix(v.req.APIVersion, "/v1alpha1"):
		// Only v1alpha1 has a default, Deny. Source: v1alpha1/defaults.go
		// (1.28–1.37).
	case missing.text() == "":
		v.required(missing, "")
	default:
		v.enum(missing, missing.text(), "Deny", "Allow")
	}
}

// validationActions checks the validationActions of a binding. Source:
// validateValidationActions.
func (v *validator) validationActions(list node) {
	seen := newNames(list.length())
	for _, a := range list.items {
		v.enum(a, a.text(), "Audit", "Deny", "Warn")
		if !seen.add(a.text()) {
			v.duplicate(a, v.typed(a.text()))
		}
	}
	actions := list.texts()
	if slices.Contains(actions, "Deny") && slices.Contains(actions, "Warn") {
		value := v.stringList(actions)
		if v.minor < 34 {
			quoted := make([]string, len(actions))
			for i, a := range actions {
				quoted[i] = strconv.Quote(a)
			}
			value = "[]admissionregistration.ValidationAction{" + strings.Join(quoted, ", ") + "}"
		}
		v.invalid(list, value, "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)")
	}
	if list.length() == 0 {
		detail := "at least one validation action is required"
		if v.minor >= 37 { // declarative validation reports the error without a detail
			detail = ""
		}
		v.declaredSince(37, func() { v.required(list, detail) })
	}
}
