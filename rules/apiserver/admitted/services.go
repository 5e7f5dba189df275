package admitted

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// allocate allocates what a Service lacks, as far as it is known: allocateCreate
// and allocateUpdate of pkg/registry/core/service/storage/alloc.go. The cluster's
// IP families, its addresses and its ports are not.
func (p *preparation) allocate(spec *corev1.ServiceSpec) {
	if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	p.allocatePorts(spec)
	if spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	headless := spec.ClusterIP == corev1.ClusterIPNone
	open := headless && len(spec.Selector) == 0
	if spec.IPFamilyPolicy == nil {
		policy := corev1.IPFamilyPolicySingleStack
		if open {
			policy = corev1.IPFamilyPolicyRequireDualStack
		}
		spec.IPFamilyPolicy = &policy
	}
	for i, ip := range spec.ClusterIPs {
		if ip == corev1.ClusterIPNone {
			break
		}
		if i >= len(spec.IPFamilies) {
			spec.IPFamilies = append(spec.IPFamilies, familyOf(ip))
		}
	}
	dual := *spec.IPFamilyPolicy != corev1.IPFamilyPolicySingleStack
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		p.unknown = append(p.unknown, "spec.ipFamilies")
	}
	if len(spec.IPFamilies) == 1 && dual && (open || *spec.IPFamilyPolicy == corev1.IPFamilyPolicyRequireDualStack) {
		spec.IPFamilies = append(spec.IPFamilies, other(spec.IPFamilies[0]))
	} else if len(spec.IPFamilies) == 1 && dual && !slices.Contains(p.unknown, "spec.ipFamilies") {
		p.unknown = append(p.unknown, "spec.ipFamilies") // PreferDualStack: as the cluster has it
	}
	if headless || len(spec.ClusterIPs) >= len(spec.IPFamilies) && !slices.Contains(p.unknown, "spec.ipFamilies") {
		return
	}
	if spec.ClusterIP == "" {
		spec.ClusterIP = placeholderIP
		spec.ClusterIPs = []string{placeholderIP}
		p.unknown = append(p.unknown, "spec.clusterIP")
	}
	p.unknown = append(p.unknown, "spec.clusterIPs")
}

// placeholderIP is an address that no Service has.
const placeholderIP = "0.0.0.0"

func familyOf(ip string) corev1.IPFamily {
	if strings.Contains(ip, ":") {
		return corev1.IPv6Protocol
	}
	return corev1.IPv4Protocol
}

func other(f corev1.IPFamily) corev1.IPFamily {
	if f == corev1.IPv4Protocol {
		return corev1.IPv6Protocol
	}
	return corev1.IPv4Protocol
}

// allocatePorts allocates the ports of nodes.
func (p *preparation) allocatePorts(spec *corev1.ServiceSpec) {
	switch spec.Type {
	case corev1.ServiceTypeLoadBalancer:
		if spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal && spec.HealthCheckNodePort == 0 {
			p.unknown = append(p.unknown, "spec.healthCheckNodePort")
		}
		if spec.AllocateLoadBalancerNodePorts != nil && !*spec.AllocateLoadBalancerNodePorts {
			return
		}
	case corev1.ServiceTypeNodePort:
	default:
		return
	}
	for i := range spec.Ports {
		if spec.Ports[i].NodePort == 0 {
			p.unknown = append(p.unknown, item("spec.ports", i)+".nodePort")
		}
	}
}
