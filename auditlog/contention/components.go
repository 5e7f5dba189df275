package contention

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/auditlog"
)

// kubeAccounts is the prefix of the service accounts in kube-system, such as
// the controllers of Kubernetes.
const kubeAccounts = "system:serviceaccount:kube-system:"

// controllers are the service accounts of the controllers of Kubernetes (the
// controller roles of kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy),
// sorted.
var controllers = []string{
	"attachdetach-controller", "bootstrap-signer", "certificate-controller", "cloud-node-controller", "cloud-node-lifecycle-controller",
	"clusterrole-aggregation-controller", "cronjob-controller", "daemon-set-controller", "deployment-controller",
	"device-taint-eviction-controller", "disruption-controller", "endpoint-controller", "endpointslice-controller", "endpointslicemirroring-controller",
	"ephemeral-volume-controller", "expand-controller", "generic-garbage-collector", "horizontal-pod-autoscaler", "job-controller",
	"legacy-service-account-token-cleaner", "namespace-controller", "node-controller", "persistent-volume-binder", "pod-garbage-collector",
	"pv-protection-controller", "pvc-protection-controller", "replicaset-controller", "replication-controller", "resource-claim-controller",
	"resourcequota-controller", "root-ca-cert-publisher", "route-controller", "selinux-warning-controller", "service-account-controller",
	"service-cidrs-controller", "service-controller", "statefulset-controller", "storage-version-migrator-controller",
	"taint-eviction-controller", "token-cleaner", "tokens-controller", "ttl-after-finished-controller", "ttl-controller",
	"validatingadmissionpolicy-status-controller", "vac-protection-controller", "volumeattributesclass-protection-controller",
}

// controller returns the name of the Kubernetes controller with this user; ""
// for other users.
func controller(user string) string {
	name, ok := strings.CutPrefix(user, kubeAccounts)
	if ok && slices.Contains(controllers, name) {
		return name
	}
	return ""
}

// partOfKubernetes reports whether a user is a component of Kubernetes. The
// values that a component writes follow the state of the cluster, as the
// endpoints follow the pods.
func partOfKubernetes(user string) bool {
	switch {
	case strings.HasPrefix(user, "system:node:"), user == "system:kube-controller-manager", user == "system:kube-scheduler", user == "system:apiserver":
		return true
	}
	return controller(user) != ""
}

// ownsContent reports whether a user is a controller of Kubernetes that
// determines the content of an object. Such a controller writes only to correct
// another client's change, or if the content must change.
func ownsContent(user string, o *object) bool {
	resource := o.Resource
	if o.Group != "" {
		resource += "." + o.Group
	}
	switch controller(user) {
	case "root-ca-cert-publisher":
		return resource == "configmaps"
	case "clusterrole-aggregation-controller":
		return resource == "clusterroles.rbac.authorization.k8s.io"
	case "endpoint-controller":
		return resource == "endpoints"
	case "endpointslice-controller", "endpointslicemirroring-controller":
		return resource == "endpointslices.discovery.k8s.io"
	case "deployment-controller":
		return resource == "replicasets.apps"
	}
	return false
}

// janitor reports whether a client is a component of Kubernetes that deletes
// expired objects. Other clients then create the objects again.
func janitor(c *auditlog.Client) bool {
	who := c.Who()
	switch {
	case len(who) > len(kubeAccounts) && who[:len(kubeAccounts)] == kubeAccounts:
		switch who[len(kubeAccounts):] {
		case "generic-garbage-collector", "namespace-controller", "ttl-after-finished-controller", "pod-garbage-collector", "job-controller",
			"cronjob-controller", "statefulset-controller", "replicaset-controller", "replication-controller", "daemon-set-controller", "node-controller":
			return true
		}
	case len(who) > 12 && who[:12] == "system:node:", who == "system:kube-controller-manager":
		return true
	}
	return false
}
