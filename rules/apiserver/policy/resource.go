//go:build !js

package policy

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

type resource struct {
	schema.GroupVersionResource
	// known is false for a custom resource without a definition. Its name and
	// namespaced are then guesses.
	known, namespaced bool
	// equivalents are the resource itself and the resources that serve the same
	// objects in other versions or groups. kinds has the kind of each equivalent.
	equivalents []schema.GroupVersionResource
	kinds       map[schema.GroupVersionResource]schema.GroupVersionKind
}

// resourceOf returns the resource of a kind. Its equivalents are:
//
//   - all served versions of a custom resource
//   - resources with the same name in other groups, if they share their storage
//
// Source: EquivalentResourceRegistry in pkg/server/config.go of k8s.io/apiserver.
func (c *Cluster) resourceOf(gvk schema.GroupVersionKind) *resource {
	if r, ok := c.resources.Load(gvk); ok {
		return r.(*resource)
	}
	r := c.newResource(gvk)
	c.resources.Store(gvk, r)
	return r
}

func (c *Cluster) newResource(gvk schema.GroupVersionKind) *resource {
	r := &resource{kinds: map[schema.GroupVersionResource]schema.GroupVersionKind{}}
	r.GroupVersionResource = gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s")
	if api, ok := lifecycle.LookupGV(gvk.GroupVersion().String(), gvk.Kind); ok {
		r.known, r.namespaced, r.Resource = true, api.Namespaced(), api.Resource()
		for other := range lifecycle.All() {
			if other.Resource() == r.Resource && other.Class() == lifecycle.Resource && (other == api || c.serves(other)) {
				r.add(schema.GroupVersionKind{Group: other.Group(), Version: other.Version(), Kind: other.Kind()})
			}
		}
		return r
	}
	if d := c.definitions[gvk.GroupKind()]; d != nil && d.Plural != "" {
		r.known, r.namespaced, r.Resource = true, d.Namespaced, d.Plural
		for i := range d.Versions {
			if d.Versions[i].Served {
				r.add(gvk.GroupKind().WithVersion(d.Versions[i].Name))
			}
		}
	}
	return r
}

func (r *resource) add(gvk schema.GroupVersionKind) {
	gvr := gvk.GroupVersion().WithResource(r.Resource)
	r.equivalents = append(r.equivalents, gvr)
	r.kinds[gvr] = gvk
}

// EquivalentResourcesFor implements runtime.EquivalentResourceMapper.
func (r *resource) EquivalentResourcesFor(schema.GroupVersionResource, string) []schema.GroupVersionResource {
	return r.equivalents
}

// KindFor implements runtime.EquivalentResourceMapper.
func (r *resource) KindFor(gvr schema.GroupVersionResource, _ string) schema.GroupVersionKind {
	return r.kinds[gvr]
}

// request is a request during its evaluation. It is not safe for concurrent use.
type request struct {
	admission.Attributes
	cluster  *Cluster
	resource *resource
	sent     *Attributes
	// unknownNamespace is set if the namespace of the request is not among the
	// known objects.
	unknownNamespace bool
	evaluation
}

// newRequest returns the request as the server's handlers pass it to admission:
//
//   - kubectl sends a patch if the object exists, and the handler turns the patch
//     options into UpdateOptions.
//   - The namespace of a request for a Namespace is the object's name.
//   - A generated name ends with five question marks instead of random letters.
//
// Source: k8s.io/apiserver/pkg/endpoints/handlers/{create,patch}.go
// (1.26–1.37).
func (c *Cluster) newRequest(a *Attributes, object runtime.Object) *request {
	gvk := schema.FromAPIVersionAndKind(a.Request.APIVersion, a.Request.Kind)
	r := &request{cluster: c, resource: c.resourceOf(gvk), sent: a}
	meta := a.Request.New.Get("metadata")
	name, namespace := meta.Get("name").StringOr(""), meta.Get("namespace").StringOr("")
	prefix := meta.Get("generateName").StringOr("")
	generated := name == "" && prefix != ""
	if generated {
		name = prefix + "?????"
	}
	switch {
	case gvk.Group == "" && gvk.Kind == "Namespace":
		namespace = name
	case r.resource.known && !r.resource.namespaced:
		namespace = ""
	case r.resource.known && namespace == "":
		namespace = metav1.NamespaceDefault
	}
	var info user.Info
	if a.User != nil {
		info = &user.DefaultInfo{Name: a.User.Name, UID: a.User.UID, Groups: a.User.Groups, Extra: a.User.Extra}
	}
	operation, options := admission.Create, runtime.Object(createOptions(a))
	if a.Request.Old != nil {
		operation, options = admission.Update, updateOptions(a)
	}
	r.Attributes = admission.NewAttributesRecord(object, a.Old, gvk, namespace, name, r.resource.GroupVersionResource, "",
		operation, options, a.DryRun, info)
	r.unknownNamespace = !c.complete && namespace != "" && gvk.Kind != "Namespace" && c.namespaces[namespace] == nil
	r.evaluation = newEvaluation(c.server, a)
	r.generated = generated
	return r
}

var fieldValidations = map[apiserver.FieldValidation]string{
	apiserver.Warn: metav1.FieldValidationWarn, apiserver.Ignore: metav1.FieldValidationIgnore, apiserver.Strict: metav1.FieldValidationStrict,
}

func dryRun(a *Attributes) []string {
	if a.DryRun {
		return []string{metav1.DryRunAll}
	}
	return nil
}

func createOptions(a *Attributes) *metav1.CreateOptions {
	options := &metav1.CreateOptions{DryRun: dryRun(a), FieldManager: a.FieldManager, FieldValidation: fieldValidations[a.Request.Validation]}
	options.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("CreateOptions"))
	return options
}

func updateOptions(a *Attributes) *metav1.UpdateOptions {
	options := &metav1.UpdateOptions{DryRun: dryRun(a), FieldManager: a.FieldManager, FieldValidation: fieldValidations[a.Request.Validation]}
	options.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("UpdateOptions"))
	return options
}

// exempt reports whether policies do not apply to a request, because it is about
// policies, webhook configurations or reviews. Source:
// pkg/admission/plugin/policy/generic/plugin.go of k8s.io/apiserver and
// pkg/kubeapiserver/admission/exclusion/resources.go (1.26–1.37).
func (r *request) exempt() bool {
	kind := r.GetKind()
	switch kind.Group {
	case group:
		switch kind.Kind {
		case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration",
			"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
			"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding":
			return true
		}
	case "authentication.k8s.io", "authorization.k8s.io":
		switch kind.Kind {
		case "SelfSubjectReview", "TokenReview", "LocalSubjectAccessReview", "SelfSubjectAccessReview",
			"SelfSubjectRulesReview", "SubjectAccessReview":
			return true
		}
	}
	return false
}

// isUnstructured reports whether an object is not a struct of k8s.io/api.
func isUnstructured(obj runtime.Object) bool {
	_, ok := obj.(*unstructured.Unstructured)
	return ok
}
