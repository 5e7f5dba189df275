package manifestlint

import (
	"slices"
	"strings"
)

// isToolFile reports whether an object is a file of a program. Such a file is
// never sent to a server, although it has an apiVersion and a kind.
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
// other kinds of the same groups.
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
	"v1 List", // without items
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
