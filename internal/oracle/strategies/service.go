package strategies

import (
	"slices"

	"k8s.io/kubernetes/pkg/apis/core"
)

// The functions in this file re-state parts of registry/core/service/storage on
// which the validation depends.

// allocate sets the fields that a server allocates when it creates a Service. Any
// addresses and ports are sufficient.
func allocate(s *core.Service) {
	if s.Spec.Type == core.ServiceTypeExternalName {
		return
	}
	if s.Spec.ClusterIP == "" {
		s.Spec.ClusterIP = "10.0.0.77"
		s.Spec.ClusterIPs = []string{"10.0.0.77"}
	}
	if len(s.Spec.IPFamilies) == 0 {
		s.Spec.IPFamilies = []core.IPFamily{core.IPv4Protocol}
	}
	if s.Spec.IPFamilyPolicy == nil {
		single := core.IPFamilyPolicySingleStack
		s.Spec.IPFamilyPolicy = &single
	}
	if !hasNodePorts(s) {
		return
	}
	for i := range s.Spec.Ports {
		if p := &s.Spec.Ports[i]; p.NodePort == 0 {
			p.NodePort = 31000 + int32(i)
		}
	}
}

// keepAllocated re-states patchAllocatedValues and normalizeClusterIPs. Allocated values
// stay unless the new object changes them. A client that knows only one of the fields
// clusterIP and clusterIPs need not set the other field.
func keepAllocated(s, old *core.Service) {
	external := core.ServiceTypeExternalName
	if s.Spec.Type != external && old.Spec.Type != external {
		if s.Spec.ClusterIP == "" {
			s.Spec.ClusterIP = old.Spec.ClusterIP
		}
		if len(s.Spec.ClusterIPs) == 0 {
			s.Spec.ClusterIPs = old.Spec.ClusterIPs
		}
		if len(s.Spec.IPFamilies) == 0 {
			s.Spec.IPFamilies = old.Spec.IPFamilies
		}
		if s.Spec.IPFamilyPolicy == nil {
			s.Spec.IPFamilyPolicy = old.Spec.IPFamilyPolicy
		}
	}
	if hasNodePorts(s) && hasNodePorts(old) {
		for i := range s.Spec.Ports {
			p := &s.Spec.Ports[i]
			was := slices.IndexFunc(old.Spec.Ports, func(o core.ServicePort) bool { return o.Protocol == p.Protocol && o.Port == p.Port })
			if p.NodePort == 0 && was >= 0 {
				p.NodePort = old.Spec.Ports[was].NodePort
			}
		}
	}
	switch same := slices.Equal(s.Spec.ClusterIPs, old.Spec.ClusterIPs); {
	case s.Spec.ClusterIP == old.Spec.ClusterIP:
		if len(s.Spec.ClusterIPs) == 0 {
			s.Spec.ClusterIPs = old.Spec.ClusterIPs
		}
	case !same:
	case s.Spec.ClusterIP == "":
		s.Spec.ClusterIPs = nil
	default:
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
}

func hasNodePorts(s *core.Service) bool {
	return s.Spec.Type == core.ServiceTypeNodePort || s.Spec.Type == core.ServiceTypeLoadBalancer
}
