package kindwarning

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// admission warns about admission policies and webhook configurations. Source:
// the strategies in pkg/registry/admissionregistration (1.36, 1.37).
func (w *writer) admission(r apiserver.Request) {
	if w.Minor < 36 {
		return
	}
	webhooks := false
	switch r.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		webhooks = true
	case "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
	default:
		return
	}
	// If the gate is on, there is no warning about a new object, because
	// validation refuses its name. Validation accepts the name in an update.
	const suffix = ".static.k8s.io"
	name := r.New.At("metadata", "name")
	if strings.HasSuffix(name.StringOr(""), suffix) && (r.Old != nil || !w.Enabled("ManifestBasedAdmissionControlConfig")) {
		w.warnField(apiserver.Advice, "metadata.name",
			"names ending with "+quote(suffix)+" are reserved for static manifest-based configurations and cannot be managed via the API", name)
	}
	if webhooks && w.Minor >= 37 && w.Enabled("ExcludeAdmissionWebhookVirtualResources") {
		for i, hook := range r.New.Get("webhooks").Elements() {
			for j, rule := range hook.Get("rules").Elements() {
				w.excludedRule(rule, "webhooks"+wire.Index(i)+".rules"+wire.Index(j))
			}
		}
	}
}

// excludedRule warns if a webhook's rule lists resources for which the server
// never calls webhooks. Source: warningsForExcludedRules and
// excludedResourcesNamedByRule in
// pkg/apis/admissionregistration/validation/warnings.go (1.37).
func (w *writer) excludedRule(rule *wire.Value, path string) {
	groups, resources := rule.Get("apiGroups").Elements(), rule.Get("resources").Elements()
	all := func(v *wire.Value) bool { return v.StringOr("") == "*" }
	if slices.ContainsFunc(groups, all) || slices.ContainsFunc(resources, all) {
		return
	}
	// Report each exclusion once, even if a group lists a resource twice.
	var checked []string
	for _, v := range groups {
		group := v.StringOr("")
		if !slices.ContainsFunc(excluded[:], func(e excludedResource) bool { return e.group == group }) || slices.Contains(checked, group) {
			continue
		}
		checked = append(checked, group)
		var reported [len(excluded)]bool
		for _, resource := range resources {
			i := slices.Index(excluded[:], excludedResource{group, resource.StringOr("")})
			if i < 0 || reported[i] {
				continue
			}
			reported[i] = true
			w.warnField(apiserver.Advice, path, excluded[i].resource+"."+excluded[i].group+
				" is excluded from admission webhooks; this rule will have no effect", resource)
		}
	}
}

type excludedResource struct{ group, resource string }

// excluded are the resources for which webhooks are not called. Source: the list
// in pkg/kubeapiserver/admission/exclusion (1.37).
var excluded = [...]excludedResource{
	{"authentication.k8s.io", "selfsubjectreviews"},
	{"authentication.k8s.io", "tokenreviews"},
	{"authorization.k8s.io", "localsubjectaccessreviews"},
	{"authorization.k8s.io", "selfsubjectaccessreviews"},
	{"authorization.k8s.io", "selfsubjectrulesreviews"},
	{"authorization.k8s.io", "subjectaccessreviews"},
}
