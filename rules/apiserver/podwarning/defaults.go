package podwarning

import (
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// text, number and boolean return values for use as defaults.
func text(s string) *wire.Value    { return &wire.Value{Kind: wire.String, Text: s} }
func number(s string) *wire.Value  { return &wire.Value{Kind: wire.Number, Text: s} }
func boolean(s string) *wire.Value { return &wire.Value{Kind: wire.Bool, Text: s} }

// defaultOf returns the default of an unset field, or nil. owner is the struct
// with the field. Source: pkg/apis/{core,apps,batch}/v1/defaults.go and the
// defaults that k8s.io/api declares (1.22–1.37).
func (w *writer) defaultOf(t structure, name string, owner *wire.Value) *wire.Value {
	switch t {
	case containerSpec, containerPort, probe, httpGet, grpc, fieldRef, resourceFieldRef, fileKeyRef:
		return containerDefault(t, name, owner)
	case volume, hostPath, files, projected, tokenProjection, iscsi, rbd, azureDisk, scaleIO, image, claimSpec, claimStatus:
		return volumeDefault(t, name, owner)
	case podSpec:
		switch name {
		case "dnsPolicy":
			return text("ClusterFirst")
		case "restartPolicy":
			return text("Always")
		case "schedulerName":
			return text("default-scheduler")
		case "terminationGracePeriodSeconds":
			return number("30")
		case "securityContext":
			return emptyMap
		case "serviceAccountName":
			return owner.Get("serviceAccount")
		}
	case podCondition:
		if name == "status" {
			return text("True")
		}
	case deployment, deploymentStrategy, deploymentRolling, statefulSet, statefulSetStrategy, statefulSetRolling, retentionPolicy,
		daemonSet, daemonSetStrategy, daemonSetRolling, replicaSet, replicationController, job, cronJob:
		return w.workloadDefault(t, name, owner)
	}
	return nil
}

// workloadDefault returns the default of a workload's field outside of its pod
// template, or nil.
func (w *writer) workloadDefault(t structure, name string, owner *wire.Value) *wire.Value {
	rolling := owner.Get("type").StringOr("") == "" || owner.Get("type").StringOr("") == "RollingUpdate"
	switch name {
	case "replicas":
		return number("1")
	case "revisionHistoryLimit":
		return number("10")
	case "type":
		if t == deploymentStrategy || t == statefulSetStrategy || t == daemonSetStrategy {
			return text("RollingUpdate")
		}
	case "rollingUpdate":
		// The strategy of a StatefulSet has this default only if its type is
		// unset.
		if rolling && (t == deploymentStrategy || t == daemonSetStrategy || t == statefulSetStrategy && owner.Get("type").StringOr("") == "") {
			return emptyMap
		}
	case "maxUnavailable":
		switch {
		case t == deploymentRolling:
			return text("25%")
		case t == daemonSetRolling, t == statefulSetRolling && w.Minor >= 24 && w.Enabled("MaxUnavailableStatefulSet"):
			return number("1")
		}
	case "maxSurge":
		switch t {
		case deploymentRolling:
			return text("25%")
		case daemonSetRolling:
			return number("0")
		}
	case "partition":
		return number("0")
	case "progressDeadlineSeconds":
		return number("600")
	case "podManagementPolicy":
		return text("OrderedReady")
	case "persistentVolumeClaimRetentionPolicy":
		if w.Minor >= 35 || w.Minor >= 23 && w.Enabled("StatefulSetAutoDeletePVC") {
			return emptyMap
		}
	case "whenDeleted", "whenScaled":
		return text("Retain")
	case "completions":
		if owner.Get("parallelism").IsNull() {
			return number("1")
		}
	case "parallelism":
		return number("1")
	case "backoffLimit":
		if w.Minor >= 28 && !owner.Get("backoffLimitPerIndex").IsNull() {
			return number("2147483647")
		}
		return number("6")
	case "completionMode":
		return text("NonIndexed")
	case "suspend":
		return boolean("false")
	case "manualSelector":
		if w.Minor >= 29 {
			return boolean("false")
		}
	case "podReplacementPolicy":
		switch {
		case w.Minor < 37 && !(w.Minor >= 28 && w.Enabled("JobPodReplacementPolicy")):
		case owner.Get("podFailurePolicy").IsNull():
			return text("TerminatingOrFailed")
		default:
			return text("Failed")
		}
	case "concurrencyPolicy":
		return text("Allow")
	case "successfulJobsHistoryLimit":
		return number("3")
	case "failedJobsHistoryLimit":
		return number("1")
	case "selector":
		if t == replicationController {
			return owner.At("template", "metadata", "labels")
		}
	}
	return nil
}

func containerDefault(t structure, name string, owner *wire.Value) *wire.Value {
	switch t {
	case containerSpec:
		switch name {
		case "imagePullPolicy":
			return pullPolicy(owner.Get("image").StringOr(""))
		case "terminationMessagePath":
			return text("/dev/termination-log")
		case "terminationMessagePolicy":
			return text("File")
		}
	case containerPort:
		if name == "protocol" {
			return text("TCP")
		}
	case probe:
		switch name {
		case "timeoutSeconds", "successThreshold":
			return number("1")
		case "periodSeconds":
			return number("10")
		case "failureThreshold":
			return number("3")
		}
	case httpGet:
		switch name {
		case "path":
			return text("/")
		case "scheme":
			return text("HTTP")
		}
	case grpc:
		if name == "service" {
			return text("")
		}
	case fieldRef:
		if name == "apiVersion" {
			return text("v1")
		}
	case resourceFieldRef:
		if name == "divisor" {
			return number("0")
		}
	case fileKeyRef:
		if name == "optional" {
			return boolean("false")
		}
	}
	return nil
}

func volumeDefault(t structure, name string, owner *wire.Value) *wire.Value {
	switch t {
	case volume:
		if name == "emptyDir" && len(owner.Fields) < 2 {
			return emptyMap // the default of a volume without a source
		}
	case hostPath:
		if name == "type" {
			return text("")
		}
	case files, projected:
		if name == "defaultMode" {
			return number("420")
		}
	case tokenProjection:
		if name == "expirationSeconds" {
			return number("3600")
		}
	case iscsi:
		if name == "iscsiInterface" {
			return text("default")
		}
	case rbd:
		switch name {
		case "pool":
			return text("rbd")
		case "user":
			return text("admin")
		case "keyring":
			return text("/etc/ceph/keyring")
		}
	case azureDisk:
		switch name {
		case "cachingMode":
			return text("ReadWrite")
		case "fsType":
			return text("ext4")
		case "readOnly":
			return boolean("false")
		case "kind":
			return text("Shared")
		}
	case scaleIO:
		switch name {
		case "storageMode":
			return text("ThinProvisioned")
		case "fsType":
			return text("xfs")
		}
	case image:
		if name == "pullPolicy" {
			return pullPolicy(owner.Get("reference").StringOr(""))
		}
	case claimSpec:
		if name == "volumeMode" {
			return text("Filesystem")
		}
	case claimStatus:
		if name == "phase" {
			return text("Pending")
		}
	}
	return nil
}

// pullPolicy returns the default pull policy of an image. It is Always if the tag
// is latest, or if there is neither a tag nor a digest. Otherwise, and for an
// empty image, it is IfNotPresent.
func pullPolicy(image string) *wire.Value {
	name, _, digest := strings.Cut(image, "@")
	_, tag, tagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if image != "" && (tag == "latest" || !tagged && !digest) {
		return text("Always")
	}
	return text("IfNotPresent")
}
