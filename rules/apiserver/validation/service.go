package validation

import (
	"strconv"
	"strings"
)

func (v *validator) serviceName() nameRule {
	if v.minor >= 34 && v.server.Enabled("RelaxedServiceNameValidation") {
		return labelErrors
	}
	return label1035Errors
}

// service checks a Service. The server allocates addresses before validation and
// checks them. If an address of a new service is wrong, the server reports only
// the errors about addresses. The cluster's address ranges and IP families cannot
// be known. Source: validateService with ValidateServiceCreate.
func (v *validator) service(obj node) {
	spec := obj.get("spec")
	kind := spec.strOr("type", "ClusterIP")
	ips := clusterIPs(spec)
	before := len(v.causes)
	if v.req.Old == nil && v.minor >= 23 && kind != "ExternalName" {
		v.addressFields(spec, ips)
		if len(v.causes) > before {
			return
		}
		if v.tooManyFamilies(spec, ips) {
			return
		}
	}
	v.metadata(obj, true, v.serviceName())
	v.topologyMode(obj.at("metadata", "annotations"))
	if v.req.Old != nil {
		v.serviceUpdate(spec, ips)
	}
	headless := len(ips) == 1 && ips[0] == "None"
	if spec.get("ports").length() == 0 && !headless && kind != "ExternalName" {
		v.required(spec.get("ports"), "")
	}
	v.serviceType(spec, kind, ips)
	v.servicePorts(spec.get("ports"))
	v.labels(spec.get("selector"))
	v.sessionAffinity(spec)
	if kind != "ExternalName" {
		v.addressFields(spec, ips)
	}
	for _, ip := range spec.get("externalIPs").items {
		if len(v.errorsOf(func() { v.legacyIP(ip, v.oldTexts("spec", "externalIPs")...) })) > 0 {
			v.legacyIP(ip, v.oldTexts("spec", "externalIPs")...)
		} else {
			v.endpointIP(ip)
		}
	}
	v.enum(spec.get("type"), kind, "ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
	v.uniquePorts(spec.get("ports"), kind)
	v.sourceRanges(obj, spec, kind)
	if allocate := spec.get("allocateLoadBalancerNodePorts"); allocate.isSet() && kind != "LoadBalancer" {
		v.forbidden(allocate, "may only be used when `type` is 'LoadBalancer'")
	}
	v.loadBalancerClass(spec, kind)
	v.trafficPolicies(spec, kind)
}

// clusterIPs returns spec.clusterIPs of a service, or else spec.clusterIP.
func clusterIPs(spec node) []string {
	ips := spec.get("clusterIPs").texts()
	if ip := spec.str("clusterIP"); len(ips) == 0 && ip != "" {
		return []string{ip}
	}
	return ips
}

// oldTexts returns a list of strings of the stored object, or nil on create.
func (v *validator) oldTexts(names ...string) []string {
	if v.req.Old == nil {
		return nil
	}
	return root(v.req.Old).at(names...).texts()
}

// topologyMode checks that two annotations with the same meaning have the same
// value.
func (v *validator) topologyMode(annotations node) {
	const mode, hints = "service.kubernetes.io/topology-mode", "service.kubernetes.io/topology-aware-hints"
	a, b := annotations.v.Get(mode), annotations.v.Get(hints)
	if v.minor >= 27 && a != nil && b != nil && a.StringOr("") != b.StringOr("") {
		v.invalidString(annotations.get(mode).withPath(annotations.p.key(mode)), a.StringOr(""), []string{"must match annotations[" + hints + "] when both are specified"})
	}
}

// serviceType checks the fields that depend on the type of a service.
func (v *validator) serviceType(spec node, kind string, ips []string) {
	first := spec.get("clusterIPs")
	first.p = first.p.item(0)
	headless := len(ips) == 1 && ips[0] == "None"
	switch kind {
	case "LoadBalancer", "NodePort":
		for i, port := range spec.get("ports").items {
			if kind == "LoadBalancer" && v.minor < 33 && port.num("port", 0) == 10250 {
				v.invalid(spec.get("ports").item(i), "10250", "may not expose port 10250 externally since it is used by kubelet")
			}
		}
		if headless {
			v.invalid(first, `"None"`, "may not be set to 'None' for "+kind+" services")
		}
	case "ExternalName":
		const detail = "may not be set for ExternalName services"
		if len(ips) > 0 {
			v.forbidden(spec.get("clusterIPs"), detail)
		}
		if families := spec.get("ipFamilies"); families.length() > 0 {
			v.forbidden(families, detail)
		}
		if policy := spec.get("ipFamilyPolicy"); policy.isSet() {
			v.forbidden(policy, detail)
		}
		name := spec.get("externalName")
		if cname := strings.TrimSuffix(name.text(), "."); cname != "" {
			v.dnsSubdomain(name, cname)
		} else {
			v.required(name, "")
		}
	}
}

// servicePorts checks the ports of a Service. Source: validateServicePort.
func (v *validator) servicePorts(list node) {
	seen := newNames(list.length())
	for _, p := range list.items {
		name := p.get("name")
		if name.text() == "" {
			if list.length() > 1 {
				v.required(name, "")
			}
		} else {
			v.dnsLabel(name, name.text())
			if !seen.add(name.text()) {
				v.duplicate(name, strconv.Quote(name.text()))
			}
		}
		v.portNumber(p.get("port"))
		v.enum(p.get("protocol"), p.strOr("protocol", "TCP"), "SCTP", "TCP", "UDP")
		target := p.get("targetPort")
		if n, _ := target.number(); n == 0 && target.text() == "" {
			target.v = p.v.Get("port") // the default is the port
		}
		v.portOrName(target)
		v.appProtocol(p.get("appProtocol"))
	}
}

// portNumber checks a port number. An absent port counts as 0, which is invalid.
// Source: IsValidPortNum.
func (v *validator) portNumber(n node) {
	if port, _ := n.number(); port < 1 || port > 65535 {
		v.invalid(n, itoa(port), rangeText(1, 65535))
	}
}

func (v *validator) appProtocol(n node) {
	if n.isSet() {
		v.invalidString(n, n.text(), qualifiedErrors(v.minor, n.text()))
	}
}

// sessionAffinity checks the session affinity of a service with its default.
func (v *validator) sessionAffinity(spec node) {
	affinity := spec.strOr("sessionAffinity", "None")
	v.enum(spec.get("sessionAffinity"), affinity, "ClientIP", "None")
	timeout := spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds")
	if n, ok := timeout.number(); affinity == "ClientIP" && ok && (n <= 0 || n > 86400) {
		v.invalid(timeout, itoa(n), "must be greater than 0 and less than 86400")
	}
}

// uniquePorts checks that a ClusterIP service has no node ports, and that a
// service uses each port and each node port only once.
func (v *validator) uniquePorts(list node, kind string) {
	for _, p := range list.items {
		if kind == "ClusterIP" && p.num("nodePort", 0) != 0 {
			v.forbidden(p.get("nodePort"), "may not be used when `type` is 'ClusterIP'")
		}
	}
	if list.length() < 2 {
		return
	}
	seen := newNames(list.length())
	for _, p := range list.items {
		if n := p.num("nodePort", 0); n != 0 && !seen.add(p.strOr("protocol", "TCP")+itoa(n)) {
			v.duplicate(p.get("nodePort"), itoa(n))
		}
	}
	seen = newNames(list.length())
	for _, p := range list.items {
		protocol, port := p.strOr("protocol", "TCP"), p.num("port", 0)
		if seen.add(protocol + itoa(port)) {
			continue
		}
		text := `core.ServicePort{Name:"", Protocol:` + strconv.Quote(protocol) + `, AppProtocol:(*string)(nil), Port:` + itoa(port) + `, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`
		if v.minor >= 34 {
			text = `{"Name":"","Protocol":` + jsonString(protocol) + `,"AppProtocol":null,"Port":` + itoa(port) + `,"TargetPort":0,"NodePort":0}`
		}
		v.duplicate(p, text)
	}
}

func (v *validator) loadBalancerClass(spec node, kind string) {
	switch class := v.since(21, spec.get("loadBalancerClass")); {
	case !class.isSet() || v.minor == 21 && !v.server.Enabled("ServiceLoadBalancerClass"):
	case kind == "LoadBalancer":
		v.labelName(class, class.text())
	default:
		v.forbidden(class, "may only be used when `type` is 'LoadBalancer'")
	}
}

// trafficPolicies checks the traffic policies of a service. Source:
// validateServiceExternalTrafficPolicy, validateServiceInternalTrafficFieldsValue
// and validateServiceTrafficDistribution.
func (v *validator) trafficPolicies(spec node, kind string) {
	external := spec.get("externalTrafficPolicy")
	outside := kind == "LoadBalancer" || kind == "NodePort"
	if v.minor >= 29 && kind == "ClusterIP" && spec.get("externalIPs").length() > 0 {
		outside = true
	}
	policy := external.text()
	switch {
	case v.minor < 23:
		v.oldTrafficPolicies(spec, external, outside, kind)
	case !outside && policy != "":
		detail := "may only be set for externally-accessible services"
		if v.minor < 29 {
			detail = "may only be set when `type` is 'NodePort' or 'LoadBalancer'"
		}
		v.invalid(external, v.typed(policy), detail)
	case outside && policy != "":
		v.enum(external, policy, "Cluster", "Local")
	}
	if check := spec.get("healthCheckNodePort"); v.minor >= 23 {
		port, _ := check.number()
		switch {
		case kind == "LoadBalancer" && policy == "Local":
			if port != 0 {
				v.portNumber(check)
			}
		case port != 0:
			v.invalid(check, itoa(port), "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'")
		}
	}
	if internal := v.gated("ServiceInternalTrafficPolicy", spec.get("internalTrafficPolicy")); internal.isSet() {
		v.enum(internal, internal.text(), "Cluster", "Local")
	}
	distribution := v.gated("ServiceTrafficDistribution", v.since(30, spec.get("trafficDistribution")))
	if distribution.isSet() {
		known := []string{"PreferClose", "PreferSameZone", "PreferSameNode"}
		if v.minor < 33 || !v.server.Enabled("PreferSameTrafficDistribution") {
			known = known[:1]
		}
		v.oneOf(distribution, known...)
	}
}

// oldTrafficPolicies checks the traffic policies as servers up to 1.22 do.
func (v *validator) oldTrafficPolicies(spec, external node, outside bool, kind string) {
	policy, check := external.text(), spec.get("healthCheckNodePort")
	port, _ := check.number()
	if !outside && policy != "" {
		v.invalid(external, v.typed(policy), "ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service")
	} else if policy != "" && policy != "Cluster" && policy != "Local" {
		v.invalid(external, v.typed(policy), "ExternalTrafficPolicy must be empty, Cluster or Local")
	}
	if port < 0 {
		v.invalid(check, itoa(port), "HealthCheckNodePort must be not less than 0")
	}
	if port != 0 && (kind != "LoadBalancer" || policy != "Local") {
		v.invalid(check, itoa(port), "HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local")
	}
}
