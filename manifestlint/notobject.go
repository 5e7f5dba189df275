package manifestlint

import (
	"path"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/manifestlint/internal/document"
	"github.com/kubevet/kubevet/rules"
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// untyped reports a document, or an item of a list, that is meant as an object
// but has no kind or no API version. It returns false if there is nothing to
// report.
func (c *checker) untyped(in *Input, d document.Document, root *wire.Value, r *result) bool {
	if !c.l.enabled[ruleUnknownKind] || in.syntaxOnly() || in.Unfinished != "" || in.Template != "" {
		return false
	}
	if items := root.Get("items"); items != nil && items.Kind == wire.List && root.Get("kind").StringOr("") == "List" {
		found := false
		for _, item := range items.Items {
			found = c.untypedObject(in, d, item, r) || found
		}
		return found
	}
	return c.untypedObject(in, d, root, r)
}

func (c *checker) untypedObject(in *Input, d document.Document, v *wire.Value, r *result) bool {
	apiVersion, kind := v.Field("apiVersion"), v.Field("kind")
	ref := rules.ObjectRef{APIVersion: stringOf(apiVersion), Kind: stringOf(kind)}
	if !isMap(v) || !isObjectMeta(v.Get("metadata")) {
		return false
	}
	f := rules.Finding{}
	severity := rules.Error
	var at Span
	switch {
	case ref.APIVersion != "" && isUnset(kind) && isTyped(ref.APIVersion, v):
		f.Message, at = c.kubectlMessage("kind not set", "Kind"), SpanOfField(apiVersion)
	case ref.Kind != "" && isUnset(apiVersion) && isBuiltIn(ref.Kind, v):
		f.Message, at = c.kubectlMessage("apiVersion not set", "apiVersion"), SpanOfField(kind)
		f.Replacement = c.replacementOf(in, ref.Kind)
	case ref.Kind != "" && isUnset(apiVersion) && isBareObject(in, v) && !slices.Contains(withoutSpec, ref.Kind):
		f.Message, at = c.kubectlMessage("apiVersion not set", "apiVersion"), SpanOfField(kind)
		severity = rules.Preview // it may be a custom resource, or a file of another program
	case isUnset(apiVersion) && isUnset(kind) && isBareObject(in, v):
		f.Message, at = c.kubectlMessage("apiVersion not set, kind not set", "Kind"), keySpan(v.Field("metadata"))
		severity = rules.Preview // it may be a file of another program
	default:
		return false
	}
	if f.Replacement != "" {
		f.Message += ": did you mean " + f.Replacement + "?"
	} else {
		f.Message += ": clients such as kubectl cannot send the object"
	}
	meta := v.Get("metadata")
	ref.Namespace, ref.Name = scalarText(meta.Get("namespace")), scalarText(meta.Get("name"))
	f.Object = (&Object{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name}).Ref()
	p := Pass{
		Object: &Object{KindAt: at}, linter: c.l, rule: ruleUnknownKind, severity: c.l.opts.Severity[ruleUnknownKind],
		file: in.Name, document: d.Index, result: r, keepObject: true,
	}
	p.ReportAs(severity, at, f)
	return true
}

// kubectlMessage returns kubectl's message for a missing field. With
// validation, the default, the message comes from
// kubectl/pkg/validation/schema.go. Without validation, it comes from
// apimachinery/pkg/runtime/error.go.
func (c *checker) kubectlMessage(validation, field string) string {
	if c.l.opts.Validation == apiserver.Ignore {
		return "Object '" + field + "' is missing"
	}
	return validation
}

// replacementOf returns the API of a kind that the target's newest server
// serves, in the newest version; "" if no group or several groups have the
// kind.
func (c *checker) replacementOf(in *Input, kind string) string {
	t := c.l.opts.Target
	if in.Target != nil {
		t = *in.Target
	}
	var best lifecycle.API
	for api := range lifecycle.All() {
		if api.Kind() != kind || api.Class() != lifecycle.Resource || api.State(t.To, t) != lifecycle.Served {
			continue
		}
		switch {
		case best.IsZero() || best.Group() == api.Group() && customresource.CompareVersions(api.Version(), best.Version()) > 0:
			best = api
		case best.Group() != api.Group():
			return ""
		}
	}
	return best.String()
}

// keySpan returns the span of a field's name.
func keySpan(f *wire.Field) Span { return Span{f.Pos, f.End} }

func isMap(v *wire.Value) bool { return v != nil && v.Kind == wire.Map }

// isUnset reports whether a field is absent, null or an empty string.
func isUnset(f *wire.Field) bool {
	return f == nil || f.Value.IsNull() || f.Value.Kind == wire.String && f.Value.Text == ""
}

// isScalar reports whether a value can be a name: a string that is not empty, a
// number or a boolean. YAML reads an unquoted name such as y as a boolean.
func isScalar(v *wire.Value) bool {
	return v != nil && (v.Kind == wire.String && v.Text != "" || v.Kind == wire.Number || v.Kind == wire.Bool)
}

// isObjectMeta reports whether a value has a name, and only fields of
// Kubernetes' metadata.
func isObjectMeta(meta *wire.Value) bool {
	if !isMap(meta) || !isScalar(meta.Get("name")) && !isScalar(meta.Get("generateName")) {
		return false
	}
	for i := range meta.Fields {
		if !slices.Contains(objectMeta, meta.Fields[i].Name) {
			return false
		}
	}
	return true
}

// objectMeta are the fields of ObjectMeta,
// k8s.io/apimachinery/pkg/apis/meta/v1.
var objectMeta = []string{
	"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp",
	"deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers",
	"managedFields", "clusterName",
}

// isTyped reports whether a value without a kind is an object, according to its
// API version. With the version v1, all fields must be fields of core objects,
// because other files have this version too, such as install-config.yaml of
// OpenShift.
func isTyped(apiVersion string, v *wire.Value) bool {
	if isToolFile(&Object{APIVersion: apiVersion}) {
		return false
	}
	group, version := customresource.SplitGroupVersion(apiVersion)
	if group == "" {
		return version == "v1" && hasOnly(v, "apiVersion", "kind", "metadata", "spec", "status", "data", "stringData", "binaryData",
			"type", "immutable", "subsets", "secrets", "imagePullSecrets", "automountServiceAccountToken")
	}
	for api := range lifecycle.All() {
		if api.GroupVersion() == apiVersion {
			return true
		}
	}
	return strings.Contains(group, ".") && customresource.IsVersion(version)
}

// isBuiltIn reports whether a value without an API version has a kind of
// Kubernetes. Perses has objects of kinds Role, RoleBinding and Secret too, but
// these have a field spec.
func isBuiltIn(kind string, v *wire.Value) bool {
	if v.Field("spec") != nil && slices.Contains(withoutSpec, kind) {
		return false
	}
	for api := range lifecycle.All() {
		if api.Kind() == kind && api.Class() == lifecycle.Resource {
			return true
		}
	}
	return false
}

// withoutSpec are kinds of Kubernetes that have no field spec.
var withoutSpec = []string{"ClusterRole", "ClusterRoleBinding", "ConfigMap", "Endpoints", "Role", "RoleBinding", "Secret", "ServiceAccount"}

// isBareObject reports whether a value without kind and API version has only
// metadata and spec, like an object. It returns false for values files of
// charts, which can look like this.
func isBareObject(in *Input, v *wire.Value) bool {
	if strings.HasPrefix(path.Base(in.Name), "values") || !isMap(v.Get("spec")) {
		return false
	}
	return hasOnly(v, "apiVersion", "kind", "metadata", "spec", "status")
}

// hasOnly reports whether all fields of a value are in names.
func hasOnly(v *wire.Value, names ...string) bool {
	return !slices.ContainsFunc(v.Fields, func(f wire.Field) bool { return !slices.Contains(names, f.Name) })
}

// isToolFile reports whether an object is a file of a program, which is never
// sent to a server although it has an apiVersion and a kind.
func isToolFile(o *Object) bool {
	group, _, ok := strings.Cut(o.APIVersion, "/")
	if !ok {
		return slices.Contains(toolKinds, o.APIVersion+" "+o.Kind) || o.APIVersion == "builtin" // builtin is the group of plugins in kustomize
	}
	for _, suffix := range []string{".config.k8s.io", ".config.kubernetes.io", ".admission.k8s.io"} {
		if strings.HasSuffix(group, suffix) {
			return true
		}
	}
	return slices.Contains(toolGroups, group) || slices.Contains(toolKinds, group+" "+o.Kind)
}

// toolGroups are API groups of files that only programs read. Servers serve no
// kind of these groups. The groups of Kubernetes' own programs come from the
// packages k8s.io/*/config, and from the types that API servers exchange with
// webhooks and plugins.
var toolGroups = []string{
	// Kubernetes' own programs.
	"abac.authorization.kubernetes.io", // kube-apiserver --authorization-policy-file
	"admission.k8s.io",                 // requests to webhooks
	"apidiscovery.k8s.io",
	"apiserver.k8s.io",             // kube-apiserver --admission-control-config-file
	"audit.k8s.io",                 // kube-apiserver --audit-policy-file
	"client.authentication.k8s.io", // kubectl's credential plugins
	"componentconfig",
	"config.k8s.io",
	"config.kubernetes.io",              // KRM functions
	"credentialprovider.kubelet.k8s.io", // the kubelet's credential plugins
	"imagepolicy.k8s.io",                // requests to webhooks
	"kubeadm.k8s.io",
	"manifest.k8s.io", // kustomize 1.0
	"meta.k8s.io",
	// Programs of the Kubernetes project.
	"config.jobset.x-k8s.io",
	"config.kueue.x-k8s.io",
	"config.kwok.x-k8s.io",
	"config.lws.x-k8s.io",
	"controller-runtime.sigs.k8s.io",
	"descheduler",
	"internal.gateway.networking.k8s.io",
	"kind.sigs.k8s.io",
	"kind.x-k8s.io",
	"kubebuilder.sigs.k8s.io",
	// Other programs.
	"backstage.io",
	"chainsaw.kyverno.io",
	"cli.kyverno.io",
	"ctlptl.dev",
	"eksctl.io",
	"fn.kpt.dev",
	"garden.io",
	"k0sctl.k0sproject.io",
	"k3d.io",
	"kpt.dev",
	"krew.googlecontainertools.github.com",
	"kuttl.dev",
	"release-notes", // Istio
	"scaffolder.backstage.io",
	"skaffold",
}

// toolKinds are further kinds of files that only programs read. Servers serve
// other kinds of their groups.
var toolKinds = []string{
	"apiextensions.k8s.io ConversionReview", // requests to webhooks
	"clusterctl.cluster.x-k8s.io Metadata",
	"gateway.networking.k8s.io ConformanceReport",
	// Files of clients and of old Kubernetes releases.
	"v1 Config", // kubeconfig
	"v1 EncryptionConfig",
	"v1 Policy", // kube-scheduler --policy-config-file
	"v1 Preferences",
	// Kinds of requests and responses.
	"v1 APIGroup",
	"v1 APIGroupList",
	"v1 APIResourceList",
	"v1 APIVersions",
	"v1 CreateOptions",
	"v1 DeleteOptions",
	"v1 GetOptions",
	"v1 List", // a list without items
	"v1 ListOptions",
	"v1 NodeProxyOptions",
	"v1 PatchOptions",
	"v1 PodAttachOptions",
	"v1 PodExecOptions",
	"v1 PodLogOptions",
	"v1 PodPortForwardOptions",
	"v1 PodProxyOptions",
	"v1 ServiceProxyOptions",
	"v1 Status",
	"v1 Table",
	"v1 UpdateOptions",
	"v1 WatchEvent",
}
