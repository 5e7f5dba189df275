package validation

import (
	slashpath "path"
	"strconv"
)

// pvSource is a possible source of a persistent volume. path is the name of field
// in the server's paths, and extra is the name of field in the error about a
// second source. path and extra are "" if the name equals field.
type pvSource struct {
	field, path, extra string
	check              func(v *validator, n, volume node)
}

// pvSources are the sources in the order of ValidatePersistentVolumeSpec.
var pvSources = []pvSource{
	{"hostPath", "", "", (*validator).hostPath},
	{"gcePersistentDisk", "persistentDisk", "", (*validator).gceDisk},
	{"awsElasticBlockStore", "", "", (*validator).awsDisk},
	{"glusterfs", "", "", (*validator).pvGlusterfs},
	{"flocker", "", "", (*validator).flocker},
	{"nfs", "", "", (*validator).nfs},
	{"rbd", "", "", (*validator).rbd},
	{"quobyte", "", "", (*validator).quobyte},
	{"cephfs", "", "cephFS", (*validator).cephFS},
	{"iscsi", "", "", (*validator).pvISCSI},
	{"cinder", "", "", (*validator).pvCinder},
	{"fc", "", "", (*validator).fibreChannel},
	{"flexVolume", "", "", (*validator).flexVolume},
	{"azureFile", "", "", (*validator).pvAzureFile},
	{"vsphereVolume", "", "", requiredFields("volumePath")},
	{"photonPersistentDisk", "", "", requiredFields("pdID")},
	{"portworxVolume", "", "", requiredFields("volumeID")},
	{"azureDisk", "", "", (*validator).azureDisk},
	{"scaleIO", "", "", requiredFields("gateway", "system", "volumeName")},
	{"local", "", "", (*validator).localVolume},
	{"storageos", "", "", (*validator).pvStorageOS},
	{"csi", "", "", (*validator).pvCSI},
}

// persistentVolume checks a PersistentVolume. Source: ValidatePersistentVolume
// and ValidatePersistentVolumeUpdate.
func (v *validator) persistentVolume(obj node) {
	v.metadata(obj, false, subdomainErrors)
	spec := obj.get("spec")
	if modes := spec.get("accessModes"); modes.length() == 0 {
		v.required(modes, "")
	}
	v.accessModes(spec.get("accessModes"))
	v.capacity(spec.get("capacity"))
	reclaim := spec.get("persistentVolumeReclaimPolicy")
	if reclaim.text() != "" {
		v.enum(reclaim, reclaim.text(), "Delete", "Recycle", "Retain")
	}
	affinity := spec.get("nodeAffinity")
	if affinity.isSet() {
		if required := affinity.get("required"); required.isSet() {
			v.nodeSelector(required, v.minor < 33)
		} else {
			v.required(required, "must specify required node constraints")
		}
	}
	v.pvSource(obj, spec)
	if host := spec.get("hostPath"); host.isSet() && slashpath.Clean(host.str("path")) == "/" && reclaim.text() == "Recycle" {
		v.forbidden(reclaim, "may not be 'recycle' for a hostPath mount of '/'")
	}
	if class := spec.get("storageClassName"); class.text() != "" {
		v.dnsSubdomain(class, class.text())
	}
	if mode := spec.get("volumeMode"); mode.isSet() {
		v.enum(mode, mode.text(), "Block", "Filesystem")
	}
	v.attributesClass(spec)
	if v.req.Old != nil {
		v.immutablePersistentVolume(spec)
	}
}

// capacity checks that a volume has a capacity for storage and nothing else.
func (v *validator) capacity(list node) {
	if list.length() == 0 {
		v.required(list, "")
	}
	if !list.has("storage") || list.length() > 1 {
		text := jsonOf(list.v)
		if v.minor < 34 {
			text = "core.ResourceList{…}"
			if !list.isSet() {
				text = "core.ResourceList(nil)"
			}
		}
		v.unsupported(list, text, "storage")
		if list.isSet() {
			v.inexact()
		}
	}
	for k, value := range list.entries {
		value.p = list.p.key(k)
		q, ok := quantity(value)
		if !ok {
			continue
		}
		if q.Sign() < 0 {
			v.invalid(value, itoa(q.Value()), "must be a valid resource quantity")
		}
		if q.Sign() <= 0 {
			v.invalid(value, strconv.Quote(q.String()), "must be greater than zero")
		}
	}
}

func (v *validator) pvSource(obj, spec node) {
	count := 0
	for i := range pvSources {
		s := &pvSources[i]
		if !spec.has(s.field) {
			continue
		}
		name, extra := s.field, s.field
		if s.path != "" {
			name = s.path
		}
		if s.extra != "" {
			extra = s.extra
		}
		if count > 0 && s.field != "flexVolume" {
			v.forbidden(spec.field(s.field, extra), "may not specify more than 1 volume type")
			continue
		}
		count++
		s.check(v, spec.field(s.field, name), obj)
		if s.field == "local" && !spec.has("nodeAffinity") {
			v.required(spec.get("nodeAffinity"), "Local volume requires node affinity")
		}
	}
	if count == 0 {
		v.required(spec, "must specify a volume type")
	}
}

func (v *validator) attributesClass(spec node) {
	class := v.gated("VolumeAttributesClass", v.since(29, spec.get("volumeAttributesClassName")))
	if !class.isSet() {
		return
	}
	if class.text() == "" {
		v.required(class, "an empty string is disallowed")
	} else {
		v.dnsSubdomain(class, class.text())
	}
	if !spec.has("csi") {
		v.required(spec.get("csi"), "has to be specified when using volumeAttributesClassName")
	}
}

// immutablePersistentVolume checks that an update does not change immutable
// fields of a volume. The text is inexact, because the server's text contains a
// diff.
func (v *validator) immutablePersistentVolume(spec node) {
	old := root(v.req.Old).get("spec")
	for i := range pvSources {
		field := pvSources[i].field
		now, before := spec.v.Get(field), old.v.Get(field)
		if field == "csi" && !now.IsNull() && !before.IsNull() && before.Get("controllerExpandSecretRef").IsNull() {
			now = without(now, "controllerExpandSecretRef")
		}
		if !same(now, before) {
			v.forbidden(spec.field(field, "persistentvolumesource"), "spec.persistentvolumesource is immutable after creation\n…")
			v.inexact()
			break
		}
	}
	if mode := spec.strOr("volumeMode", "Filesystem"); mode != old.strOr("volumeMode", "Filesystem") {
		v.invalid(spec.get("volumeMode").withPath(nameOnlyPath("volumeMode")), v.typed(mode), "field is immutable")
	}
	affinity := spec.get("nodeAffinity")
	if old.has("nodeAffinity") && (v.minor < 35 || !v.server.Enabled("MutablePVNodeAffinity")) && !same(affinity.v, old.v.Get("nodeAffinity")) {
		v.invalid(affinity.withPath(nameOnlyPath("nodeAffinity")), v.dump("core.VolumeNodeAffinity{…}", affinity.v), "field is immutable")
		v.inexact()
	}
}

func (v *validator) pvGlusterfs(n, _ node) {
	v.needAll(n, "endpoints", "path")
	switch ns := n.get("endpointsNamespace"); {
	case !ns.isSet():
	case ns.text() == "":
		v.invalid(ns, `""`, "if the endpointnamespace is set, it must be a valid namespace name")
	default:
		v.dnsLabel(ns, ns.text())
	}
}

func (v *validator) pvISCSI(n, obj node) {
	v.iscsiSource(n, "", func() {
		portal := n.field("targetPortal", "targetportal")
		if n.has("initiatorName") && len(obj.at("metadata").str("name")+":"+portal.text()) > 64 {
			v.invalidString(portal, portal.text(), []string{iscsiTooLong})
		}
	})
}

func (v *validator) pvCinder(n, _ node) {
	v.needAll(n, "volumeID")
	v.secretRef(n, "name", "namespace")
}

func (v *validator) pvAzureFile(n, _ node) {
	v.needAll(n, "secretName", "shareName")
	if ns := n.get("secretNamespace"); ns.isSet() && ns.text() == "" {
		v.required(ns, "")
	}
}

func (v *validator) localVolume(n, _ node) {
	if p := n.get("path"); p.text() == "" {
		v.required(p, "")
	} else {
		v.noBacksteps(p)
	}
}

func (v *validator) pvStorageOS(n, volume node) {
	v.storageOS(n, volume)
	if ref := n.get("secretRef"); ref.isSet() {
		v.needAll(ref, "namespace")
	}
}

// pvCSI checks the CSI source of a PersistentVolume. Source:
// validateCSIPersistentVolumeSource.
func (v *validator) pvCSI(n, _ node) {
	v.driverName(n.get("driver"))
	v.needAll(n, "volumeHandle")
	for _, field := range []string{"controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"} {
		ref := n.get(field)
		if field == "nodeExpandSecretRef" {
			ref = v.gated("CSINodeExpandSecret", v.since(25, ref))
		}
		if !ref.isSet() {
			continue
		}
		name, ns := ref.get("name"), ref.get("namespace")
		nameErrors := subdomainErrors
		if v.minor < 25 {
			// The path of a wrong name differs from the path of a missing name.
			nameErrors = labelErrors
			if name.text() != "" {
				name.p = n.p.child("name")
			}
			if ns.text() != "" {
				ns.p = n.p.child("namespace")
			}
		}
		if name.text() == "" {
			v.required(name, "")
		} else {
			v.invalidString(name, name.text(), nameErrors(v.minor, name.text()))
		}
		if ns.text() == "" {
			v.required(ns, "")
		} else {
			v.dnsLabel(ns, ns.text())
		}
	}
}
