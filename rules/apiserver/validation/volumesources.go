package validation

import (
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	iqnPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`) })
	euiPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^eui.[[:alnum:]]{16}$`) })
	naaPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^naa.[[:alnum:]]{32}$`) })
)

// iscsiName returns the error in the name of an initiator or target, or "". start
// is a part of the error's text.
func iscsiName(name, start string) string {
	const bad = "must be valid format"
	switch {
	case strings.HasPrefix(name, "iqn"):
		if !iqnPattern().MatchString(name) {
			return bad
		}
	case strings.HasPrefix(name, "eui"):
		if !euiPattern().MatchString(name) {
			return bad
		}
	case strings.HasPrefix(name, "naa"):
		if !naaPattern().MatchString(name) {
			return bad
		}
	default:
		return bad + start
	}
	return ""
}

// iscsi checks an iSCSI volume. Source: validateISCSIVolumeSource.
func (v *validator) iscsi(n, _ node) { v.iscsiSource(n, " starting with iqn, eui, or naa", func() {}) }

func (v *validator) iscsiSource(n node, start string, afterPortal func()) {
	v.needAll(n, "targetPortal")
	afterPortal()
	if iqn := n.get("iqn"); iqn.text() == "" {
		v.required(iqn, "")
	} else if text := iscsiName(iqn.text(), start); text != "" {
		v.invalidString(iqn, iqn.text(), []string{text})
	}
	v.inRange(n.get("lun"), 0, 255)
	if (n.isTrue("chapAuthDiscovery") || n.isTrue("chapAuthSession")) && !n.has("secretRef") {
		v.required(n.get("secretRef"), "")
	}
	if start == "" && n.has("secretRef") {
		v.needAll(n.get("secretRef"), "name")
	}
	if initiator := n.field("initiatorName", "initiatorname"); initiator.isSet() {
		if text := iscsiName(initiator.text(), start); text != "" {
			v.invalidString(initiator, initiator.text(), []string{text})
		}
	}
}

const iscsiTooLong = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified."

func (v *validator) iscsiName(volume node) {
	n := volume.get("iscsi")
	if name := volume.get("name"); n.has("initiatorName") && len(name.text()+":"+n.str("targetPortal")) > 64 {
		v.invalidString(name, name.text(), []string{iscsiTooLong})
	}
}

func (v *validator) glusterfs(n, _ node) { v.needAll(n, "endpoints", "path") }

func (v *validator) flocker(n, _ node) {
	name, uuid := n.str("datasetName"), n.str("datasetUUID")
	if name == "" && uuid == "" {
		v.required(n, "one of datasetName and datasetUUID is required")
	}
	if name != "" && uuid != "" {
		v.invalid(n, `"resource"`, "datasetName and datasetUUID can not be specified simultaneously")
	}
	if strings.Contains(name, "/") {
		v.invalidString(n.get("datasetName"), name, []string{"must not contain '/'"})
	}
}

func (v *validator) rbd(n, _ node) {
	if n.get("monitors").length() == 0 {
		v.required(n.get("monitors"), "")
	}
	v.needAll(n, "image")
}

func (v *validator) cephFS(n, _ node) {
	if n.get("monitors").length() == 0 {
		v.required(n.get("monitors"), "")
	}
}

func (v *validator) secretRef(n node, fields ...string) {
	if ref := n.get("secretRef"); ref.isSet() {
		v.needAll(ref, fields...)
	}
}

func (v *validator) cinder(n, _ node) {
	v.needAll(n, "volumeID")
	v.secretRef(n, "name")
}

func (v *validator) quobyte(n, _ node) {
	registry := n.get("registry")
	const pairs = "must be a host:port pair or multiple pairs separated by commas"
	switch {
	case registry.text() == "":
		v.required(registry, pairs)
	case len(n.str("tenant")) >= 65:
		v.required(n.get("tenant"), "must be a UUID and may not exceed a length of 64 characters")
	default:
		for pair := range strings.SplitSeq(registry.text(), ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil {
				v.invalidString(registry, registry.text(), []string{pairs})
			}
		}
	}
	v.needAll(n, "volume")
}

// downwardAPI checks a downwardAPI volume. Errors about its items have the path
// of the source. Source: validateDownwardAPIVolumeSource.
func (v *validator) downwardAPI(n, _ node) {
	v.mode(n.get("defaultMode"))
	v.user(n.get("defaultUser"))
	for _, item := range n.get("items").items {
		v.downwardFile(item.withPath(n.p))
	}
}

func (v *validator) downwardFile(item node) {
	v.needAll(item, "path")
	v.unreservedPath(item.get("path"))
	field, resource := item.get("fieldRef"), item.get("resourceFieldRef")
	switch {
	case field.isSet():
		v.fieldSelector(field, volumePaths)
		if resource.isSet() {
			v.invalid(item, `"resource"`, "fieldRef and resourceFieldRef can not be specified simultaneously")
		}
		v.hostIPsGate(field)
	case resource.isSet():
		v.resourceSelector(resource, true)
	default:
		v.required(item, "one of fieldRef and resourceFieldRef is required")
	}
	v.mode(item.get("mode"))
	v.user(item.get("user"))
}

func (v *validator) fibreChannel(n, _ node) {
	targets, wwids, lun := n.get("targetWWNs"), n.get("wwids"), n.get("lun")
	if targets.length() == 0 && wwids.length() == 0 {
		v.required(targets, "must specify either targetWWNs or wwids, but not both")
	}
	if targets.length() == 0 {
		return
	}
	if wwids.length() > 0 {
		v.invalid(targets, v.stringList(targets.texts()), "targetWWNs and wwids can not be specified simultaneously")
	}
	if !lun.isSet() {
		v.required(lun, "lun is required if targetWWNs is specified")
	} else {
		v.inRange(lun, 0, 255)
	}
}

func (v *validator) flexVolume(n, _ node) {
	v.needAll(n, "driver")
	for k, option := range n.get("options").entries {
		namespace, _, _ := strings.Cut(k, "/")
		if name := "." + strings.ToLower(namespace); strings.HasSuffix(name, ".kubernetes.io") || strings.HasSuffix(name, ".k8s.io") {
			v.invalidString(option.withPath(n.p.child("options").key(k)), k, []string{"kubernetes.io and k8s.io namespaces are reserved"})
		}
	}
}

// azureDisk checks an azureDisk volume. Source: validateAzureDisk, with the
// defaults of SetDefaults_AzureDiskVolumeSource.
func (v *validator) azureDisk(n, _ node) {
	v.needAll(n, "diskName", "diskURI")
	uri, kind := n.get("diskURI"), n.get("kind")
	if mode := n.get("cachingMode"); mode.isSet() {
		v.enum(mode, mode.text(), "None", "ReadOnly", "ReadWrite")
	}
	name := "Shared"
	if kind.isSet() {
		name = kind.text()
		v.enum(kind, name, "Dedicated", "Managed", "Shared")
	}
	if name == "Managed" && !strings.HasPrefix(uri.text(), "/subscriptions/") {
		v.unsupported(uri, strconv.Quote(uri.text()), "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}")
	}
	if name != "Managed" && !strings.HasPrefix(uri.text(), "https://") {
		v.unsupported(uri, strconv.Quote(uri.text()), "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd")
	}
}

func (v *validator) storageOS(n, _ node) {
	if name := n.get("volumeName"); name.text() == "" {
		v.required(name, "")
	} else {
		v.dnsLabel(name, name.text())
	}
	if ns := n.get("volumeNamespace"); ns.text() != "" {
		v.dnsLabel(ns, ns.text())
	}
	v.secretRef(n, "name")
}

// driverName checks the name of a CSI driver. Source: ValidateCSIDriverName.
func (v *validator) driverName(n node) {
	name := n.text()
	if name == "" {
		if v.required(n, ""); v.minor >= 35 {
			return
		}
	}
	if len(name) > 63 {
		v.tooLong(n, 63)
	}
	for _, m := range subdomainErrors(v.minor, strings.ToLower(name)) {
		v.invalid(n, strconv.Quote(name), m)
	}
}

func (v *validator) csiVolume(n, _ node) {
	v.driverName(n.get("driver"))
	ref := n.get("nodePublishSecretRef")
	if !ref.isSet() {
		return
	}
	name := ref.get("name")
	if name.text() == "" {
		if v.minor < 22 {
			name = name.withPath(n.p.child("nodePublishSecretRef ").child("name"))
		}
		v.required(name, "")
		return
	}
	v.dnsSubdomain(name.withPath(n.p.child("name")), name.text())
}

// ephemeralVolume checks an ephemeral volume. The server makes the claim's name
// from the names of the pod and the volume. Source:
// validateEphemeralVolumeSource.
func (v *validator) ephemeralVolume(n, volume node) {
	template := n.get("volumeClaimTemplate")
	if !template.isSet() {
		v.required(template, "")
	} else {
		v.claimTemplate(template)
	}
	if pod, name := v.pod.meta.str("name"), volume.get("name"); v.pod.isPod && pod != "" && name.text() != "" {
		claim := pod + "-" + name.text()
		for _, m := range subdomainErrors(v.minor, claim) {
			v.invalidString(name, name.text(), []string{"PVC name " + strconv.Quote(claim) + ": " + m})
		}
	}
}

func (v *validator) imageVolume(n, _ node) {
	if v.pod.isPod || v.minor >= 37 {
		v.needAll(n, "reference")
	}
	if p := n.get("pullPolicy"); p.text() != "" {
		v.enum(p, p.text(), "Always", "IfNotPresent", "Never")
	}
}
