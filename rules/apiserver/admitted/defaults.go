//go:build !js

package admitted

import (
	"reflect"
	"sync"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// defaulter sets the defaults of built-in kinds. It also makes the changes that
// result from converting the object to the server's internal version and back.
var defaulter = sync.OnceValue(func() *walker[apiserver.Server] {
	var steps []step[apiserver.Server]
	for _, list := range [][]step[apiserver.Server]{coreDefaults, podDefaults, workloadDefaults, otherDefaults} {
		steps = append(steps, list...)
	}
	fields := map[typeField]func(apiserver.Server, reflect.Value){}
	for field, value := range fixedDefaults() {
		v := reflect.ValueOf(value)
		fields[field] = func(_ apiserver.Server, field reflect.Value) { setDefault(field, v) }
	}
	return newWalker(steps, fields)
})

// fixedDefaults are the defaults that do not depend on other fields. Each of
// these fields is as old as its struct: a release that has the struct has the
// field.
func fixedDefaults() map[typeField]any {
	return map[typeField]any{
		{"core.ContainerPort", "Protocol"}:                             "TCP",
		{"core.ServicePort", "Protocol"}:                               "TCP",
		{"core.EndpointPort", "Protocol"}:                              "TCP",
		{"core.Container", "TerminationMessagePath"}:                   "/dev/termination-log",
		{"core.Container", "TerminationMessagePolicy"}:                 "File",
		{"core.EphemeralContainerCommon", "TerminationMessagePath"}:    "/dev/termination-log",
		{"core.EphemeralContainerCommon", "TerminationMessagePolicy"}:  "File",
		{"core.FileKeySelector", "Optional"}:                           false,
		{"core.HTTPGetAction", "Path"}:                                 "/",
		{"core.HTTPGetAction", "Scheme"}:                               "HTTP",
		{"core.GRPCAction", "Service"}:                                 "",
		{"core.Probe", "TimeoutSeconds"}:                               1,
		{"core.Probe", "PeriodSeconds"}:                                10,
		{"core.Probe", "SuccessThreshold"}:                             1,
		{"core.Probe", "FailureThreshold"}:                             3,
		{"core.ObjectFieldSelector", "APIVersion"}:                     "v1",
		{"core.PodSpec", "DNSPolicy"}:                                  "ClusterFirst",
		{"core.PodSpec", "RestartPolicy"}:                              "Always",
		{"core.PodSpec", "TerminationGracePeriodSeconds"}:              30,
		{"core.PodSpec", "SchedulerName"}:                              "default-scheduler",
		{"core.HostPathVolumeSource", "Type"}:                          "",
		{"core.SecretVolumeSource", "DefaultMode"}:                     0o644,
		{"core.ConfigMapVolumeSource", "DefaultMode"}:                  0o644,
		{"core.DownwardAPIVolumeSource", "DefaultMode"}:                0o644,
		{"core.ProjectedVolumeSource", "DefaultMode"}:                  0o644,
		{"core.ServiceAccountTokenProjection", "ExpirationSeconds"}:    3600,
		{"core.ISCSIVolumeSource", "ISCSIInterface"}:                   "default",
		{"core.ISCSIPersistentVolumeSource", "ISCSIInterface"}:         "default",
		{"core.RBDVolumeSource", "RBDPool"}:                            "rbd",
		{"core.RBDVolumeSource", "RadosUser"}:                          "admin",
		{"core.RBDVolumeSource", "Keyring"}:                            "/etc/ceph/keyring",
		{"core.RBDPersistentVolumeSource", "RBDPool"}:                  "rbd",
		{"core.RBDPersistentVolumeSource", "RadosUser"}:                "admin",
		{"core.RBDPersistentVolumeSource", "Keyring"}:                  "/etc/ceph/keyring",
		{"core.AzureDiskVolumeSource", "CachingMode"}:                  "ReadWrite",
		{"core.AzureDiskVolumeSource", "FSType"}:                       "ext4",
		{"core.AzureDiskVolumeSource", "ReadOnly"}:                     false,
		{"core.AzureDiskVolumeSource", "Kind"}:                         "Shared",
		{"core.ScaleIOVolumeSource", "StorageMode"}:                    "ThinProvisioned",
		{"core.ScaleIOVolumeSource", "FSType"}:                         "xfs",
		{"core.ScaleIOPersistentVolumeSource", "StorageMode"}:          "ThinProvisioned",
		{"core.ScaleIOPersistentVolumeSource", "FSType"}:               "xfs",
		{"core.Secret", "Type"}:                                        "Opaque",
		{"core.PersistentVolumeSpec", "PersistentVolumeReclaimPolicy"}: "Retain",
		{"core.PersistentVolumeSpec", "VolumeMode"}:                    "Filesystem",
		{"core.PersistentVolumeStatus", "Phase"}:                       "Pending",
		{"core.PersistentVolumeClaimSpec", "VolumeMode"}:               "Filesystem",
		{"core.PersistentVolumeClaimStatus", "Phase"}:                  "Pending",
		{"core.NamespaceStatus", "Phase"}:                              "Active",
		{"core.ReplicationControllerSpec", "Replicas"}:                 1,
		{"core.ServiceSpec", "SessionAffinity"}:                        "None",
		{"core.ServiceSpec", "Type"}:                                   "ClusterIP",

		{"apps.DeploymentSpec", "Replicas"}:                1,
		{"apps.DeploymentSpec", "RevisionHistoryLimit"}:    10,
		{"apps.DeploymentSpec", "ProgressDeadlineSeconds"}: 600,
		{"apps.DaemonSetSpec", "RevisionHistoryLimit"}:     10,
		{"apps.StatefulSetSpec", "PodManagementPolicy"}:    "OrderedReady",
		{"apps.StatefulSetSpec", "Replicas"}:               1,
		{"apps.StatefulSetSpec", "RevisionHistoryLimit"}:   10,
		{"apps.ReplicaSetSpec", "Replicas"}:                1,

		{"batch.CronJobSpec", "ConcurrencyPolicy"}:                 "Allow",
		{"batch.CronJobSpec", "Suspend"}:                           false,
		{"batch.CronJobSpec", "SuccessfulJobsHistoryLimit"}:        3,
		{"batch.CronJobSpec", "FailedJobsHistoryLimit"}:            1,
		{"autoscaling.HorizontalPodAutoscalerSpec", "MinReplicas"}: 1,

		{"admissionregistration.ValidatingWebhook", "FailurePolicy"}:             "Fail",
		{"admissionregistration.ValidatingWebhook", "MatchPolicy"}:               "Equivalent",
		{"admissionregistration.ValidatingWebhook", "TimeoutSeconds"}:            10,
		{"admissionregistration.MutatingWebhook", "FailurePolicy"}:               "Fail",
		{"admissionregistration.MutatingWebhook", "MatchPolicy"}:                 "Equivalent",
		{"admissionregistration.MutatingWebhook", "TimeoutSeconds"}:              10,
		{"admissionregistration.MutatingWebhook", "ReinvocationPolicy"}:          "Never",
		{"admissionregistration.Rule", "Scope"}:                                  "*",
		{"admissionregistration.ServiceReference", "Port"}:                       443,
		{"admissionregistration.MatchResources", "MatchPolicy"}:                  "Equivalent",
		{"admissionregistration.ValidatingAdmissionPolicySpec", "FailurePolicy"}: "Fail",
		{"admissionregistration.MutatingAdmissionPolicySpec", "FailurePolicy"}:   "Fail",
		{"apiextensions.ServiceReference", "Port"}:                               443,

		{"discovery.EndpointPort", "Name"}:     "",
		{"discovery.EndpointPort", "Protocol"}: "TCP",

		{"flowcontrol.FlowSchemaSpec", "MatchingPrecedence"}:                          1000,
		{"flowcontrol.ExemptPriorityLevelConfiguration", "NominalConcurrencyShares"}:  0,
		{"flowcontrol.ExemptPriorityLevelConfiguration", "LendablePercent"}:           0,
		{"flowcontrol.LimitedPriorityLevelConfiguration", "AssuredConcurrencyShares"}: 30,
		{"flowcontrol.LimitedPriorityLevelConfiguration", "LendablePercent"}:          0,
		{"flowcontrol.QueuingConfiguration", "HandSize"}:                              8,
		{"flowcontrol.QueuingConfiguration", "Queues"}:                                64,
		{"flowcontrol.QueuingConfiguration", "QueueLengthLimit"}:                      50,

		{"networking.NetworkPolicyPort", "Protocol"}:            "TCP",
		{"networking.IngressClassParametersReference", "Scope"}: "Cluster",

		{"rbac.RoleRef", "APIGroup"}: "rbac.authorization.k8s.io",

		{"resource.DeviceToleration", "Operator"}:                          "Equal",
		{"resource.ResourcePoolStatusRequestSpec", "Limit"}:                100,
		{"certificates.PodCertificateRequestSpec", "MaxExpirationSeconds"}: 86400,

		{"scheduling.PriorityClass", "PreemptionPolicy"}: "PreemptLowerPriority",

		{"storage.StorageClass", "ReclaimPolicy"}:      "Delete",
		{"storage.StorageClass", "VolumeBindingMode"}:  "Immediate",
		{"storage.CSIDriverSpec", "AttachRequired"}:    true,
		{"storage.CSIDriverSpec", "PodInfoOnMount"}:    false,
		{"storage.CSIDriverSpec", "StorageCapacity"}:   false,
		{"storage.CSIDriverSpec", "FSGroupPolicy"}:     "ReadWriteOnceWithFSType",
		{"storage.CSIDriverSpec", "RequiresRepublish"}: false,
	}
}

// setTo sets *p to v if it is nil.
func setTo[T any](p **T, v T) {
	if *p == nil {
		*p = &v
	}
}

// setDefault sets a field to value if it is nil, "" or 0.
func setDefault(field, value reflect.Value) {
	if !field.IsZero() {
		return
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	field.Set(value.Convert(field.Type()))
}
