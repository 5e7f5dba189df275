// Package validation predicts the errors of a kube-apiserver's validation: the
// causes of an answer with code 422, in the server's order.
//
// Before validation it sets defaults and drops fields, as the server does. Facts
// that cannot be known are assumed to be valid: the object's UID, other objects
// of the cluster, and the server's flags.
//
// Source: pkg/apis/*/validation in k8s.io/kubernetes for the common kinds.
// "Source:" in a function's comment names the function of Kubernetes that makes
// the same checks and adds the same errors.
package validation

import (
	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

type kindCheck func(v *validator, obj node)

// kinds are the validated kinds by group and kind. All versions of a kind have
// the same validation.
var kinds = map[[2]string]kindCheck{
	{"", "Pod"}:                   (*validator).podObject,
	{"", "PodTemplate"}:           (*validator).podTemplate,
	{"", "ReplicationController"}: (*validator).replicationController,
	{"apps", "Deployment"}:        (*validator).deployment,
	{"apps", "ReplicaSet"}:        (*validator).replicaSet,
	{"apps", "DaemonSet"}:         (*validator).daemonSet,
	{"apps", "StatefulSet"}:       (*validator).statefulSet,
	{"extensions", "Deployment"}:  (*validator).deployment,
	{"extensions", "ReplicaSet"}:  (*validator).replicaSet,
	{"extensions", "DaemonSet"}:   (*validator).daemonSet,
	{"batch", "Job"}:              (*validator).job,
	{"batch", "CronJob"}:          (*validator).cronJob,

	{"", "PersistentVolumeClaim"}: (*validator).claimObject,

	{"", "Service"}:                       (*validator).service,
	{"", "Endpoints"}:                     (*validator).endpoints,
	{"discovery.k8s.io", "EndpointSlice"}: (*validator).endpointSlice,

	{"", "ConfigMap"}:        (*validator).configMap,
	{"", "Secret"}:           (*validator).secret,
	{"", "ServiceAccount"}:   (*validator).serviceAccount,
	{"", "Namespace"}:        (*validator).namespace,
	{"", "Node"}:             (*validator).nodeObject,
	{"", "PersistentVolume"}: (*validator).persistentVolume,
	{"", "ResourceQuota"}:    (*validator).resourceQuota,
	{"", "LimitRange"}:       (*validator).limitRange,

	{"autoscaling", "HorizontalPodAutoscaler"}: (*validator).autoscaler,
	{"coordination.k8s.io", "Lease"}:           (*validator).lease,
	{"extensions", "Ingress"}:                  (*validator).ingress,
	{"extensions", "NetworkPolicy"}:            (*validator).networkPolicy,
	{"networking.k8s.io", "Ingress"}:           (*validator).ingress,
	{"networking.k8s.io", "IngressClass"}:      (*validator).ingressClass,
	{"networking.k8s.io", "NetworkPolicy"}:     (*validator).networkPolicy,
	{"node.k8s.io", "RuntimeClass"}:            (*validator).runtimeClass,
	{"policy", "PodDisruptionBudget"}:          (*validator).budget,
	{"scheduling.k8s.io", "PriorityClass"}:     (*validator).priorityClass,
	{"storage.k8s.io", "StorageClass"}:         (*validator).storageClass,

	{rbacGroup, "Role"}:               (*validator).role,
	{rbacGroup, "ClusterRole"}:        (*validator).clusterRole,
	{rbacGroup, "RoleBinding"}:        (*validator).roleBinding,
	{rbacGroup, "ClusterRoleBinding"}: (*validator).clusterRoleBinding,

	{admissionGroup, "MutatingWebhookConfiguration"}:     (*validator).mutatingWebhooks,
	{admissionGroup, "ValidatingWebhookConfiguration"}:   (*validator).validatingWebhooks,
	{admissionGroup, "MutatingAdmissionPolicy"}:          (*validator).mutatingPolicy,
	{admissionGroup, "MutatingAdmissionPolicyBinding"}:   (*validator).mutatingBinding,
	{admissionGroup, "ValidatingAdmissionPolicy"}:        (*validator).validatingPolicy,
	{admissionGroup, "ValidatingAdmissionPolicyBinding"}: (*validator).policyBinding,
}

const admissionGroup = "admissionregistration.k8s.io"

// Causes returns the errors of the server's validation of r.New, without
// repetitions. It returns nil if the object is valid or its kind is not validated
// here. Values of a wrong type count as absent, because the server's decoder
// already refuses them.
//
// Tests compare it with the code of 1.24, 1.28, 1.32, 1.33, 1.36 and 1.37 for
// random objects, and with recorded answers of servers. Source:
// pkg/apis/*/validation in the releases 1.21 to 1.37.
func Causes(s apiserver.Server, r apiserver.Request) []apiserver.Cause {
	if r.New == nil || r.New.Kind != wire.Map {
		return nil
	}
	group, _, _ := groupVersion(r.APIVersion)
	check := kinds[[2]string{group, r.Kind}]
	if check == nil {
		return nil
	}
	paths := borrowPaths()
	defer paths.release()
	v := validator{server: s, minor: s.Minor, req: r}
	obj := paths.root(r.New)
	check(&v, obj)
	v.causes = append(v.causes, v.declarative...)
	v.pathSegment(obj)
	return distinct(v.causes)
}

// podTemplate checks a PodTemplate object. Source: ValidatePodTemplate.
func (v *validator) podTemplate(obj node) {
	v.metadata(obj, true, subdomainErrors)
	v.template(obj.get("template"), nil)
}

// distinct removes repeated causes. It reuses the memory of the argument.
func distinct(causes []apiserver.Cause) []apiserver.Cause {
	if len(causes) < 2 {
		return causes
	}
	seen := make(map[[2]string]bool, len(causes))
	kept := causes[:0]
	for _, c := range causes {
		if key := [2]string{c.Field, c.Text}; !seen[key] {
			seen[key] = true
			kept = append(kept, c)
		}
	}
	return kept
}
