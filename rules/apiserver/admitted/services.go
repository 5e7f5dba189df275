//go:build !js

package admitted

import (
	"net/netip"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// allocate sets the addresses, IP families and ports of a Service, as far as they
// can be known. The cluster's IP families, addresses and free ports are not
// known. Source: allocateCreate and allocateUpdate in
// pkg/registry/core/service/storage/alloc.go.
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
		p.unknown = append(p.unknown, "spec.ipFamilies") // PreferDualStack: depends on the cluster
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

// placeholderIP is used for an address that the server chooses. No Service can have
// this address.
const placeholderIP = "0.0.0.0"

func familyOf(ip string) corev1.IPFamily {
	if parsed, err := netip.ParseAddr(ip); err == nil && parsed.Unmap().Is6() {
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

// allocatePorts records as unknown the node ports that the server will choose.
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

// updateService completes an update of a Service. From old, it copies allocated
// values that are missing in obj. Then it drops the fields of obj that a Service
// of the new type cannot have. Source: patchAllocatedValues in
// pkg/registry/core/service/storage/storage.go and dropTypeDependentFields in
// pkg/registry/core/service/strategy.go.
func (p *preparation) updateService(obj, old *corev1.Service) {
	spec, before := &obj.Spec, &old.Spec
	if hasAddress(before.Type) && hasAddress(spec.Type) {
		keepAddress(spec, before)
	}
	if hasNodePorts(before) && hasNodePorts(spec) {
		keepNodePorts(spec, before)
	}
	if hasHealthPort(before) && hasHealthPort(spec) && spec.HealthCheckNodePort == 0 {
		spec.HealthCheckNodePort = before.HealthCheckNodePort
	}
	dropFieldsOfOldType(spec, before)
	if obj.Spec.Type != corev1.ServiceTypeLoadBalancer {
		obj.Status.LoadBalancer = corev1.LoadBalancerStatus{}
	}
	p.allocate(spec)
}

func hasAddress(t corev1.ServiceType) bool {
	return t == corev1.ServiceTypeClusterIP || hasPorts(t)
}

func hasPorts(t corev1.ServiceType) bool {
	return t == corev1.ServiceTypeNodePort || t == corev1.ServiceTypeLoadBalancer
}

func hasNodePorts(spec *corev1.ServiceSpec) bool {
	return spec.Type == corev1.ServiceTypeNodePort ||
		spec.Type == corev1.ServiceTypeLoadBalancer && (spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts)
}

func hasHealthPort(spec *corev1.ServiceSpec) bool {
	return spec.Type == corev1.ServiceTypeLoadBalancer && spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

func keepAddress(spec, old *corev1.ServiceSpec) {
	if spec.ClusterIP == "" {
		spec.ClusterIP = old.ClusterIP
	}
	if len(spec.ClusterIPs) == 0 && spec.ClusterIP == old.ClusterIP {
		spec.ClusterIPs = slices.Clone(old.ClusterIPs)
	}
	if spec.IPFamilyPolicy == nil {
		spec.IPFamilyPolicy = clone(old.IPFamilyPolicy)
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = slices.Clone(old.IPFamilies)
	}
}

// keepNodePorts copies node ports from the old Service, for ports with the same
// number and protocol.
func keepNodePorts(spec, old *corev1.ServiceSpec) {
	type key struct {
		protocol corev1.Protocol
		port     int32
	}
	allocated, used := map[key]int32{}, map[int32]bool{}
	for _, port := range old.Ports {
		allocated[key{port.Protocol, port.Port}] = port.NodePort
	}
	for _, port := range spec.Ports {
		used[port.NodePort] = true
	}
	for i := range spec.Ports {
		port := &spec.Ports[i]
		if known := allocated[key{port.Protocol, port.Port}]; port.NodePort == 0 && !used[known] {
			port.NodePort = known
			used[known] = true
		}
	}
}

// dropFieldsOfOldType drops fields that only the old type can have, if the update
// does not change them.
func dropFieldsOfOldType(spec, old *corev1.ServiceSpec) {
	if hasAddress(old.Type) && !hasAddress(spec.Type) {
		if spec.ClusterIP == old.ClusterIP && (len(spec.ClusterIPs) == 0 || slices.Equal(spec.ClusterIPs, old.ClusterIPs)) {
			spec.ClusterIP, spec.ClusterIPs = "", nil
		}
		if slices.Equal(spec.IPFamilies, old.IPFamilies) {
			spec.IPFamilies = nil
		}
		if reflect.DeepEqual(spec.IPFamilyPolicy, old.IPFamilyPolicy) {
			spec.IPFamilyPolicy = nil
		}
	}
	ports := func(s *corev1.ServiceSpec) (all []int32) {
		for _, port := range s.Ports {
			all = append(all, port.NodePort)
		}
		return all
	}
	if hasNodePorts(old) && !hasNodePorts(spec) && slices.Equal(ports(old), ports(spec)) {
		for i := range spec.Ports {
			spec.Ports[i].NodePort = 0
		}
	}
	if hasHealthPort(old) && !hasHealthPort(spec) && spec.HealthCheckNodePort == old.HealthCheckNodePort {
		spec.HealthCheckNodePort = 0
	}
	if old.Type == corev1.ServiceTypeLoadBalancer && spec.Type != old.Type {
		if reflect.DeepEqual(spec.AllocateLoadBalancerNodePorts, old.AllocateLoadBalancerNodePorts) {
			spec.AllocateLoadBalancerNodePorts = nil
		}
		if reflect.DeepEqual(spec.LoadBalancerClass, old.LoadBalancerClass) {
			spec.LoadBalancerClass = nil
		}
	}
	outside := func(s *corev1.ServiceSpec) bool {
		return hasPorts(s.Type) || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
	}
	if outside(old) && !outside(spec) && spec.ExternalTrafficPolicy == old.ExternalTrafficPolicy {
		spec.ExternalTrafficPolicy = ""
	}
}
