package strategies

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/rest"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/extensions/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/lifecycle/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
	_ "k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apiserverinternal/storageversion"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/certificates/clustertrustbundle"
	"k8s.io/kubernetes/pkg/registry/certificates/podcertificaterequest"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/coordination/leasecandidate"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/lifecycle/eviction"
	"k8s.io/kubernetes/pkg/registry/lifecycle/evictionrequest"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourcepoolstatusrequest"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/compositepodgroup"
	"k8s.io/kubernetes/pkg/registry/scheduling/podgroup"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/scheduling/workload"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
	"k8s.io/kubernetes/pkg/registry/storagemigration/storagemigration"
	"k8s.io/utils/clock"
)

// createUpdateStrategy is a strategy for the creation and the update of objects.
type createUpdateStrategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// builtIn returns the strategies of the kinds that pkg/registry serves.
func builtIn() map[schema.GroupKind]createUpdateStrategy {
	allow := authorizerfactory.NewAlwaysAllowAuthorizer()
	resolve := resolver.ResourceResolverFunc(func(gvk schema.GroupVersionKind) (schema.GroupVersionResource, error) {
		gvr, _ := meta.UnsafeGuessKindToResource(gvk)
		return gvr, nil
	})
	return map[schema.GroupKind]createUpdateStrategy{
		{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}:          mutatingadmissionpolicy.NewStrategy(allow, resolve),
		{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}:   mutatingadmissionpolicybinding.NewStrategy(allow, nil, resolve),
		{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:     mutatingwebhookconfiguration.Strategy,
		{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}:        validatingadmissionpolicy.NewStrategy(allow, resolve),
		{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: validatingadmissionpolicybinding.NewStrategy(allow, nil, resolve),
		{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}:   validatingwebhookconfiguration.Strategy,

		{Group: "internal.apiserver.k8s.io", Kind: "StorageVersion"}: storageversion.Strategy,

		{Group: "apps", Kind: "ControllerRevision"}: controllerrevision.Strategy,
		{Group: "apps", Kind: "DaemonSet"}:          daemonset.Strategy,
		{Group: "apps", Kind: "Deployment"}:         deployment.Strategy,
		{Group: "apps", Kind: "ReplicaSet"}:         replicaset.Strategy,
		{Group: "apps", Kind: "StatefulSet"}:        statefulset.Strategy,

		{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: horizontalpodautoscaler.Strategy,

		{Group: "batch", Kind: "CronJob"}: cronjob.Strategy,
		{Group: "batch", Kind: "Job"}:     job.Strategy,

		{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}: certificates.Strategy,
		{Group: "certificates.k8s.io", Kind: "ClusterTrustBundle"}:        clustertrustbundle.Strategy,
		{Group: "certificates.k8s.io", Kind: "PodCertificateRequest"}:     podcertificaterequest.NewStrategy(),

		{Group: "coordination.k8s.io", Kind: "Lease"}:          lease.Strategy,
		{Group: "coordination.k8s.io", Kind: "LeaseCandidate"}: leasecandidate.Strategy,

		{Kind: "ConfigMap"}:             configmap.Strategy,
		{Kind: "Endpoints"}:             endpoint.Strategy,
		{Kind: "Event"}:                 event.Strategy,
		{Kind: "LimitRange"}:            limitrange.Strategy,
		{Kind: "Namespace"}:             namespace.Strategy,
		{Kind: "Node"}:                  node.Strategy,
		{Kind: "PersistentVolume"}:      persistentvolume.Strategy,
		{Kind: "PersistentVolumeClaim"}: persistentvolumeclaim.Strategy,
		{Kind: "Pod"}:                   pod.Strategy,
		{Kind: "PodTemplate"}:           podtemplate.Strategy,
		{Kind: "ReplicationController"}: replicationcontroller.Strategy,
		{Kind: "ResourceQuota"}:         resourcequota.Strategy,
		{Kind: "Secret"}:                secret.Strategy,
		{Kind: "Service"}:               service.Strategy,
		{Kind: "ServiceAccount"}:        serviceaccount.Strategy,

		{Group: "discovery.k8s.io", Kind: "EndpointSlice"}: endpointslice.Strategy,

		{Group: "flowcontrol.apiserver.k8s.io", Kind: "FlowSchema"}:                 flowschema.Strategy,
		{Group: "flowcontrol.apiserver.k8s.io", Kind: "PriorityLevelConfiguration"}: prioritylevelconfiguration.Strategy,

		{Group: "lifecycle.k8s.io", Kind: "Eviction"}:        eviction.NewStrategy(clock.RealClock{}),
		{Group: "lifecycle.k8s.io", Kind: "EvictionRequest"}: evictionrequest.NewStrategy(),

		{Group: "networking.k8s.io", Kind: "Ingress"}:       ingress.Strategy,
		{Group: "networking.k8s.io", Kind: "IngressClass"}:  ingressclass.Strategy,
		{Group: "networking.k8s.io", Kind: "IPAddress"}:     ipaddress.Strategy,
		{Group: "networking.k8s.io", Kind: "NetworkPolicy"}: networkpolicy.Strategy,
		{Group: "networking.k8s.io", Kind: "ServiceCIDR"}:   servicecidr.Strategy,

		{Group: "node.k8s.io", Kind: "RuntimeClass"}: runtimeclass.Strategy,

		{Group: "policy", Kind: "PodDisruptionBudget"}: poddisruptionbudget.Strategy,

		{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:        clusterrole.Strategy,
		{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: clusterrolebinding.Strategy,
		{Group: "rbac.authorization.k8s.io", Kind: "Role"}:               role.Strategy,
		{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        rolebinding.Strategy,

		{Group: "resource.k8s.io", Kind: "DeviceClass"}:               deviceclass.Strategy,
		{Group: "resource.k8s.io", Kind: "DeviceTaintRule"}:           devicetaintrule.Strategy,
		{Group: "resource.k8s.io", Kind: "ResourceClaim"}:             resourceclaim.NewStrategy(adminNamespaces{}, allow),
		{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}:     resourceclaimtemplate.NewStrategy(adminNamespaces{}),
		{Group: "resource.k8s.io", Kind: "ResourcePoolStatusRequest"}: resourcepoolstatusrequest.Strategy,
		{Group: "resource.k8s.io", Kind: "ResourceSlice"}:             resourceslice.Strategy,

		{Group: "scheduling.k8s.io", Kind: "CompositePodGroup"}: compositepodgroup.NewStrategy(),
		{Group: "scheduling.k8s.io", Kind: "PodGroup"}:          podgroup.NewStrategy(),
		{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:     priorityclass.Strategy,
		{Group: "scheduling.k8s.io", Kind: "Workload"}:          workload.Strategy,

		{Group: "storage.k8s.io", Kind: "CSIDriver"}:             csidriver.Strategy,
		{Group: "storage.k8s.io", Kind: "CSINode"}:               csinode.Strategy,
		{Group: "storage.k8s.io", Kind: "CSIStorageCapacity"}:    csistoragecapacity.Strategy,
		{Group: "storage.k8s.io", Kind: "StorageClass"}:          storageclass.Strategy,
		{Group: "storage.k8s.io", Kind: "VolumeAttachment"}:      volumeattachment.Strategy,
		{Group: "storage.k8s.io", Kind: "VolumeAttributesClass"}: volumeattributesclass.Strategy,

		{Group: "storagemigration.k8s.io", Kind: "StorageVersionMigration"}: storagemigration.Strategy,
	}
}

// adminNamespaces returns namespaces in which all users have admin access to devices.
type adminNamespaces struct{ typedcorev1.NamespaceInterface }

func (adminNamespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name:   name,
		Labels: map[string]string{"resource.kubernetes.io/admin-access": "true"},
	}}, nil
}
