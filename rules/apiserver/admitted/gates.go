//go:build !js

package admitted

import (
	"reflect"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// gates drops a field if its feature gate is off and the stored object does not
// have the field. Source: dropDisabledFields and DropDisabled… in
// pkg/api/*/util.go and pkg/registry/*/*/strategy.go.
type gates struct {
	apiserver.Server
	// used has the gated fields that the stored object sets. If collect is set,
	// the walk only fills used and changes nothing.
	used    map[typeField]bool
	collect bool
	update  bool
}

// gateOfField returns the feature gates of fields. A field is dropped if its gate
// is off. A field with the gate "" is always dropped.
func gateOfField() map[typeField]string {
	return map[typeField]string{
		{"core.PodSpec", "Resources"}:                                   "PodLevelResources",
		{"core.PodSpec", "HostnameOverride"}:                            "HostnameOverride",
		{"core.PodSpec", "ResourceClaims"}:                              "DynamicResourceAllocation",
		{"core.PodSpec", "SchedulingGates"}:                             "PodSchedulingReadiness",
		{"core.PodSpec", "SchedulingGroup"}:                             "GenericWorkload",
		{"core.PodSpec", "EvictionResponders"}:                          "EvictionRequestAPI",
		{"core.ResourceRequirements", "Claims"}:                         "DynamicResourceAllocation",
		{"core.PodSecurityContext", "SupplementalGroupsPolicy"}:         "SupplementalGroupsPolicy",
		{"core.PodSecurityContext", "SELinuxChangePolicy"}:              "SELinuxChangePolicy",
		{"core.TopologySpreadConstraint", "MinDomains"}:                 "MinDomainsInPodTopologySpread",
		{"core.TopologySpreadConstraint", "NodeAffinityPolicy"}:         "NodeInclusionPolicyInPodTopologySpread",
		{"core.TopologySpreadConstraint", "NodeTaintsPolicy"}:           "NodeInclusionPolicyInPodTopologySpread",
		{"core.TopologySpreadConstraint", "MatchLabelKeys"}:             "MatchLabelKeysInPodTopologySpread",
		{"core.PodAffinityTerm", "MatchLabelKeys"}:                      "MatchLabelKeysInPodAffinity",
		{"core.PodAffinityTerm", "MismatchLabelKeys"}:                   "MatchLabelKeysInPodAffinity",
		{"core.VolumeProjection", "ClusterTrustBundle"}:                 "ClusterTrustBundleProjection",
		{"core.VolumeProjection", "PodCertificate"}:                     "PodCertificateRequest",
		{"core.SecretVolumeSource", "DefaultUser"}:                      "AtomicWriteVolumeUserFields",
		{"core.ConfigMapVolumeSource", "DefaultUser"}:                   "AtomicWriteVolumeUserFields",
		{"core.DownwardAPIVolumeSource", "DefaultUser"}:                 "AtomicWriteVolumeUserFields",
		{"core.ProjectedVolumeSource", "DefaultUser"}:                   "AtomicWriteVolumeUserFields",
		{"core.KeyToPath", "User"}:                                      "AtomicWriteVolumeUserFields",
		{"core.DownwardAPIVolumeFile", "User"}:                          "AtomicWriteVolumeUserFields",
		{"core.ServiceAccountTokenProjection", "User"}:                  "AtomicWriteVolumeUserFields",
		{"core.ClusterTrustBundleProjection", "User"}:                   "AtomicWriteVolumeUserFields",
		{"core.PodCertificateProjection", "User"}:                       "AtomicWriteVolumeUserFields",
		{"core.GRPCAction", "Mode"}:                                     "GRPCContainerProbeTLS",
		{"core.HTTPGetAction", "Protocol"}:                              "H2CContainerProbe",
		{"core.LifecycleHandler", "Sleep"}:                              "PodLifecycleSleepAction",
		{"core.Lifecycle", "StopSignal"}:                                "ContainerStopSignals",
		{"core.Container", "ResizePolicy"}:                              "InPlacePodVerticalScaling",
		{"core.EphemeralContainerCommon", "ResizePolicy"}:               "InPlacePodVerticalScaling",
		{"core.Container", "RestartPolicyRules"}:                        "ContainerRestartRules",
		{"core.EphemeralContainerCommon", "RestartPolicyRules"}:         "ContainerRestartRules",
		{"core.VolumeMount", "RecursiveReadOnly"}:                       "RecursiveReadOnlyMounts",
		{"core.VolumeMount", "BindMountOptions"}:                        "VolumeBindMountOptions",
		{"core.EmptyDirVolumeSource", "Mode"}:                           "EmptyDirVolumeMode",
		{"core.EnvVarSource", "FileKeyRef"}:                             "EnvFiles",
		{"core.PersistentVolumeClaimSpec", "VolumeAttributesClassName"}: "VolumeAttributesClass",
		{"core.ServiceSpec", "TrafficDistribution"}:                     "ServiceTrafficDistribution",
		{"core.NodeSpec", "ConfigSource"}:                               "",
		{"core.NodeStatus", "Config"}:                                   "",
		{"core.NodeSpec", "PodPreemptionPolicy"}:                        "InPlacePodVerticalScalingSchedulerPreemption",
		{"core.NodeStatus", "Features"}:                                 "SupplementalGroupsPolicy",
		{"core.NodeStatus", "DeclaredFeatures"}:                         "NodeDeclaredFeatures",

		{"apps.StatefulSetSpec", "Ordinals"}:                             "StatefulSetStartOrdinal",
		{"apps.StatefulSetSpec", "PersistentVolumeClaimRetentionPolicy"}: "StatefulSetAutoDeletePVC",
		{"apps.RollingUpdateStatefulSetStrategy", "MaxUnavailable"}:      "MaxUnavailableStatefulSet",
		{"batch.JobSpec", "Scheduling"}:                                  "WorkloadWithJob",
		{"autoscaling.HPAScalingRules", "Tolerance"}:                     "HPAConfigurableTolerance",
		{"policy.PodDisruptionBudgetSpec", "UnhealthyPodEvictionPolicy"}: "PDBUnhealthyPodEvictionPolicy",
		{"coordination.LeaseSpec", "Strategy"}:                           "CoordinatedLeaderElection",
		{"coordination.LeaseSpec", "PreferredHolder"}:                    "CoordinatedLeaderElection",
		{"discovery.EndpointHints", "ForNodes"}:                          "PreferSameTrafficDistribution",
		{"discovery.Endpoint", "DeprecatedTopology"}:                     "",
		{"storage.CSIDriverSpec", "SELinuxMount"}:                        "SELinuxMountReadWriteOncePod",
		{"storage.CSIDriverSpec", "NodeAllocatableUpdatePeriodSeconds"}:  "MutableCSINodeAllocatableCount",
		{"storage.CSIDriverSpec", "ServiceAccountTokenInSecrets"}:        "CSIServiceAccountTokenSecrets",
		{"storage.CSIDriverSpec", "PreventPodSchedulingIfMissing"}:       "VolumeLimitScaling",

		{"resource.DeviceClassSpec", "ExtendedResourceName"}:     "DRAExtendedResource",
		{"resource.DeviceRequest", "AdminAccess"}:                "DRAAdminAccess",
		{"resource.ExactDeviceRequest", "AdminAccess"}:           "DRAAdminAccess",
		{"resource.DeviceRequest", "FirstAvailable"}:             "DRAPrioritizedList",
		{"resource.DeviceRequest", "Tolerations"}:                "DRADeviceTaints",
		{"resource.ExactDeviceRequest", "Tolerations"}:           "DRADeviceTaints",
		{"resource.DeviceSubRequest", "Tolerations"}:             "DRADeviceTaints",
		{"resource.DeviceRequest", "Capacity"}:                   "DRAConsumableCapacity",
		{"resource.ExactDeviceRequest", "Capacity"}:              "DRAConsumableCapacity",
		{"resource.DeviceSubRequest", "Capacity"}:                "DRAConsumableCapacity",
		{"resource.DeviceConstraint", "DistinctAttribute"}:       "DRAConsumableCapacity",
		{"resource.Device", "Taints"}:                            "DRADeviceTaints",
		{"resource.BasicDevice", "Taints"}:                       "DRADeviceTaints",
		{"resource.Device", "ConsumesCounters"}:                  "DRAPartitionableDevices",
		{"resource.Device", "NodeName"}:                          "DRAPartitionableDevices",
		{"resource.Device", "NodeSelector"}:                      "DRAPartitionableDevices",
		{"resource.Device", "AllNodes"}:                          "DRAPartitionableDevices",
		{"resource.Device", "AllowMultipleAllocations"}:          "DRAConsumableCapacity",
		{"resource.Device", "BindsToNode"}:                       "DRADeviceBindingConditions",
		{"resource.Device", "BindingConditions"}:                 "DRADeviceBindingConditions",
		{"resource.Device", "BindingFailureConditions"}:          "DRADeviceBindingConditions",
		{"resource.ResourceSliceSpec", "SharedCounters"}:         "DRAPartitionableDevices",
		{"resource.ResourceSliceSpec", "PerDeviceNodeSelection"}: "DRAPartitionableDevices",
	}
}

// dropper drops the fields of gateOfField whose gates are off, and fields with
// more complicated rules.
var dropper = sync.OnceValue(func() *walker[*gates] {
	fields := map[typeField]func(*gates, reflect.Value){}
	for field, gate := range gateOfField() {
		fields[field] = func(g *gates, v reflect.Value) {
			if !v.IsZero() && g.mustDrop(field, gate) {
				v.SetZero()
			}
		}
	}
	return newWalker(gateSteps, fields)
})

// mustDrop reports whether a field that is set must be dropped. If collect is
// set, it adds the field to used and returns false.
func (g *gates) mustDrop(field typeField, gate string) bool {
	if g.collect {
		g.used[field] = true
		return false
	}
	return !g.used[field] && (gate == "" || !g.Enabled(gate))
}

// dropDisabled drops the fields of obj whose gates are off. A field that the
// stored object old has is kept. old is nil on create.
func dropDisabled(s apiserver.Server, obj, old any) {
	g := &gates{Server: s, used: map[typeField]bool{}, update: old != nil}
	if old != nil {
		g.collect = true
		dropper().walk(g, old)
		g.collect = false
	}
	dropper().walk(g, obj)
}

var gateSteps = []step[*gates]{
	stepFor(func(g *gates, v *corev1.PodSpec) {
		hostUsers := "UserNamespacesSupport"
		if g.Minor < 28 {
			hostUsers = "UserNamespacesStatelessPodsSupport"
		}
		if v.HostUsers != nil && g.mustDrop(typeField{"core.PodSpec", "HostUsers"}, hostUsers) {
			v.HostUsers = nil
		}
		g.dropImageVolumes(v)
		for c := range containersOf(v) {
			if c.SecurityContext != nil && c.SecurityContext.ProcMount != nil && *c.SecurityContext.ProcMount != corev1.DefaultProcMount &&
				g.mustDrop(typeField{"core.SecurityContext", "ProcMount"}, "ProcMountType") {
				*c.SecurityContext.ProcMount = corev1.DefaultProcMount
			}
			if l := c.Lifecycle; l != nil && l.StopSignal != nil && l.PreStop == nil && l.PostStart == nil &&
				g.mustDrop(typeField{"core.Lifecycle", "StopSignal"}, "ContainerStopSignals") {
				c.Lifecycle = nil
			}
		}
		g.dropRestartPolicies(v)
	}),
	stepFor(func(g *gates, v *corev1.PodSecurityContext) {
		if g.Minor == 30 && v.AppArmorProfile != nil && g.mustDrop(typeField{"core", "AppArmorProfile"}, "AppArmorFields") {
			v.AppArmorProfile = nil
		}
	}),
	stepFor(func(g *gates, v *corev1.SecurityContext) {
		if g.Minor == 30 && v.AppArmorProfile != nil && g.mustDrop(typeField{"core", "AppArmorProfile"}, "AppArmorFields") {
			v.AppArmorProfile = nil
		}
	}),
	stepFor(func(g *gates, v *corev1.NodeStatus) {
		if v.RuntimeHandlers != nil && !g.collect && !g.Enabled("RecursiveReadOnlyMounts") && !(g.Minor >= 31 && g.Enabled("UserNamespacesSupport")) {
			v.RuntimeHandlers = nil
		}
	}),
	stepFor(func(g *gates, v *corev1.PersistentVolumeSpec) {
		field := typeField{"core.PersistentVolumeSpec", "VolumeAttributesClassName"}
		// 1.29 and 1.30 do not drop the field on create.
		if v.VolumeAttributesClassName != nil && g.mustDrop(field, "VolumeAttributesClass") && (g.update || g.Minor >= 31) {
			v.VolumeAttributesClassName = nil
		}
	}),
	stepFor(func(g *gates, v *corev1.PersistentVolumeClaimSpec) {
		ref := v.DataSourceRef
		if ref != nil && ref.Namespace != nil && *ref.Namespace != "" &&
			g.mustDrop(typeField{"core.PersistentVolumeClaimSpec", "DataSourceRef"}, "CrossNamespaceVolumeDataSource") {
			v.DataSourceRef = nil
		}
	}),
}

// dropImageVolumes drops volumes with an image source, and their mounts.
func (g *gates) dropImageVolumes(spec *corev1.PodSpec) {
	images := map[string]bool{}
	for i := range spec.Volumes {
		if spec.Volumes[i].Image != nil && g.mustDrop(typeField{"core.Volume", "Image"}, "ImageVolume") {
			images[spec.Volumes[i].Name] = true
		}
	}
	if len(images) == 0 {
		return
	}
	var volumes []corev1.Volume
	for i := range spec.Volumes {
		if spec.Volumes[i].Image == nil {
			volumes = append(volumes, spec.Volumes[i])
		}
	}
	spec.Volumes = volumes
	for c := range containersOf(spec) {
		var mounts []corev1.VolumeMount
		for _, mount := range c.VolumeMounts {
			if !images[mount.Name] {
				mounts = append(mounts, mount)
			}
		}
		c.VolumeMounts = mounts
	}
}

// dropRestartPolicies drops the restart policies of containers, and of init
// containers that are not sidecars.
func (g *gates) dropRestartPolicies(spec *corev1.PodSpec) {
	field := typeField{"core.Container", "RestartPolicy"}
	drop := func(policy **corev1.ContainerRestartPolicy, init bool) {
		switch {
		case *policy == nil:
		case init && g.Minor < 34, init && **policy == corev1.ContainerRestartPolicyAlways:
			if g.mustDrop(typeField{"core.Container", "RestartPolicy of init containers"}, "SidecarContainers") {
				*policy = nil
			}
		case g.Minor >= 34 && g.mustDrop(field, "ContainerRestartRules"):
			*policy = nil
		}
	}
	for i := range spec.InitContainers {
		drop(&spec.InitContainers[i].RestartPolicy, true)
	}
	for i := range spec.Containers {
		drop(&spec.Containers[i].RestartPolicy, false)
	}
	for i := range spec.EphemeralContainers {
		drop(&spec.EphemeralContainers[i].RestartPolicy, false)
	}
}
