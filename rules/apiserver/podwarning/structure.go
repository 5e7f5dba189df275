package podwarning

import "github.com/kubevet/kubevet/rules/apiserver/wire"

// structure is a type that comparer must know, because one of its fields, or of
// the types inside it, has a default. The zero value means any other type.
type structure uint8

const (
	other structure = iota
	stringMap
	amount
	amounts
	deployment
	deploymentStrategy
	deploymentRolling
	statefulSet
	statefulSetStrategy
	statefulSetRolling
	retentionPolicy
	daemonSet
	daemonSetStrategy
	daemonSetRolling
	replicaSet
	replicationController
	job
	podFailurePolicy
	podFailureRule
	podCondition
	cronJob
	jobTemplate
	templateJob // the Job in a jobTemplate, which gets no defaults
	podTemplate
	podSpec
	podSecurity
	containerSpec
	containerPort
	envVar
	envSource
	fileKeyRef
	fieldRef
	resourceFieldRef
	requirements
	probe
	httpGet
	grpc
	hooks
	hook
	volume
	hostPath
	files
	file
	projected
	projectedSource
	tokenProjection
	emptyDir
	flexVolume
	iscsi
	rbd
	azureDisk
	scaleIO
	image
	ephemeral
	claim
	claimSpec
	claimStatus
	metadata
	topology
	affinity
	affinityKind
	affinityTerm
	weightedTerm
	volumeMount
)

// field returns the type of a field's value. For a list it is the type of the
// items.
func (t structure) field(name string) structure {
	switch name {
	case "metadata":
		return metadata
	case "annotations", "labels", "matchLabels", "nodeSelector", "volumeAttributes":
		return stringMap
	case "limits", "requests", "overhead", "capacity", "allocatedResources":
		return amounts
	case "divisor", "sizeLimit":
		return amount
	}
	for i := range structureFields {
		if f := &structureFields[i]; f.parent == t && f.name == name {
			return f.is
		}
	}
	return other
}

// structureFields are the fields whose values have a structure, with the
// structure that contains the field.
var structureFields = [...]struct {
	parent structure
	name   string
	is     structure
}{
	{deployment, "template", podTemplate}, {deployment, "strategy", deploymentStrategy}, {deploymentStrategy, "rollingUpdate", deploymentRolling},
	{statefulSet, "template", podTemplate}, {statefulSet, "updateStrategy", statefulSetStrategy}, {statefulSetStrategy, "rollingUpdate", statefulSetRolling},
	{statefulSet, "persistentVolumeClaimRetentionPolicy", retentionPolicy}, {statefulSet, "volumeClaimTemplates", claim},
	{daemonSet, "template", podTemplate}, {daemonSet, "updateStrategy", daemonSetStrategy}, {daemonSetStrategy, "rollingUpdate", daemonSetRolling},
	{replicaSet, "template", podTemplate}, {replicationController, "template", podTemplate}, {replicationController, "selector", stringMap},
	{job, "template", podTemplate}, {job, "podFailurePolicy", podFailurePolicy}, {podFailurePolicy, "rules", podFailureRule}, {podFailureRule, "onPodConditions", podCondition},
	{cronJob, "jobTemplate", jobTemplate}, {jobTemplate, "spec", templateJob}, {templateJob, "template", podTemplate},
	{templateJob, "podFailurePolicy", podFailurePolicy},
	{podTemplate, "spec", podSpec}, {podSpec, "securityContext", podSecurity}, {podSpec, "volumes", volume}, {podSpec, "resources", requirements},
	{podSpec, "containers", containerSpec}, {podSpec, "initContainers", containerSpec}, {podSpec, "ephemeralContainers", containerSpec},
	{podSpec, "topologySpreadConstraints", topology}, {podSpec, "affinity", affinity},
	{affinity, "podAffinity", affinityKind}, {affinity, "podAntiAffinity", affinityKind},
	{affinityKind, "requiredDuringSchedulingIgnoredDuringExecution", affinityTerm},
	{affinityKind, "preferredDuringSchedulingIgnoredDuringExecution", weightedTerm}, {weightedTerm, "podAffinityTerm", affinityTerm},
	{containerSpec, "volumeMounts", volumeMount}, {containerSpec, "ports", containerPort}, {containerSpec, "env", envVar}, {containerSpec, "resources", requirements}, {containerSpec, "lifecycle", hooks},
	{containerSpec, "livenessProbe", probe}, {containerSpec, "readinessProbe", probe}, {containerSpec, "startupProbe", probe},
	{envVar, "valueFrom", envSource}, {envSource, "fieldRef", fieldRef}, {envSource, "resourceFieldRef", resourceFieldRef}, {envSource, "fileKeyRef", fileKeyRef},
	{probe, "httpGet", httpGet}, {probe, "grpc", grpc}, {hooks, "postStart", hook}, {hooks, "preStop", hook}, {hook, "httpGet", httpGet},
	{volume, "hostPath", hostPath}, {volume, "configMap", files}, {volume, "secret", files}, {volume, "downwardAPI", files}, {volume, "projected", projected},
	{volume, "emptyDir", emptyDir}, {volume, "iscsi", iscsi}, {volume, "rbd", rbd}, {volume, "azureDisk", azureDisk}, {volume, "scaleIO", scaleIO},
	{volume, "flexVolume", flexVolume}, {flexVolume, "options", stringMap},
	{volume, "image", image}, {volume, "ephemeral", ephemeral}, {ephemeral, "volumeClaimTemplate", claim},
	{files, "items", file}, {file, "fieldRef", fieldRef}, {file, "resourceFieldRef", resourceFieldRef},
	{projected, "sources", projectedSource}, {projectedSource, "downwardAPI", files}, {projectedSource, "serviceAccountToken", tokenProjection},
	{claim, "spec", claimSpec}, {claim, "status", claimStatus}, {claimSpec, "resources", requirements},
}

// optional reports whether a zero value differs from an unset field, as for a
// pointer without a default.
func optional(t structure, name string, v *wire.Value) bool {
	switch v.Kind {
	case wire.List:
		return false
	case wire.Map:
		switch name {
		case "metadata", "template", "spec", "status", "strategy", "updateStrategy", "jobTemplate",
			"annotations", "labels", "matchLabels", "nodeSelector", "limits", "requests", "overhead", "podAffinityTerm", "preference":
			return t == replicationController && name == "template"
		case "resources":
			return t == podSpec
		case "selector":
			return t != replicationController
		case "rollingUpdate":
			return t == statefulSetStrategy
		case "options":
			return false
		}
		return true
	}
	switch name {
	case "activeDeadlineSeconds", "allowPrivilegeEscalation", "apiGroup", "automountServiceAccountToken", "backoffLimitPerIndex", "completions",
		"defaultUser", "fsGroup", "fsGroupChangePolicy", "gmsaCredentialSpec", "gmsaCredentialSpecName", "hostProcess", "hostUsers",
		"hostnameOverride", "initiatorName", "localhostProfile", "managedBy", "maxExpirationSeconds", "maxFailedIndexes", "minDomains",
		"mode", "mountPropagation", "nodeAffinityPolicy", "nodeTaintsPolicy", "optional", "podGroupName", "preemptionPolicy", "priority",
		"privileged", "procMount", "readOnlyRootFilesystem", "recursiveReadOnly", "resourceClaimName", "resourceClaimTemplateName",
		"runAsGroup", "runAsNonRoot", "runAsUser", "runAsUserName", "runtimeClassName", "seLinuxChangePolicy", "setHostnameAsFQDN",
		"shareProcessNamespace", "startingDeadlineSeconds", "stopSignal", "storageClassName", "succeededCount", "succeededIndexes",
		"supplementalGroupsPolicy", "timeZone", "tolerationSeconds", "ttlSecondsAfterFinished", "volumeAttributesClassName",
		"enableServiceLinks", "terminationGracePeriodSeconds", "sizeLimit":
		return true
	case "restartPolicy":
		return t == containerSpec
	case "backoffLimit", "parallelism", "completionMode", "suspend", "manualSelector", "podReplacementPolicy":
		return true
	}
	return false
}

// ignored reports whether a field does not count in a comparison, because the
// server drops it or copies it from another field.
func ignored(t structure, name string) bool {
	switch t {
	case podSpec:
		return name == "serviceAccount"
	case claim:
		return name == "apiVersion" || name == "kind"
	}
	return false
}
