package podsecurity

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubevet/kubevet/rules/apiserver"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// setDefaults sets the only default that policies read: the host ports of
// containers in a pod on the host's network. Pod templates have this default up
// to 1.27, and behind a gate up to 1.30. Source: SetDefaults_PodSpec and
// SetDefaults_Pod in pkg/apis/core/v1/defaults.go.
func setDefaults(s apiserver.Server, p *corev1.PodSpec, isPod bool) {
	if !p.HostNetwork || !isPod && s.Minor >= 28 && (s.Minor > 30 || !s.Enabled("DefaultHostNetworkHostPortsInPodTemplates")) {
		return
	}
	for _, list := range [...][]corev1.Container{p.Containers, p.InitContainers} {
		for i := range list {
			for j := range list[i].Ports {
				if port := &list[i].Ports[j]; port.HostPort == 0 {
					port.HostPort = port.ContainerPort
				}
			}
		}
	}
}

// dropDisabled drops the fields whose gates are off, unless the stored object has
// them. Source: dropDisabledFields in pkg/api/pod/util.go.
func dropDisabled(s apiserver.Server, p, stored *corev1.PodSpec) {
	if p.HostUsers != nil && (stored == nil || stored.HostUsers == nil) {
		if s.Minor < 28 && !s.Enabled("UserNamespacesStatelessPodsSupport") || s.Minor >= 28 && !s.Enabled("UserNamespacesSupport") {
			p.HostUsers = nil
		}
	}
	if usesProcMount(p) && !usesProcMount(stored) && !s.Enabled("ProcMountType") {
		for c := range containersOf(p) {
			if c.SecurityContext != nil && c.SecurityContext.ProcMount != nil {
				masked := corev1.DefaultProcMount
				c.SecurityContext.ProcMount = &masked
			}
		}
	}
	if s.Minor == 30 && usesAppArmor(p) && !usesAppArmor(stored) && !(s.Enabled("AppArmor") && s.Enabled("AppArmorFields")) {
		if p.SecurityContext != nil {
			p.SecurityContext.AppArmorProfile = nil
		}
		for c := range containersOf(p) {
			if c.SecurityContext != nil {
				c.SecurityContext.AppArmorProfile = nil
			}
		}
	}
}

func usesProcMount(p *corev1.PodSpec) bool {
	for c := range containersOf(p) {
		if c.SecurityContext != nil && c.SecurityContext.ProcMount != nil && *c.SecurityContext.ProcMount != corev1.DefaultProcMount {
			return true
		}
	}
	return false
}

func usesAppArmor(p *corev1.PodSpec) bool {
	if p != nil && p.SecurityContext != nil && p.SecurityContext.AppArmorProfile != nil {
		return true
	}
	for c := range containersOf(p) {
		if c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
			return true
		}
	}
	return false
}

// containersOf iterates over all containers in the order of VisitContainers.
func containersOf(p *corev1.PodSpec) func(yield func(*corev1.Container) bool) {
	return func(yield func(*corev1.Container) bool) {
		if p == nil {
			return
		}
		for i := range p.InitContainers {
			if !yield(&p.InitContainers[i]) {
				return
			}
		}
		for i := range p.Containers {
			if !yield(&p.Containers[i]) {
				return
			}
		}
		for i := range p.EphemeralContainers {
			if !yield((*corev1.Container)(&p.EphemeralContainers[i].EphemeralContainerCommon)) {
				return
			}
		}
	}
}

// syncer copies profiles between the annotations and the fields of a new pod,
// because old nodes know only annotations. It does not change pod templates. On
// update it copies nothing, because the server copied the profiles on create. An
// annotation that the stored pod has with the same value then counts as the field.
type syncer struct {
	minor  lifecycle.Minor
	meta   *metav1.ObjectMeta
	stored *metav1.ObjectMeta // metadata of the stored pod; nil on create
}

// CopyProfiles copies the seccomp and AppArmor profiles of a new pod between its
// annotations and its fields.
func CopyProfiles(s apiserver.Server, pod *corev1.Pod) {
	sync := syncer{minor: s.Minor, meta: &pod.ObjectMeta}
	sync.seccomp(&pod.Spec)
	sync.appArmor(s, &pod.Spec)
}

// annotation returns an annotation. synced is set if the server sets the field from
// the annotation on create, or did so when it stored the pod.
func (s syncer) annotation(key string) (value string, ok, synced bool) {
	value, ok = s.meta.Annotations[key]
	if s.stored == nil {
		return value, ok, ok
	}
	before, wasSet := s.stored.Annotations[key]
	return value, ok, ok && wasSet && value == before
}

// annotate sets an annotation, unless the value is empty.
func (s syncer) annotate(key, value string) {
	if value == "" {
		return
	}
	if s.meta.Annotations == nil {
		s.meta.Annotations = map[string]string{}
	}
	s.meta.Annotations[key] = value
}

// seccomp copies seccomp profiles up to 1.26. From 1.25 on it does not add
// annotations. Source: applySeccompVersionSkew in
// pkg/registry/core/pod/strategy.go.
func (s syncer) seccomp(p *corev1.PodSpec) {
	if s.minor > 26 {
		return
	}
	syncProfile := func(key string, profile *corev1.SeccompProfile, set func(*corev1.SeccompProfile)) {
		annotation, isSet, synced := s.annotation(key)
		switch {
		case profile == nil && synced:
			if fromAnnotation := seccompOf(annotation); fromAnnotation != nil {
				set(fromAnnotation)
			}
		case profile != nil && !isSet && s.minor <= 24:
			s.annotate(key, seccompAnnotation(profile))
		}
	}
	var profileField *corev1.SeccompProfile
	if p.SecurityContext != nil {
		profileField = p.SecurityContext.SeccompProfile
	}
	syncProfile(corev1.SeccompPodAnnotationKey, profileField, func(fromAnnotation *corev1.SeccompProfile) {
		if p.SecurityContext == nil {
			p.SecurityContext = &corev1.PodSecurityContext{}
		}
		p.SecurityContext.SeccompProfile = fromAnnotation
	})
	for c := range containersOf(p) {
		var profileField *corev1.SeccompProfile
		if c.SecurityContext != nil {
			profileField = c.SecurityContext.SeccompProfile
		}
		syncProfile(corev1.SeccompContainerAnnotationKeyPrefix+c.Name, profileField, func(fromAnnotation *corev1.SeccompProfile) {
			if c.SecurityContext == nil {
				c.SecurityContext = &corev1.SecurityContext{}
			}
			c.SecurityContext.SeccompProfile = fromAnnotation
		})
	}
}

// seccompOf returns the profile that an annotation means, or nil. Source:
// SeccompFieldForAnnotation in pkg/api/pod/util.go.
func seccompOf(annotation string) *corev1.SeccompProfile {
	switch annotation {
	case corev1.SeccompProfileNameUnconfined:
		return &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeUnconfined}
	case corev1.SeccompProfileRuntimeDefault, corev1.DeprecatedSeccompProfileDockerDefault:
		return &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	}
	if file, ok := strings.CutPrefix(annotation, corev1.SeccompLocalhostProfileNamePrefix); ok && file != "" {
		return &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeLocalhost, LocalhostProfile: &file}
	}
	return nil
}

// seccompAnnotation returns the annotation for a profile, or "". Source:
// SeccompAnnotationForField.
func seccompAnnotation(p *corev1.SeccompProfile) string {
	switch {
	case p.Type == corev1.SeccompProfileTypeUnconfined:
		return corev1.SeccompProfileNameUnconfined
	case p.Type == corev1.SeccompProfileTypeRuntimeDefault:
		return corev1.SeccompProfileRuntimeDefault
	case p.Type == corev1.SeccompProfileTypeLocalhost && p.LocalhostProfile != nil:
		return corev1.SeccompLocalhostProfileNamePrefix + *p.LocalhostProfile
	}
	return ""
}

// appArmor copies AppArmor profiles from 1.30 on. From 1.34 on it does not add
// annotations. Source: applyAppArmorVersionSkew in
// pkg/registry/core/pod/strategy.go.
func (s syncer) appArmor(server apiserver.Server, p *corev1.PodSpec) {
	if s.minor < 30 || s.minor == 30 && !server.Enabled("AppArmorFields") || p.OS != nil && p.OS.Name == corev1.Windows {
		return
	}
	var pod *corev1.AppArmorProfile
	if p.SecurityContext != nil {
		pod = p.SecurityContext.AppArmorProfile
	}
	for c := range containersOf(p) {
		key := corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + c.Name
		annotation, isSet, synced := s.annotation(key)
		var profileField *corev1.AppArmorProfile
		if c.SecurityContext != nil {
			profileField = c.SecurityContext.AppArmorProfile
		}
		switch {
		case synced && profileField == nil:
			fromAnnotation := appArmorOf(annotation)
			if fromAnnotation == nil || pod != nil && sameAppArmor(fromAnnotation, pod) {
				continue
			}
			if c.SecurityContext == nil {
				c.SecurityContext = &corev1.SecurityContext{}
			}
			c.SecurityContext.AppArmorProfile = fromAnnotation
		case !isSet && s.minor <= 33 && profileField != nil:
			s.annotate(key, appArmorAnnotation(profileField))
		case !isSet && s.minor <= 33 && pod != nil:
			s.annotate(key, appArmorAnnotation(pod))
		}
	}
}

// maxProfile is the longest name of a profile in bytes: PATH_MAX minus one.
const maxProfile = 4095

// appArmorOf returns the profile that an annotation means. It returns nil if the
// annotation means no profile, or one that ValidateAppArmorProfileField refuses.
// Source: ApparmorFieldForAnnotation in pkg/api/pod/util.go.
func appArmorOf(annotation string) *corev1.AppArmorProfile {
	switch annotation {
	case corev1.DeprecatedAppArmorBetaProfileNameUnconfined:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined}
	case corev1.DeprecatedAppArmorBetaProfileRuntimeDefault:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeRuntimeDefault}
	}
	file, ok := strings.CutPrefix(annotation, corev1.DeprecatedAppArmorBetaProfileNamePrefix)
	if !ok || file == "" || len(file) > maxProfile || strings.TrimSpace(file) != file {
		return nil
	}
	return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeLocalhost, LocalhostProfile: &file}
}

// appArmorAnnotation returns the annotation for a profile, or "". Source:
// appArmorAnnotationForField.
func appArmorAnnotation(p *corev1.AppArmorProfile) string {
	switch {
	case p.Type == corev1.AppArmorProfileTypeUnconfined:
		return corev1.DeprecatedAppArmorBetaProfileNameUnconfined
	case p.Type == corev1.AppArmorProfileTypeRuntimeDefault:
		return corev1.DeprecatedAppArmorBetaProfileRuntimeDefault
	case p.Type == corev1.AppArmorProfileTypeLocalhost && p.LocalhostProfile != nil:
		return corev1.DeprecatedAppArmorBetaProfileNamePrefix + *p.LocalhostProfile
	}
	return ""
}

func sameAppArmor(a, b *corev1.AppArmorProfile) bool {
	if a.Type != b.Type || (a.LocalhostProfile == nil) != (b.LocalhostProfile == nil) {
		return false
	}
	return a.LocalhostProfile == nil || *a.LocalhostProfile == *b.LocalhostProfile
}
