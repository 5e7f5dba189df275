//go:build !js

package admitted

import (
	"reflect"
	"regexp"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// podDefaults are the defaults of Pods and pod templates. Source:
// pkg/apis/core/v1/{defaults,conversion}.go.
var podDefaults = []step[apiserver.Server]{
	stepFor(func(s apiserver.Server, v *corev1.Pod) {
		spec := &v.Spec
		v.Annotations = withoutInitAnnotations(v.Annotations)
		if grace := spec.TerminationGracePeriodSeconds; grace != nil && *grace < 0 {
			*grace = 1
		}
		for _, list := range [...][]corev1.Container{spec.Containers, spec.InitContainers} {
			for i := range list {
				requestLimits(&list[i].Resources)
			}
		}
		if s.Minor <= 32 && s.Enabled("InPlacePodVerticalScaling") {
			for i := range spec.Containers {
				addResizePolicy(&spec.Containers[i])
			}
		}
		if s.Enabled("PodLevelResources") && !s.Enabled("PodLevelResourcesFixDefaulting") {
			defaultPodResources(s, spec)
		}
		setTo(&spec.EnableServiceLinks, true)
		if spec.HostNetwork {
			useHostPorts(spec)
		}
		if s.Enabled("H2CContainerProbe") {
			setProbeProtocols(spec)
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.PodTemplateSpec) {
		v.Annotations = withoutInitAnnotations(v.Annotations)
	}),
	stepFor(func(s apiserver.Server, v *corev1.PodSpec) {
		if v.ServiceAccountName == "" {
			v.ServiceAccountName = v.DeprecatedServiceAccount
		}
		v.DeprecatedServiceAccount = v.ServiceAccountName
		if v.SecurityContext == nil {
			v.SecurityContext = &corev1.PodSecurityContext{}
		}
		if v.HostNetwork && (s.Minor < 28 || s.Enabled("DefaultHostNetworkHostPortsInPodTemplates")) {
			useHostPorts(v)
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.PodStatus) {
		switch {
		case v.PodIP != "" && (len(v.PodIPs) == 0 || v.PodIPs[0].IP != v.PodIP):
			v.PodIPs = []corev1.PodIP{{IP: v.PodIP}}
		case v.PodIP == "" && len(v.PodIPs) > 0:
			v.PodIP = v.PodIPs[0].IP
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.Container) {
		if v.ImagePullPolicy == "" {
			v.ImagePullPolicy = pullPolicy(v.Image)
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.EphemeralContainerCommon) {
		if v.ImagePullPolicy == "" {
			v.ImagePullPolicy = pullPolicy(v.Image)
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.Volume) {
		if hasNoSource(&v.VolumeSource) {
			v.EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
		if v.Image != nil && v.Image.PullPolicy == "" && s.Enabled("ImageVolume") {
			v.Image.PullPolicy = pullPolicy(v.Image.Reference)
		}
	}),
}

// hasNoSource reports whether a volume has no source.
func hasNoSource(v *corev1.VolumeSource) bool {
	all := reflect.ValueOf(v).Elem()
	for i := range all.NumField() {
		if !all.Field(i).IsNil() {
			return false
		}
	}
	return true
}

// initAnnotations are the annotations that contained init containers in early
// releases. The server drops them.
var initAnnotations = [...]string{
	"pod.beta.kubernetes.io/init-containers", "pod.alpha.kubernetes.io/init-containers",
	"pod.beta.kubernetes.io/init-container-statuses", "pod.alpha.kubernetes.io/init-container-statuses",
}

func withoutInitAnnotations(all map[string]string) map[string]string {
	for _, key := range initAnnotations {
		delete(all, key)
	}
	return all
}

// requestLimits sets missing requests to the limits.
func requestLimits(r *corev1.ResourceRequirements) {
	if r.Limits == nil {
		return
	}
	if r.Requests == nil {
		r.Requests = make(corev1.ResourceList, len(r.Limits))
	}
	for name, limit := range r.Limits {
		if _, ok := r.Requests[name]; !ok {
			r.Requests[name] = limit.DeepCopy()
		}
	}
}

// addResizePolicy adds the default resize policy for requested resources, as 1.27
// to 1.32 do.
func addResizePolicy(c *corev1.Container) {
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		named := false
		for i := range c.ResizePolicy {
			named = named || c.ResizePolicy[i].ResourceName == name
		}
		if _, requested := c.Resources.Requests[name]; requested && !named {
			c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{ResourceName: name, RestartPolicy: corev1.NotRequired})
		}
	}
}

func useHostPorts(spec *corev1.PodSpec) {
	for _, list := range [...][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			for j := range list[i].Ports {
				if port := &list[i].Ports[j]; port.HostPort == 0 {
					port.HostPort = port.ContainerPort
				}
			}
		}
	}
}

// setProbeProtocols sets HTTP/1 as the protocol of HTTP probes and hooks in all
// containers.
func setProbeProtocols(spec *corev1.PodSpec) {
	setProtocols := func(probes [3]*corev1.Probe, hooks *corev1.Lifecycle) {
		for _, probe := range probes {
			if probe != nil && probe.HTTPGet != nil {
				setTo(&probe.HTTPGet.Protocol, corev1.HTTPProtocolHTTP1)
			}
		}
		if hooks == nil {
			return
		}
		for _, hook := range [...]*corev1.LifecycleHandler{hooks.PostStart, hooks.PreStop} {
			if hook != nil && hook.HTTPGet != nil {
				setTo(&hook.HTTPGet.Protocol, corev1.HTTPProtocolHTTP1)
			}
		}
	}
	for _, list := range [...][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			c := &list[i]
			setProtocols([3]*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe}, c.Lifecycle)
		}
	}
	for i := range spec.EphemeralContainers {
		c := &spec.EphemeralContainers[i]
		setProtocols([3]*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe}, c.Lifecycle)
	}
}

// imageName matches image references with a registry. It does not check the
// length of digests. Source: reference.Parse in
// github.com/distribution/reference.
var imageName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?` +
		`(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)+` +
		`(?::(\w[\w.-]{0,127}))?` +
		`(?:@(sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}))?$`)
})

// identifier matches the ID of an image. An ID is not an image reference.
var identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-f0-9]{64}$`) })

// pullPolicy returns the default pull policy of an image. It is Always if the tag
// is latest, or if there is neither a tag nor a digest. Otherwise it is
// IfNotPresent. Source: ParseImageName in pkg/util/parsers/parsers.go.
func pullPolicy(image string) corev1.PullPolicy {
	const maxLength = 255 + 1 + 128 + 1 + 200 // name, tag and digest
	if len(image) > maxLength || identifier().MatchString(image) {
		return corev1.PullIfNotPresent
	}
	first, rest, found := strings.Cut(image, "/")
	switch {
	case !found || !strings.ContainsAny(first, ".:") && first != "localhost" && strings.ToLower(first) == first:
		if rest = image; !found {
			rest = "library/" + image
		}
		first = "docker.io"
	case (first == "docker.io" || first == "index.docker.io") && !strings.Contains(rest, "/"):
		first, rest = "docker.io", "library/"+rest
	}
	parts := imageName().FindStringSubmatchIndex(first + "/" + rest)
	if parts == nil {
		return corev1.PullIfNotPresent
	}
	tagged, digested := parts[2] >= 0, parts[4] >= 0
	if tagged && (first + "/" + rest)[parts[2]:parts[3]] == "latest" || !tagged && !digested {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}
