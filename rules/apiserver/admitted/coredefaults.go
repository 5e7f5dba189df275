//go:build !js

package admitted

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubevet/kubevet/rules/apiserver"
)

// coreDefaults are the defaults of the core group, except those of Pods. Source:
// pkg/apis/core/v1/{defaults,conversion}.go.
var coreDefaults = []step[apiserver.Server]{
	stepFor(func(_ apiserver.Server, v *corev1.ResourceList) {
		for name, quantity := range *v {
			quantity.RoundUp(-3) // round up to thousandths
			(*v)[name] = quantity
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.ReplicationController) {
		if v.Spec.Template == nil || v.Spec.Template.Labels == nil {
			return
		}
		if len(v.Spec.Selector) == 0 {
			v.Spec.Selector = maps.Clone(v.Spec.Template.Labels)
		}
		if len(v.Labels) == 0 {
			v.Labels = maps.Clone(v.Spec.Template.Labels)
		}
	}),
	stepFor(defaultService),
	stepFor(func(s apiserver.Server, v *corev1.Namespace) {
		if v.Name != "" {
			setLabel(&v.Labels, corev1.LabelMetadataName, v.Name)
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.NodeStatus) {
		if v.Allocatable == nil && v.Capacity != nil {
			v.Allocatable = v.Capacity.DeepCopy()
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.NodeSpec) {
		switch {
		case v.PodCIDR != "" && (len(v.PodCIDRs) == 0 || v.PodCIDRs[0] != v.PodCIDR):
			v.PodCIDRs = []string{v.PodCIDR}
		case v.PodCIDR == "" && len(v.PodCIDRs) > 0:
			v.PodCIDR = v.PodCIDRs[0]
		}
	}),
	stepFor(func(s apiserver.Server, v *corev1.LimitRangeItem) {
		if v.Type != corev1.LimitTypeContainer {
			return
		}
		if v.Default == nil {
			v.Default = corev1.ResourceList{}
		}
		if v.DefaultRequest == nil {
			v.DefaultRequest = corev1.ResourceList{}
		}
		addMissing(v.Default, v.Max)
		addMissing(v.DefaultRequest, v.Default)
		addMissing(v.DefaultRequest, v.Min)
	}),
	stepFor(func(s apiserver.Server, v *corev1.Secret) {
		if len(v.StringData) > 0 && v.Data == nil {
			v.Data = make(map[string][]byte, len(v.StringData))
		}
		for key, text := range v.StringData {
			v.Data[key] = []byte(text)
		}
		v.StringData = nil // the internal version has no such field
	}),
}

// addMissing adds to dst the resources of src that dst lacks.
func addMissing(dst, src corev1.ResourceList) {
	for name, quantity := range src {
		if _, ok := dst[name]; !ok {
			dst[name] = quantity.DeepCopy()
		}
	}
}

func setLabel(labels *map[string]string, key, value string) {
	if *labels == nil {
		*labels = map[string]string{}
	}
	(*labels)[key] = value
}

func defaultService(s apiserver.Server, v *corev1.Service) {
	spec := &v.Spec
	if spec.SessionAffinity == "" {
		spec.SessionAffinity = corev1.ServiceAffinityNone
	}
	switch spec.SessionAffinity {
	case corev1.ServiceAffinityNone:
		spec.SessionAffinityConfig = nil
	case corev1.ServiceAffinityClientIP:
		if c := spec.SessionAffinityConfig; c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			seconds := corev1.DefaultClientIPServiceAffinitySeconds
			spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds}}
		}
	}
	if spec.Type == "" {
		spec.Type = corev1.ServiceTypeClusterIP
	}
	for i := range spec.Ports {
		if port := &spec.Ports[i]; port.TargetPort == (intstr.IntOrString{}) || port.TargetPort == intstr.FromString("") {
			port.TargetPort = intstr.FromInt32(port.Port)
		}
	}
	outside := spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer ||
		s.Minor >= 29 && spec.Type == corev1.ServiceTypeClusterIP && len(spec.ExternalIPs) > 0
	if outside && spec.ExternalTrafficPolicy == "" {
		spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	}
	switch spec.Type {
	case corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeClusterIP:
		setTo(&spec.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if spec.Type != corev1.ServiceTypeLoadBalancer {
		return
	}
	setTo(&spec.AllocateLoadBalancerNodePorts, true)
	if s.Minor >= 29 && s.Enabled("LoadBalancerIPMode") {
		for i := range v.Status.LoadBalancer.Ingress {
			if address := &v.Status.LoadBalancer.Ingress[i]; address.IP != "" {
				setTo(&address.IPMode, corev1.LoadBalancerIPModeVIP)
			}
		}
	}
}
