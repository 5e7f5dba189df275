package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// volumes checks the volumes of a pod, and collects the valid volumes in
// v.pod.volumes. extra are the volumes for the claim templates of a StatefulSet,
// which come first. Source: ValidateVolumes.
func (v *validator) volumes(list node, extra []node) {
	if list.length()+len(extra) == 0 {
		return
	}
	v.pod.volumes = make(map[string]node, list.length()+len(extra))
	replaced := map[string]bool{}
	for i, e := range extra {
		replaced[e.str("name")] = true
		v.volume(e.withPath(list.p.item(i)), true, nil)
	}
	var generated map[string]bool
	if name := v.pod.meta.str("name"); v.pod.isPod && name != "" {
		for _, volume := range list.items {
			if volume.has("ephemeral") {
				if generated == nil {
					generated = map[string]bool{}
				}
				generated[name+"-"+volume.str("name")] = true
			}
		}
	}
	i := len(extra)
	for _, volume := range list.items {
		if replaced[volume.str("name")] {
			continue
		}
		if len(extra) > 0 {
			volume = volume.withPath(list.p.item(i))
			i++
		}
		v.volume(volume, false, generated)
	}
}

// withoutImages drops image volumes and their mounts, as the server does if their
// gate is off. Later volumes get lower indices. Source: dropImageVolumes in
// pkg/api/pod/util.go.
func withoutImages(spec node) node {
	dropped := map[string]bool{}
	var volumes []*wire.Value
	for _, volume := range spec.get("volumes").items {
		if volume.has("image") {
			dropped[volume.str("name")] = true
		} else {
			volumes = append(volumes, volume.v)
		}
	}
	if len(dropped) == 0 {
		return spec
	}
	spec = spec.with("volumes", &wire.Value{Kind: wire.List, Items: volumes})
	for _, field := range []string{"containers", "initContainers", "ephemeralContainers"} {
		list := spec.get(field)
		if list.length() == 0 {
			continue
		}
		containers := make([]*wire.Value, 0, list.length())
		for _, c := range list.items {
			var mounts []*wire.Value
			for _, m := range c.get("volumeMounts").items {
				if !dropped[m.str("name")] {
					mounts = append(mounts, m.v)
				}
			}
			if len(mounts) < c.get("volumeMounts").length() {
				c = c.with("volumeMounts", &wire.Value{Kind: wire.List, Items: mounts})
			}
			containers = append(containers, c.v)
		}
		spec = spec.with(field, &wire.Value{Kind: wire.List, Items: containers})
	}
	return spec
}

func (v *validator) volume(volume node, claim bool, generatedClaims map[string]bool) {
	name := volume.get("name")
	before := len(v.causes)
	if !claim {
		v.volumeSource(volume)
	}
	if name.text() == "" {
		v.required(name, "")
	} else {
		v.dnsLabel(name, name.text())
	}
	if _, twice := v.pod.volumes[name.text()]; twice {
		v.duplicate(name, strconv.Quote(name.text()))
	}
	if len(v.causes) == before {
		v.pod.volumes[name.text()] = volume
	}
	if ref := volume.at("persistentVolumeClaim", "claimName"); generatedClaims[ref.text()] && volume.has("persistentVolumeClaim") {
		v.invalidString(ref, ref.text(), []string{"must not reference a PVC that gets created for an ephemeral volume"})
	}
}

// source is a possible source of a volume. extra is the name of field in the
// server's error about a second source, and path is its name in other errors.
type source struct {
	field, extra, path string
	check              func(v *validator, n, volume node)
}

// volumeSources are the sources in the order of validateVolumeSource.
var volumeSources = []source{
	{"hostPath", "hostPath", "hostPath", (*validator).hostPath},
	{"gitRepo", "gitRepo", "gitRepo", (*validator).gitRepo},
	{"gcePersistentDisk", "gcePersistentDisk", "persistentDisk", (*validator).gceDisk},
	{"awsElasticBlockStore", "awsElasticBlockStore", "awsElasticBlockStore", (*validator).awsDisk},
	{"secret", "secret", "secret", (*validator).secretVolume},
	{"nfs", "nfs", "nfs", (*validator).nfs},
	{"iscsi", "iscsi", "iscsi", (*validator).iscsi},
	{"glusterfs", "glusterfs", "glusterfs", (*validator).glusterfs},
	{"flocker", "flocker", "flocker", (*validator).flocker},
	{"persistentVolumeClaim", "persistentVolumeClaim", "persistentVolumeClaim", requiredFields("claimName")},
	{"rbd", "rbd", "rbd", (*validator).rbd},
	{"cinder", "cinder", "cinder", (*validator).cinder},
	{"cephfs", "cephFS", "cephfs", (*validator).cephFS},
	{"quobyte", "quobyte", "quobyte", (*validator).quobyte},
	{"downwardAPI", "downwarAPI", "downwardAPI", (*validator).downwardAPI},
	{"fc", "fc", "fc", (*validator).fibreChannel},
	{"flexVolume", "flexVolume", "flexVolume", (*validator).flexVolume},
	{"configMap", "configMap", "configMap", (*validator).configMapVolume},
	{"azureFile", "azureFile", "azureFile", requiredFields("secretName", "shareName")},
	{"vsphereVolume", "vsphereVolume", "vsphereVolume", requiredFields("volumePath")},
	{"photonPersistentDisk", "photonPersistentDisk", "photonPersistentDisk", requiredFields("pdID")},
	{"portworxVolume", "portworxVolume", "portworxVolume", requiredFields("volumeID")},
	{"azureDisk", "azureDisk", "azureDisk", (*validator).azureDisk},
	{"storageos", "storageos", "storageos", (*validator).storageOS},
	{"projected", "projected", "projected", (*validator).projected},
	{"scaleIO", "scaleIO", "scaleIO", requiredFields("gateway", "system", "volumeName")},
	{"csi", "csi", "csi", (*validator).csiVolume},
	{"ephemeral", "ephemeral", "ephemeral", (*validator).ephemeralVolume},
	{"image", "image", "image", (*validator).imageVolume},
}

// requiredFields returns a check for a source that only has required fields.
func requiredFields(fields ...string) func(*validator, node, node) {
	return func(v *validator, n, _ node) { v.needAll(n, fields...) }
}

func (v *validator) needAll(n node, fields ...string) {
	for _, f := range fields {
		if n.str(f) == "" {
			v.required(n.get(f), "")
		}
	}
}

// volumeSource checks the source of a volume. A volume without a source is an
// emptyDir. Source: validateVolumeSource.
func (v *validator) volumeSource(volume node) {
	count := 0
	if dir := volume.get("emptyDir"); dir.isSet() {
		count++
		v.emptyDir(dir)
	}
	if count+1 == volume.length() && count == 1 { // only a name and an emptyDir
		return
	}
	dropped := false
	for i := range volumeSources {
		s := &volumeSources[i]
		n := volume.v.Get(s.field)
		if n.IsNull() {
			continue
		}
		if !v.hasSource(s.field) {
			dropped = dropped || v.knowsSource(s.field)
			continue
		}
		if count > 0 {
			v.forbidden(volume.field(s.field, s.extra), "may not specify more than 1 volume type")
		} else {
			count++
			s.check(v, volume.field(s.field, s.path), volume)
		}
		if s.field == "iscsi" {
			v.iscsiName(volume)
		}
	}
	if dropped && count == 0 {
		v.required(volume, "must specify a volume type")
	}
}

// hasNoSource reports whether a volume has no source that the minor knows. The
// server then makes it an emptyDir.
func (v *validator) hasNoSource(volume node) bool {
	for i := range volumeSources {
		if volume.has(volumeSources[i].field) && v.knowsSource(volumeSources[i].field) {
			return false
		}
	}
	return true
}

// knowsSource reports whether the minor has the field of a source.
func (v *validator) knowsSource(field string) bool {
	switch field {
	case "ephemeral":
		return v.minor >= 19
	case "image":
		return v.minor >= 31
	}
	return true
}

// hasSource reports whether the minor has the field of a source, and its gate is
// on.
func (v *validator) hasSource(field string) bool {
	switch field {
	case "csi":
		return v.server.Enabled("CSIInlineVolume")
	case "ephemeral":
		return v.minor >= 19 && v.server.Enabled("GenericEphemeralVolume")
	case "image":
		return v.minor >= 31 && v.server.Enabled("ImageVolume")
	}
	return true
}

func (v *validator) emptyDir(n node) {
	if limit, ok := quantity(n.get("sizeLimit")); ok && limit.Sign() < 0 {
		v.forbidden(n.get("sizeLimit"), "SizeLimit field must be a valid resource quantity")
	}
	if mode, ok := v.gated("EmptyDirVolumeMode", n.get("mode")).number(); ok && (mode < 0 || mode > 01777) {
		v.invalid(n.get("mode"), itoa(mode), "must be a number between 0 and 01777 (octal), both inclusive")
	}
}

func (v *validator) hostPath(n, _ node) {
	path := n.get("path")
	if path.text() == "" {
		v.required(path, "")
		return
	}
	v.noBacksteps(path)
	if t := n.get("type"); t.isSet() {
		v.enum(t, t.text(), "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
	}
}

func (v *validator) gitRepo(n, _ node) {
	v.needAll(n, "repository")
	v.relativePath(n.get("directory"))
}

func (v *validator) gceDisk(n, _ node) {
	v.needAll(n, "pdName")
	v.disk(n)
}

func (v *validator) awsDisk(n, _ node) {
	v.needAll(n, "volumeID")
	v.disk(n)
}

// disk checks the partition of a disk. The server allows 0, although its text
// says otherwise.
func (v *validator) disk(n node) {
	if i, ok := n.get("partition").number(); ok && (i < 0 || i > 255) {
		v.invalid(n.get("partition"), itoa(i), rangeText(1, 255))
	}
}

func (v *validator) mode(n node) {
	if i, ok := n.number(); ok && (i < 0 || i > 0777) {
		v.invalid(n, itoa(i), "must be a number between 0 and 0777 (octal), both inclusive")
	}
}

func (v *validator) user(n node) {
	v.inRange(v.gated("AtomicWriteVolumeUserFields", n), 0, 1<<31-1)
}

func (v *validator) secretVolume(n, _ node)    { v.files(n, "secretName") }
func (v *validator) configMapVolume(n, _ node) { v.files(n, "name") }

func (v *validator) files(n node, name string) {
	v.needAll(n, name)
	v.mode(n.get("defaultMode"))
	v.user(n.get("defaultUser"))
	for _, item := range n.get("items").items {
		v.keyToPath(item)
	}
}

// keyToPath checks an item that maps a key to a path. Source: validateKeyToPath.
func (v *validator) keyToPath(item node) {
	v.needAll(item, "key", "path")
	v.unreservedPath(item.get("path"))
	v.mode(item.get("mode"))
	v.user(item.get("user"))
}

func (v *validator) nfs(n, _ node) {
	v.needAll(n, "server", "path")
	if path := n.str("path"); !strings.HasPrefix(path, "/") {
		v.invalidString(n.get("path"), path, []string{"must be an absolute path"})
	}
}
