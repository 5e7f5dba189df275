package synth

import "strings"

// form is one kind in one API version.
type form struct {
	apiVersion, kind string
	weight           int // relative frequency in its list
	state            State
	// body writes the fields after metadata. before writes the fields before kind, in the
	// order of kubectl. Both may be nil.
	body, before func(*document)
	cluster      bool // true if the kind is cluster-scoped
	padded       bool // true if annotations must fill the length
	oneShot      bool // true if the pods end on their own
}

// podsValidated reports whether a server of the newest release validates the pods in this
// form: it serves the form, and the form is not a custom resource.
func (f *form) podsValidated() bool {
	group, _, found := strings.Cut(f.apiVersion, "/")
	return f.state == Current && (!found || group == "apps" || group == "batch")
}

// currentForms has the forms in today's repositories, with approximately their frequency.
var currentForms = []form{
	{apiVersion: "apps/v1", kind: "Deployment", weight: 150, body: deployment},
	{apiVersion: "apps/v1", kind: "StatefulSet", weight: 30, body: statefulSet},
	{apiVersion: "apps/v1", kind: "DaemonSet", weight: 20, body: daemonSet},
	{apiVersion: "v1", kind: "Pod", weight: 12, body: pod},
	{apiVersion: "batch/v1", kind: "Job", weight: 20, body: job, oneShot: true},
	{apiVersion: "batch/v1", kind: "CronJob", weight: 30, body: cronJob, oneShot: true},
	{apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", weight: 10, body: rollout},
	{apiVersion: "serving.knative.dev/v1", kind: "Service", weight: 10, body: knativeService},

	{apiVersion: "v1", kind: "Service", weight: 110, body: service, padded: true},
	{apiVersion: "networking.k8s.io/v1", kind: "Ingress", weight: 50, body: ingress},
	{apiVersion: "networking.k8s.io/v1", kind: "IngressClass", weight: 4, body: ingressClass, cluster: true, padded: true},
	{apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", weight: 40, body: networkPolicy},
	{apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", weight: 6, body: endpointSlice},
	{apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", weight: 10, body: httpRoute},
	{apiVersion: "networking.istio.io/v1", kind: "VirtualService", weight: 10, body: virtualService},

	{apiVersion: "v1", kind: "ConfigMap", weight: 110, before: configMapData},
	{apiVersion: "v1", kind: "Secret", weight: 40, before: secretData, body: secretType},
	{apiVersion: "v1", kind: "ServiceAccount", weight: 35, body: serviceAccount, padded: true},
	{apiVersion: "v1", kind: "Namespace", weight: 15, body: namespace, cluster: true, padded: true},
	{apiVersion: "v1", kind: "ResourceQuota", weight: 8, body: resourceQuota, padded: true},
	{apiVersion: "v1", kind: "LimitRange", weight: 6, body: limitRange, padded: true},
	{apiVersion: "v1", kind: "PersistentVolumeClaim", weight: 15, body: persistentVolumeClaim, padded: true},
	{apiVersion: "v1", kind: "PersistentVolume", weight: 6, body: persistentVolume, cluster: true, padded: true},
	{apiVersion: "storage.k8s.io/v1", kind: "StorageClass", weight: 6, body: storageClass, cluster: true, padded: true},
	{apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", weight: 6, body: priorityClass, cluster: true, padded: true},

	{apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", weight: 30, body: horizontalPodAutoscaler},
	{apiVersion: "policy/v1", kind: "PodDisruptionBudget", weight: 30, body: podDisruptionBudget, padded: true},
	{apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", weight: 25, body: role},
	{apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", weight: 30, body: roleBinding},
	{apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", weight: 35, body: role, cluster: true},
	{apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", weight: 25, body: clusterRoleBinding, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration", weight: 8, body: webhooks, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration", weight: 8, body: webhooks, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingAdmissionPolicy", weight: 4, body: admissionPolicy, cluster: true},

	{apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", weight: 20, body: customResourceDefinition, cluster: true},
	{apiVersion: "argoproj.io/v1alpha1", kind: "Application", weight: 20, body: argoApplication},
	{apiVersion: "cert-manager.io/v1", kind: "Certificate", weight: 20, body: certificate},
	{apiVersion: "monitoring.coreos.com/v1", kind: "ServiceMonitor", weight: 25, body: serviceMonitor},
	{apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule", weight: 20, body: prometheusRule},
	{apiVersion: "external-secrets.io/v1", kind: "ExternalSecret", weight: 12, body: externalSecret},
	{apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", weight: 12, body: helmRelease},
}

// oldForms has the forms that a server of the newest release deprecates or no longer
// serves. The weights follow their frequency in repositories. Rare versions show whether
// a tool knows only the well-known removals.
var oldForms = []form{
	{apiVersion: "extensions/v1beta1", kind: "Ingress", weight: 100, state: Removed, body: ingressBeta},
	{apiVersion: "networking.k8s.io/v1beta1", kind: "Ingress", weight: 100, state: Removed, body: ingressBeta},
	{apiVersion: "networking.k8s.io/v1beta1", kind: "IngressClass", weight: 8, state: Removed, body: ingressClass, cluster: true, padded: true},
	{apiVersion: "extensions/v1beta1", kind: "NetworkPolicy", weight: 10, state: Removed, body: networkPolicy},
	{apiVersion: "extensions/v1beta1", kind: "Deployment", weight: 45, state: Removed, body: deployment},
	{apiVersion: "extensions/v1beta1", kind: "DaemonSet", weight: 15, state: Removed, body: daemonSet},
	{apiVersion: "apps/v1beta1", kind: "Deployment", weight: 20, state: Removed, body: deployment},
	{apiVersion: "apps/v1beta2", kind: "Deployment", weight: 20, state: Removed, body: deployment},
	{apiVersion: "apps/v1beta2", kind: "DaemonSet", weight: 10, state: Removed, body: daemonSet},
	{apiVersion: "apps/v1beta1", kind: "StatefulSet", weight: 15, state: Removed, body: statefulSet},
	{apiVersion: "batch/v1beta1", kind: "CronJob", weight: 110, state: Removed, body: cronJob, oneShot: true},
	{apiVersion: "autoscaling/v2beta1", kind: "HorizontalPodAutoscaler", weight: 35, state: Removed, body: horizontalPodAutoscalerBeta1, padded: true},
	{apiVersion: "autoscaling/v2beta2", kind: "HorizontalPodAutoscaler", weight: 90, state: Removed, body: horizontalPodAutoscaler},
	{apiVersion: "policy/v1beta1", kind: "PodDisruptionBudget", weight: 110, state: Removed, body: podDisruptionBudget, padded: true},
	{apiVersion: "policy/v1beta1", kind: "PodSecurityPolicy", weight: 45, state: Removed, body: podSecurityPolicy, cluster: true, padded: true},
	{apiVersion: "apiextensions.k8s.io/v1beta1", kind: "CustomResourceDefinition", weight: 60, state: Removed, body: customResourceDefinitionBeta, cluster: true},
	{apiVersion: "rbac.authorization.k8s.io/v1beta1", kind: "Role", weight: 20, state: Removed, body: role},
	{apiVersion: "rbac.authorization.k8s.io/v1beta1", kind: "RoleBinding", weight: 20, state: Removed, body: roleBinding},
	{apiVersion: "rbac.authorization.k8s.io/v1beta1", kind: "ClusterRole", weight: 25, state: Removed, body: role, cluster: true},
	{apiVersion: "rbac.authorization.k8s.io/v1beta1", kind: "ClusterRoleBinding", weight: 25, state: Removed, body: clusterRoleBinding, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1beta1", kind: "ValidatingWebhookConfiguration", weight: 25, state: Removed, body: webhooks, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1beta1", kind: "MutatingWebhookConfiguration", weight: 25, state: Removed, body: webhooks, cluster: true},
	{apiVersion: "admissionregistration.k8s.io/v1beta1", kind: "ValidatingAdmissionPolicy", weight: 8, state: Removed, body: admissionPolicy, cluster: true},
	{apiVersion: "apiregistration.k8s.io/v1beta1", kind: "APIService", weight: 12, state: Removed, body: apiService, cluster: true, padded: true},
	{apiVersion: "storage.k8s.io/v1beta1", kind: "StorageClass", weight: 10, state: Removed, body: storageClass, cluster: true, padded: true},
	{apiVersion: "storage.k8s.io/v1beta1", kind: "CSIDriver", weight: 10, state: Removed, body: csiDriver, cluster: true, padded: true},
	{apiVersion: "storage.k8s.io/v1beta1", kind: "VolumeAttributesClass", weight: 6, state: Removed, body: volumeAttributesClass, cluster: true, padded: true},
	{apiVersion: "scheduling.k8s.io/v1beta1", kind: "PriorityClass", weight: 12, state: Removed, body: priorityClass, cluster: true, padded: true},
	{apiVersion: "discovery.k8s.io/v1beta1", kind: "EndpointSlice", weight: 10, state: Removed, body: endpointSlice},
	{apiVersion: "coordination.k8s.io/v1beta1", kind: "Lease", weight: 5, state: Removed, body: lease, padded: true},
	{apiVersion: "node.k8s.io/v1beta1", kind: "RuntimeClass", weight: 5, state: Removed, body: runtimeClass, cluster: true, padded: true},
	{apiVersion: "certificates.k8s.io/v1beta1", kind: "CertificateSigningRequest", weight: 6, state: Removed, body: signingRequest, cluster: true, padded: true},
	{apiVersion: "flowcontrol.apiserver.k8s.io/v1beta2", kind: "FlowSchema", weight: 6, state: Removed, body: flowSchema, cluster: true, padded: true},
	{apiVersion: "flowcontrol.apiserver.k8s.io/v1beta3", kind: "FlowSchema", weight: 10, state: Removed, body: flowSchema, cluster: true, padded: true},
	{apiVersion: "resource.k8s.io/v1beta1", kind: "DeviceClass", weight: 6, state: Deprecated, body: deviceClass, cluster: true, padded: true},
	{apiVersion: "v1", kind: "Endpoints", weight: 16, state: Deprecated, body: endpoints},
}
