package kindwarning

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/apiserver/podwarning"
	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

const (
	storageClassAnnotation = "volume.beta.kubernetes.io/storage-class"
	mountOptionsAnnotation = "volume.beta.kubernetes.io/mount-options"
)

// volumePlugins are the fields of deprecated or removed plugins in a
// PersistentVolume's spec. path is the field in the server's warning.
var volumePlugins = [...]struct{ name, path, text string }{
	{"cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
	{"photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
	{"scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
	{"storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
	{"glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
	{"rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"},
}

// persistentVolume warns about a PersistentVolume. Source:
// warningsForPersistentVolumeSpecAndMeta in pkg/api/persistentvolume/util.go
// (1.25–1.37).
func (w *writer) persistentVolume(obj *wire.Value) {
	if w.Minor < 25 {
		return
	}
	if w.Minor >= 28 {
		w.warnAnnotation(obj, storageClassAnnotation, `deprecated since v1.8; use "storageClassName" attribute instead`)
	}
	if w.Minor >= 31 {
		w.warnAnnotation(obj, mountOptionsAnnotation, `deprecated since v1.31; use "mountOptions" attribute instead`)
	}
	spec := obj.Get("spec")
	if policy := spec.Get("persistentVolumeReclaimPolicy"); w.Minor >= 30 && policy.StringOr("") == "Recycle" {
		w.warnField(apiserver.DeprecatedField, "spec.persistentVolumeReclaimPolicy",
			"The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.", policy)
	}
	for i, term := range spec.At("nodeAffinity", "required", "nodeSelectorTerms").Elements() {
		w.warnings = append(w.warnings, podwarning.NodeSelectorTerm(w.Minor, term, false, "spec.nodeAffinity.required.nodeSelectorTerms"+wire.Index(i))...)
	}
	if w.Minor < 28 {
		return
	}
	for _, p := range volumePlugins {
		if f := spec.Given(p.name); f != nil {
			w.warnField(apiserver.DeprecatedField, "spec."+p.path, p.text, f.Key())
		}
	}
}

// storageClass warns about a StorageClass. Source: GetWarningsForStorageClass in
// pkg/api/storage/util.go (1.25–1.37).
func (w *writer) storageClass(obj *wire.Value) {
	if w.Minor < 25 {
		return
	}
	for i, topology := range obj.Get("allowedTopologies").Elements() {
		for j, e := range topology.Get("matchLabelExpressions").Elements() {
			if text, ok := podwarning.NodeLabel(w.Minor, e.Get("key").StringOr("")); ok {
				w.warnField(apiserver.DeprecatedField, "allowedTopologies"+wire.Index(i)+".matchLabelExpressions"+wire.Index(j)+".key", text, e.Get("key"))
			}
		}
	}
}

// csiStorageCapacity warns about the node topology of a CSIStorageCapacity. The
// text for matchExpressions names the label, the text for matchLabels does not.
// Source: GetWarningsForCSIStorageCapacity in pkg/api/storage/util.go, and
// GetWarningsForNodeSelector in pkg/api/node/util.go (1.25–1.37).
func (w *writer) csiStorageCapacity(obj *wire.Value) {
	if w.Minor < 25 {
		return
	}
	selector := obj.Get("nodeTopology")
	for i, e := range selector.Get("matchExpressions").Elements() {
		key := e.Get("key")
		if text, ok := podwarning.NodeLabel(w.Minor, key.StringOr("")); ok {
			w.warnField(apiserver.DeprecatedField, "nodeTopology.matchExpressions"+wire.Index(i)+".key", key.Text+" is "+text, key)
		}
	}
	labels := selector.Get("matchLabels").Entries()
	for i := range labels {
		if text, ok := podwarning.NodeLabel(w.Minor, labels[i].Name); ok {
			w.warnField(apiserver.DeprecatedField, "nodeTopology.matchLabels."+labels[i].Name, text, (&labels[i]).Key())
		}
	}
}

// csiDriver warns about the token requests of a CSIDriver. On update it warns
// only if the token requests change. Source: the strategy in
// pkg/registry/storage/csidriver (1.35–1.37).
func (w *writer) csiDriver(r apiserver.Request) {
	const gate = "CSIServiceAccountTokenSecrets"
	spec := r.New.Get("spec")
	requests := spec.Get("tokenRequests")
	if w.Minor < 35 || len(requests.Elements()) == 0 || spec.Given("serviceAccountTokenInSecrets") != nil || !w.Enabled(gate) {
		return
	}
	if r.Old != nil && slices.EqualFunc(requests.Elements(), r.Old.At("spec", "tokenRequests").Elements(), sameTokenRequest) {
		return
	}
	w.warn(apiserver.Advice, "spec.serviceAccountTokenInSecrets",
		"spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes", spec.Field("tokenRequests").Key())
}

func sameTokenRequest(a, b *wire.Value) bool {
	seconds := func(v *wire.Value) string {
		if n := v.Get("expirationSeconds"); n != nil && n.Kind == wire.Number {
			return n.Text
		}
		return ""
	}
	return a.Get("audience").StringOr("") == b.Get("audience").StringOr("") && seconds(a) == seconds(b)
}
