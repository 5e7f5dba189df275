package podsecurity

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// volumeSource is a field of VolumeSource. Policies only check which field is
// set.
type volumeSource struct {
	name string
	// since is the first minor that has the field, or zero if all minors with Pod
	// Security have it.
	since lifecycle.Minor
	set   func(*corev1.VolumeSource)
}

var volumeSources = [...]volumeSource{
	{name: "configMap", set: func(v *corev1.VolumeSource) { v.ConfigMap = &corev1.ConfigMapVolumeSource{} }},
	{name: "secret", set: func(v *corev1.VolumeSource) { v.Secret = &corev1.SecretVolumeSource{} }},
	{name: "emptyDir", set: func(v *corev1.VolumeSource) { v.EmptyDir = &corev1.EmptyDirVolumeSource{} }},
	{name: "hostPath", set: func(v *corev1.VolumeSource) { v.HostPath = &corev1.HostPathVolumeSource{} }},
	{name: "persistentVolumeClaim", set: func(v *corev1.VolumeSource) { v.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{} }},
	{name: "projected", set: func(v *corev1.VolumeSource) { v.Projected = &corev1.ProjectedVolumeSource{} }},
	{name: "downwardAPI", set: func(v *corev1.VolumeSource) { v.DownwardAPI = &corev1.DownwardAPIVolumeSource{} }},
	{name: "csi", set: func(v *corev1.VolumeSource) { v.CSI = &corev1.CSIVolumeSource{} }},
	{name: "ephemeral", set: func(v *corev1.VolumeSource) { v.Ephemeral = &corev1.EphemeralVolumeSource{} }},
	{name: "image", since: 31, set: func(v *corev1.VolumeSource) { v.Image = &corev1.ImageVolumeSource{} }},
	{name: "gcePersistentDisk", set: func(v *corev1.VolumeSource) { v.GCEPersistentDisk = &corev1.GCEPersistentDiskVolumeSource{} }},
	{name: "awsElasticBlockStore", set: func(v *corev1.VolumeSource) { v.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{} }},
	{name: "gitRepo", set: func(v *corev1.VolumeSource) { v.GitRepo = &corev1.GitRepoVolumeSource{} }},
	{name: "nfs", set: func(v *corev1.VolumeSource) { v.NFS = &corev1.NFSVolumeSource{} }},
	{name: "iscsi", set: func(v *corev1.VolumeSource) { v.ISCSI = &corev1.ISCSIVolumeSource{} }},
	{name: "glusterfs", set: func(v *corev1.VolumeSource) { v.Glusterfs = &corev1.GlusterfsVolumeSource{} }},
	{name: "rbd", set: func(v *corev1.VolumeSource) { v.RBD = &corev1.RBDVolumeSource{} }},
	{name: "flexVolume", set: func(v *corev1.VolumeSource) { v.FlexVolume = &corev1.FlexVolumeSource{} }},
	{name: "cinder", set: func(v *corev1.VolumeSource) { v.Cinder = &corev1.CinderVolumeSource{} }},
	{name: "cephfs", set: func(v *corev1.VolumeSource) { v.CephFS = &corev1.CephFSVolumeSource{} }},
	{name: "flocker", set: func(v *corev1.VolumeSource) { v.Flocker = &corev1.FlockerVolumeSource{} }},
	{name: "fc", set: func(v *corev1.VolumeSource) { v.FC = &corev1.FCVolumeSource{} }},
	{name: "azureFile", set: func(v *corev1.VolumeSource) { v.AzureFile = &corev1.AzureFileVolumeSource{} }},
	{name: "vsphereVolume", set: func(v *corev1.VolumeSource) { v.VsphereVolume = &corev1.VsphereVirtualDiskVolumeSource{} }},
	{name: "quobyte", set: func(v *corev1.VolumeSource) { v.Quobyte = &corev1.QuobyteVolumeSource{} }},
	{name: "azureDisk", set: func(v *corev1.VolumeSource) { v.AzureDisk = &corev1.AzureDiskVolumeSource{} }},
	{name: "photonPersistentDisk", set: func(v *corev1.VolumeSource) { v.PhotonPersistentDisk = &corev1.PhotonPersistentDiskVolumeSource{} }},
	{name: "portworxVolume", set: func(v *corev1.VolumeSource) { v.PortworxVolume = &corev1.PortworxVolumeSource{} }},
	{name: "scaleIO", set: func(v *corev1.VolumeSource) { v.ScaleIO = &corev1.ScaleIOVolumeSource{} }},
	{name: "storageos", set: func(v *corev1.VolumeSource) { v.StorageOS = &corev1.StorageOSVolumeSource{} }},
}

// volumes reads the volumes of a pod. A volume without a source that the release
// knows is an emptyDir. An image volume gets a source that the policies up to
// 1.32 do not allow. Source: SetDefaults_Volume in pkg/apis/core/v1/defaults.go.
func (rd reader) volumes(v *wire.Value) []corev1.Volume {
	var all []corev1.Volume
	for _, item := range v.Elements() {
		volume := corev1.Volume{Name: item.Get("name").StringOr("")}
		found := false
		for i := range volumeSources {
			s := &volumeSources[i]
			if source := item.Get(s.name); source == nil || source.Kind != wire.Map || rd.minor < s.since {
				continue
			}
			found = true
			if s.name != "image" || rd.minor >= 33 {
				s.set(&volume.VolumeSource)
			}
		}
		if !found {
			volume.EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
		all = append(all, volume)
	}
	return all
}
