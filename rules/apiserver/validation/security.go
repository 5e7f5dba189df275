package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// maxID is the greatest user ID or group ID.
const maxID = 1<<31 - 1

// podSecurityContext checks the security context of a pod. It runs for every pod,
// because each pod has one by default. Source: validatePodSpecSecurityContext.
func (v *validator) podSecurityContext(spec node) {
	if v.minor <= 27 {
		v.hostPortsMatch(spec)
	}
	sc := spec.get("securityContext")
	share := func(at node) {
		if spec.isTrue("hostPID") && at.boolean() {
			v.invalid(at, "true", "ShareProcessNamespace and HostPID cannot both be enabled")
		}
	}
	if sc.isSet() {
		v.inRange(sc.get("fsGroup"), 0, maxID)
		v.inRange(sc.get("runAsUser"), 0, maxID)
		v.inRange(sc.get("runAsGroup"), 0, maxID)
		for _, g := range sc.get("supplementalGroups").items {
			v.inRange(g, 0, maxID)
		}
	}
	if v.minor <= 36 {
		share(spec.get("shareProcessNamespace").withPath(sc.p.child("shareProcessNamespace")))
	}
	if sc.isSet() {
		v.sysctls(sc.get("sysctls"), spec)
		if p := v.gated("ConfigurableFSGroupPolicy", sc.get("fsGroupChangePolicy")); p.isSet() {
			v.enum(p, p.text(), "Always", "OnRootMismatch")
		}
		v.seccompProfile(v.since(19, sc.get("seccompProfile")))
		v.windowsOptions(sc.get("windowsOptions"))
		v.appArmorProfile(v.appArmorField(sc))
		if p := v.gated("SupplementalGroupsPolicy", sc.get("supplementalGroupsPolicy")); p.isSet() {
			v.enum(p, p.text(), "Merge", "Strict")
		}
		if p := v.gated("SELinuxChangePolicy", sc.get("seLinuxChangePolicy")); p.isSet() {
			if v.server.Enabled("SELinuxMount") {
				v.enum(p, p.text(), "MountOption", "Recursive")
			} else {
				v.enum(p, p.text(), "Recursive")
			}
		}
	}
	if v.minor >= 37 {
		share(spec.get("shareProcessNamespace"))
	}
}

// sysctls checks the sysctls of a pod. Source: validateSysctls.
func (v *validator) sysctls(list, spec node) {
	slashes := v.minor >= 25 || v.minor >= 23 && v.req.Old != nil
	pattern := `([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`
	if slashes {
		pattern = `([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`
	}
	if v.minor >= 25 {
		pattern = "^" + pattern + "$"
	}
	seen := newNames(list.length())
	for _, s := range list.items {
		name := s.get("name")
		switch {
		case name.text() == "":
			v.required(name, "")
		case !isSysctl(name.text(), slashes):
			v.invalidString(name, name.text(), []string{"must have at most 253 characters and match regex " + pattern})
		case seen.has(name.text()):
			v.duplicate(name, strconv.Quote(name.text()))
		}
		if v.minor >= 29 {
			v.hostSysctl(name, spec)
		}
		seen.add(name.text())
	}
}

func isSysctl(name string, slashes bool) bool {
	if slashes {
		name = strings.ReplaceAll(name, "/", ".")
	}
	return len(name) <= 253 && everyPart(name, func(s string) bool {
		return matches(s, inLowerNums, inBare)
	})
}

// hostSysctl checks that a sysctl does not change the host. Source:
// ValidateHostSysctl with GetNamespace in
// k8s.io/component-helpers/node/util/sysctl (since 1.29).
func (v *validator) hostSysctl(n, spec node) {
	name := n.text()
	if first := strings.IndexAny(name, "./"); first > 0 && name[first] == '/' {
		name = strings.NewReplacer(".", "/", "/", ".").Replace(name)
	}
	name, _, _ = strings.Cut(name, "*")
	ipc := name == "kernel.sem" || strings.HasPrefix(name, "kernel.shm") || strings.HasPrefix(name, "kernel.msg") || strings.HasPrefix(name, "fs.mqueue.")
	switch {
	case v.pod.hostNetwork && strings.HasPrefix(name, "net."):
		v.invalidString(n, n.text(), []string{"may not be specified when 'hostNetwork' is true"})
	case spec.isTrue("hostIPC") && ipc:
		v.invalidString(n, n.text(), []string{"may not be specified when 'hostIPC' is true"})
	}
}

// securityContext checks the security context of a container. It assumes that the
// server's flag for privileged containers is set, as in most clusters. Source:
// ValidateSecurityContext.
func (v *validator) securityContext(sc node) {
	if !sc.isSet() {
		return
	}
	v.inRange(sc.get("runAsUser"), 0, maxID)
	v.inRange(sc.get("runAsGroup"), 0, maxID)
	if mount := v.gated("ProcMountType", sc.get("procMount")); mount.isSet() {
		v.enum(mount, mount.text(), "Default", "Unmasked")
		if v.minor >= 30 && v.pod.hostUsers && mount.text() == "Unmasked" {
			v.invalid(mount, v.typed("Unmasked"), "`hostUsers` must be false to use `Unmasked`")
		}
	}
	v.seccompProfile(v.since(19, sc.get("seccompProfile")))
	if escalation := sc.get("allowPrivilegeEscalation"); escalation.isSet() && !escalation.boolean() {
		if sc.isTrue("privileged") {
			v.contextDump(sc, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
		}
		for _, c := range sc.at("capabilities", "add").items {
			if c.text() == "CAP_SYS_ADMIN" {
				v.contextDump(sc, "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")
			}
		}
	}
	v.windowsOptions(sc.get("windowsOptions"))
	v.appArmorProfile(v.appArmorField(sc))
}

// seccompProfile checks a seccomp profile. Source: validateSeccompProfileField.
func (v *validator) seccompProfile(p node) {
	if !p.isSet() {
		return
	}
	kind, local := p.get("type"), p.get("localhostProfile")
	if kind.text() == "" {
		v.required(kind, "type is required when seccompProfile is set")
	} else {
		v.enum(kind, kind.text(), "Localhost", "RuntimeDefault", "Unconfined")
	}
	switch {
	case kind.text() == "Localhost" && !local.isSet():
		v.required(local, "must be set when seccomp type is Localhost")
	case kind.text() == "Localhost":
		v.relativePath(local)
	case local.isSet():
		value := "core.SeccompProfile{Type:" + strconv.Quote(kind.text()) + ", LocalhostProfile:(*string)(0x0)}"
		if v.minor >= 34 {
			value = `{"Type":` + jsonString(kind.text()) + `,"LocalhostProfile":` + jsonString(local.text()) + "}"
		}
		v.invalid(local, value, "can only be set when seccomp type is Localhost")
		if v.minor < 34 {
			v.inexact()
		}
	}
}

// maxLocalProfile is the longest name of a profile in bytes: PATH_MAX minus one.
const maxLocalProfile = 4095

// appArmorProfile checks an AppArmor profile. Source:
// ValidateAppArmorProfileField (since 1.30).
func (v *validator) appArmorProfile(p node) {
	if !p.isSet() {
		return
	}
	kind, local := p.get("type"), p.get("localhostProfile")
	switch kind.text() {
	case "Localhost":
		trimmed := strings.TrimSpace(local.text())
		switch {
		case !local.isSet():
			v.required(local, "must be set when AppArmor type is Localhost")
			return
		case trimmed != local.text():
			v.invalidString(local, local.text(), []string{"must not be padded with whitespace"})
		case trimmed == "":
			v.required(local, "must be set when AppArmor type is Localhost")
		}
		if len(local.text()) > maxLocalProfile {
			if v.minor < 32 {
				v.add(local, "Too long: may not be longer than 4095")
			} else {
				v.tooLong(local, maxLocalProfile)
			}
		}
	case "RuntimeDefault", "Unconfined":
		if local.isSet() {
			v.invalid(local, v.typed(local.text()), "can only be set when AppArmor type is Localhost")
		}
	case "":
		v.required(kind, "type is required when appArmorProfile is set")
	default:
		v.unsupported(kind, v.typed(kind.text()), "Localhost", "RuntimeDefault", "Unconfined")
	}
}

// contextFields are the fields of core.SecurityContext in the order of the Go
// type. since is the minor that introduced the field.
var contextFields = []struct {
	name  string
	since int
}{
	{"capabilities", 0}, {"privileged", 0}, {"seLinuxOptions", 0}, {"windowsOptions", 0}, {"runAsUser", 0}, {"runAsGroup", 0},
	{"runAsNonRoot", 0}, {"readOnlyRootFilesystem", 0}, {"allowPrivilegeEscalation", 0}, {"procMount", 0}, {"seccompProfile", 0}, {"appArmorProfile", 0},
}

// contextDump adds an error that quotes a whole security context. Up to 1.33 the
// text contains memory addresses. Later it is JSON, and exact unless the context
// has fields that are structs.
func (v *validator) contextDump(sc node, detail string) {
	if v.minor < 34 {
		v.invalid(sc, "core.SecurityContext{…}", detail)
		v.inexact()
		return
	}
	var b strings.Builder
	exact := true
	b.WriteByte('{')
	for i, f := range contextFields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + goName(f.name) + `":`)
		value := sc.v.Get(f.name)
		switch {
		case f.name == "capabilities" && !value.IsNull():
			caps := sc.get("capabilities")
			b.WriteString(`{"Add":` + v.stringList(orEmpty(caps.get("add"))) + `,"Drop":` + v.stringList(orEmpty(caps.get("drop"))) + "}")
		default:
			exact = exact && (value.IsNull() || value.Kind != wire.Map)
			b.WriteString(jsonOf(value))
		}
	}
	b.WriteByte('}')
	v.invalid(sc, b.String(), detail)
	if !exact {
		v.inexact()
	}
}

// goName returns the Go name of a field, which errors contain because upstream's
// internal types have no JSON tags.
func goName(name string) string {
	if strings.HasPrefix(name, "seL") {
		return "SEL" + name[3:]
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
