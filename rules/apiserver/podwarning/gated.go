package podwarning

import "github.com/kubevet/kubevet/rules/lifecycle"

// gatedFields are the fields that a server drops if a gate is off. Changes to
// them then have no effect. The list has the gates that are off by default in
// some minor from 1.22 on. Source: dropDisabledFields in pkg/api/pod/util.go and
// the strategies in pkg/registry/{apps,batch}.
var gatedFields = [...]struct {
	parent   structure
	name     string
	gate     string
	from, to lifecycle.Minor
}{
	{podSpec, "ephemeralContainers", "EphemeralContainers", 22, 24},
	{podSpec, "os", "IdentifyPodOS", 23, 24},
	{podSpec, "hostUsers", "UserNamespacesStatelessPodsSupport", 25, 27},
	{podSpec, "hostUsers", "UserNamespacesSupport", 28, 37},
	{podSpec, "schedulingGates", "PodSchedulingReadiness", 26, 29},
	{podSpec, "resourceClaims", "DynamicResourceAllocation", 26, 37},
	{requirements, "claims", "DynamicResourceAllocation", 26, 37},
	{podSpec, "resources", "PodLevelResources", 32, 37},
	{podSpec, "hostnameOverride", "HostnameOverride", 34, 37},
	{podSpec, "workloadRef", "GenericWorkload", 35, 35},
	{podSpec, "schedulingGroup", "GenericWorkload", 36, 37},
	{podSpec, "evictionResponders", "EvictionRequestAPI", 37, 37},
	{podSecurity, "supplementalGroupsPolicy", "SupplementalGroupsPolicy", 31, 37},
	{podSecurity, "seLinuxChangePolicy", "SELinuxChangePolicy", 32, 37},
	{podSecurity, "appArmorProfile", "AppArmorFields", 30, 30},
	{topology, "minDomains", "MinDomainsInPodTopologySpread", 24, 29},
	{topology, "matchLabelKeys", "MatchLabelKeysInPodTopologySpread", 25, 37},
	{topology, "nodeAffinityPolicy", "NodeInclusionPolicyInPodTopologySpread", 25, 37},
	{topology, "nodeTaintsPolicy", "NodeInclusionPolicyInPodTopologySpread", 25, 37},
	{affinityTerm, "matchLabelKeys", "MatchLabelKeysInPodAffinity", 29, 37},
	{affinityTerm, "mismatchLabelKeys", "MatchLabelKeysInPodAffinity", 29, 37},
	{containerSpec, "resizePolicy", "InPlacePodVerticalScaling", 27, 37},
	{containerSpec, "restartPolicy", "SidecarContainers", 28, 32},
	{containerSpec, "restartPolicyRules", "ContainerRestartRules", 34, 37},
	{volumeMount, "recursiveReadOnly", "RecursiveReadOnlyMounts", 30, 37},
	{volumeMount, "bindMountOptions", "VolumeBindMountOptions", 37, 37},
	{emptyDir, "mode", "EmptyDirVolumeMode", 37, 37},
	{probe, "terminationGracePeriodSeconds", "ProbeTerminationGracePeriod", 22, 27},
	{httpGet, "protocol", "H2CContainerProbe", 37, 37},
	{grpc, "mode", "GRPCContainerProbeTLS", 37, 37},
	{hooks, "stopSignal", "ContainerStopSignals", 33, 37},
	{files, "defaultUser", "AtomicWriteVolumeUserFields", 37, 37},
	{projected, "defaultUser", "AtomicWriteVolumeUserFields", 37, 37},
	{file, "user", "AtomicWriteVolumeUserFields", 37, 37},
	{tokenProjection, "user", "AtomicWriteVolumeUserFields", 37, 37},
	{projectedSource, "clusterTrustBundle", "ClusterTrustBundleProjection", 29, 37},
	{projectedSource, "podCertificate", "PodCertificateRequest", 34, 37},
	{envSource, "fileKeyRef", "EnvFiles", 34, 37},
	{statefulSet, "minReadySeconds", "StatefulSetMinReadySeconds", 22, 24},
	{statefulSet, "persistentVolumeClaimRetentionPolicy", "StatefulSetAutoDeletePVC", 23, 34},
	{statefulSet, "ordinals", "StatefulSetStartOrdinal", 26, 33},
	{statefulSetRolling, "maxUnavailable", "MaxUnavailableStatefulSet", 24, 37},
	{job, "podFailurePolicy", "JobPodFailurePolicy", 25, 30},
	{job, "backoffLimitPerIndex", "JobBackoffLimitPerIndex", 28, 36},
	{job, "maxFailedIndexes", "JobBackoffLimitPerIndex", 28, 36},
	{job, "podReplacementPolicy", "JobPodReplacementPolicy", 28, 36},
	{job, "successPolicy", "JobSuccessPolicy", 30, 36},
	{job, "scheduling", "WorkloadWithJob", 37, 37},
	{templateJob, "scheduling", "WorkloadWithJob", 37, 37},
	{cronJob, "timeZone", "CronJobTimeZone", 24, 26},
}

// gatedOff reports whether the server drops a field because its gate is off.
func (w *writer) gatedOff(t structure, name string) bool {
	for i := range gatedFields {
		if f := &gatedFields[i]; f.parent == t && f.name == name && f.from <= w.Minor && w.Minor <= f.to && !w.Enabled(f.gate) {
			return true
		}
	}
	return false
}
