package podsecurity

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// reader converts the client's values to structs of k8s.io/api. It reads only
// fields that the release has and that the checks of
// pod-security-admission/policy use. It ignores values of a wrong type, because
// the server's decoder refuses them before.
type reader struct{ minor lifecycle.Minor }

// meta reads the annotations. Policies use no other metadata.
func (rd reader) meta(v *wire.Value) *metav1.ObjectMeta {
	m := &metav1.ObjectMeta{}
	if list := v.Get("annotations"); list != nil && len(list.Fields) > 0 {
		m.Annotations = make(map[string]string, len(list.Fields))
		for _, f := range list.Fields {
			m.Annotations[f.Name] = f.Value.StringOr("")
		}
	}
	return m
}

func (rd reader) podSpec(v *wire.Value) *corev1.PodSpec {
	p := &corev1.PodSpec{
		HostNetwork:     v.Get("hostNetwork").IsTrue(),
		HostPID:         v.Get("hostPID").IsTrue(),
		HostIPC:         v.Get("hostIPC").IsTrue(),
		Containers:      rd.containers(v.Get("containers")),
		InitContainers:  rd.containers(v.Get("initContainers")),
		Volumes:         rd.volumes(v.Get("volumes")),
		SecurityContext: rd.podSecurityContext(v.Get("securityContext")),
	}
	if rd.minor >= 25 {
		p.HostUsers = boolOf(v.Get("hostUsers"))
	}
	if os := v.Get("os"); os != nil && os.Kind == wire.Map {
		p.OS = &corev1.PodOS{Name: corev1.OSName(os.Get("name").StringOr(""))}
	}
	for _, c := range rd.containers(v.Get("ephemeralContainers")) {
		p.EphemeralContainers = append(p.EphemeralContainers, corev1.EphemeralContainer{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon(c),
		})
	}
	return p
}

func (rd reader) podSecurityContext(v *wire.Value) *corev1.PodSecurityContext {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	sc := &corev1.PodSecurityContext{
		SELinuxOptions:  seLinux(v.Get("seLinuxOptions")),
		WindowsOptions:  windows(v.Get("windowsOptions")),
		RunAsUser:       int64Of(v.Get("runAsUser")),
		RunAsNonRoot:    boolOf(v.Get("runAsNonRoot")),
		SeccompProfile:  seccomp(v.Get("seccompProfile")),
		AppArmorProfile: rd.appArmor(v.Get("appArmorProfile")),
	}
	for _, item := range v.Get("sysctls").Elements() {
		sc.Sysctls = append(sc.Sysctls, corev1.Sysctl{Name: item.Get("name").StringOr("")})
	}
	return sc
}

func (rd reader) containers(v *wire.Value) []corev1.Container {
	var all []corev1.Container
	for _, item := range v.Elements() {
		c := corev1.Container{
			Name:            item.Get("name").StringOr(""),
			LivenessProbe:   probe(item.Get("livenessProbe")),
			ReadinessProbe:  probe(item.Get("readinessProbe")),
			StartupProbe:    probe(item.Get("startupProbe")),
			SecurityContext: rd.securityContext(item.Get("securityContext")),
		}
		for _, port := range item.Get("ports").Elements() {
			c.Ports = append(c.Ports, corev1.ContainerPort{
				HostPort:      int32Of(port.Get("hostPort")),
				ContainerPort: int32Of(port.Get("containerPort")),
			})
		}
		if l := item.Get("lifecycle"); l != nil && l.Kind == wire.Map {
			c.Lifecycle = &corev1.Lifecycle{PostStart: hook(l.Get("postStart")), PreStop: hook(l.Get("preStop"))}
		}
		all = append(all, c)
	}
	return all
}

func (rd reader) securityContext(v *wire.Value) *corev1.SecurityContext {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	sc := &corev1.SecurityContext{
		Privileged:               boolOf(v.Get("privileged")),
		SELinuxOptions:           seLinux(v.Get("seLinuxOptions")),
		WindowsOptions:           windows(v.Get("windowsOptions")),
		RunAsUser:                int64Of(v.Get("runAsUser")),
		RunAsNonRoot:             boolOf(v.Get("runAsNonRoot")),
		AllowPrivilegeEscalation: boolOf(v.Get("allowPrivilegeEscalation")),
		SeccompProfile:           seccomp(v.Get("seccompProfile")),
		AppArmorProfile:          rd.appArmor(v.Get("appArmorProfile")),
	}
	if m := v.Get("procMount"); m != nil && m.Kind == wire.String {
		mount := corev1.ProcMountType(m.Text)
		sc.ProcMount = &mount
	}
	if caps := v.Get("capabilities"); caps != nil && caps.Kind == wire.Map {
		sc.Capabilities = &corev1.Capabilities{Add: capabilities(caps.Get("add")), Drop: capabilities(caps.Get("drop"))}
	}
	return sc
}

func capabilities(v *wire.Value) []corev1.Capability {
	var all []corev1.Capability
	for _, item := range v.Elements() {
		all = append(all, corev1.Capability(item.StringOr("")))
	}
	return all
}

func seLinux(v *wire.Value) *corev1.SELinuxOptions {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	return &corev1.SELinuxOptions{User: v.Get("user").StringOr(""), Role: v.Get("role").StringOr(""), Type: v.Get("type").StringOr("")}
}

func windows(v *wire.Value) *corev1.WindowsSecurityContextOptions {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	return &corev1.WindowsSecurityContextOptions{HostProcess: boolOf(v.Get("hostProcess"))}
}

func seccomp(v *wire.Value) *corev1.SeccompProfile {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	return &corev1.SeccompProfile{
		Type:             corev1.SeccompProfileType(v.Get("type").StringOr("")),
		LocalhostProfile: stringOf(v.Get("localhostProfile")),
	}
}

// appArmor reads an AppArmor profile, a field that 1.30 introduced. It returns
// nil if there is none.
func (rd reader) appArmor(v *wire.Value) *corev1.AppArmorProfile {
	if v == nil || v.Kind != wire.Map || rd.minor < 30 {
		return nil
	}
	return &corev1.AppArmorProfile{
		Type:             corev1.AppArmorProfileType(v.Get("type").StringOr("")),
		LocalhostProfile: stringOf(v.Get("localhostProfile")),
	}
}

func probe(v *wire.Value) *corev1.Probe {
	if h := hook(v); h != nil {
		return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: h.HTTPGet, TCPSocket: h.TCPSocket}}
	}
	return nil
}

func hook(v *wire.Value) *corev1.LifecycleHandler {
	if v == nil || v.Kind != wire.Map {
		return nil
	}
	h := &corev1.LifecycleHandler{}
	if get := v.Get("httpGet"); get != nil && get.Kind == wire.Map {
		h.HTTPGet = &corev1.HTTPGetAction{Host: get.Get("host").StringOr("")}
	}
	if tcp := v.Get("tcpSocket"); tcp != nil && tcp.Kind == wire.Map {
		h.TCPSocket = &corev1.TCPSocketAction{Host: tcp.Get("host").StringOr("")}
	}
	return h
}

func boolOf(v *wire.Value) *bool {
	if v == nil || v.Kind != wire.Bool {
		return nil
	}
	b := v.Text == "true"
	return &b
}

func stringOf(v *wire.Value) *string {
	if v == nil || v.Kind != wire.String {
		return nil
	}
	return &v.Text
}

func int64Of(v *wire.Value) *int64 {
	if n, ok := v.Int(); ok {
		return &n
	}
	return nil
}

func int32Of(v *wire.Value) int32 {
	n, _ := v.Int() // cannot fail, because the decoder checked the range
	return int32(n)
}
