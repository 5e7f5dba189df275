package validation

import (
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
)

// endpoints checks an Endpoints object. From 1.33 on, an update with unchanged
// subsets is not checked. Source: ValidateEndpoints.
func (v *validator) endpoints(obj node) {
	v.metadata(obj, true, subdomainErrors)
	subsets := obj.get("subsets")
	if v.minor >= 33 && v.req.Old != nil && same(subsets.v, v.req.Old.Get("subsets")) {
		return
	}
	for _, s := range subsets.items {
		ready, notReady, ports := s.get("addresses"), s.get("notReadyAddresses"), s.get("ports")
		if ready.length()+notReady.length() == 0 {
			v.required(s, "must specify `addresses` or `notReadyAddresses`")
		}
		for _, a := range ready.items {
			v.endpointAddress(a)
		}
		for _, a := range notReady.items {
			v.endpointAddress(a)
		}
		for _, p := range ports.items {
			name := p.get("name")
			switch {
			case name.text() != "":
				v.dnsLabel(name, name.text())
			case ports.length() > 1:
				v.required(name, "")
			}
			v.portNumber(p.get("port"))
			v.enum(p.get("protocol"), p.strOr("protocol", "TCP"), "SCTP", "TCP", "UDP")
			v.appProtocol(p.get("appProtocol"))
		}
	}
}

func (v *validator) endpointAddress(a node) {
	ip, host, name := a.get("ip"), a.get("hostname"), a.get("nodeName")
	v.legacyIP(ip)
	if host.text() != "" {
		v.dnsLabel(host, host.text())
	}
	if name.isSet() {
		v.dnsSubdomain(name, name.text())
	}
	v.endpointIP(ip)
}

// Limits of an endpoint slice.
const (
	maxSliceAddresses = 100
	maxSlicePorts     = 20000
	maxSliceEndpoints = 1000
	maxSliceHints     = 8
	maxSliceTopology  = 16
)

// endpointSlice checks an EndpointSlice. Source: ValidateEndpointSlice in
// pkg/apis/discovery/validation.
func (v *validator) endpointSlice(obj node) {
	v.metadata(obj, true, subdomainErrors)
	kind := obj.get("addressType")
	v.declaredSince(37, func() {
		if kind.text() == "" {
			v.required(kind, "")
		} else {
			v.enum(kind, kind.text(), "FQDN", "IPv4", "IPv6")
		}
	})
	v.slicePorts(obj.get("ports"))
	list := obj.get("endpoints")
	if v.minor >= 33 && v.req.Old != nil && same(list.v, v.req.Old.Get("endpoints")) {
		list = list.absent()
	}
	if list.length() > maxSliceEndpoints {
		v.tooMany(list, list.length(), maxSliceEndpoints)
		list = list.absent()
	}
	for _, e := range list.items {
		v.sliceEndpoint(e, kind.text())
	}
	if v.req.Old != nil && v.req.Old.Get("addressType").StringOr("") != kind.text() {
		v.immutableString(kind, kind.text())
	}
}

func (v *validator) slicePorts(list node) {
	if list.length() > maxSlicePorts {
		v.tooMany(list, list.length(), maxSlicePorts)
		return
	}
	seen := newNames(list.length())
	for _, p := range list.items {
		name := p.get("name")
		if name.text() != "" {
			v.dnsLabel(name, name.text())
		}
		if !seen.add(name.text()) {
			v.duplicate(name, v.typed(name.text()))
		}
		protocol := p.get("protocol")
		if protocol.isSet() {
			v.enum(protocol, protocol.text(), "SCTP", "TCP", "UDP")
		}
		v.appProtocol(p.get("appProtocol"))
	}
}

func (v *validator) sliceEndpoint(e node, kind string) {
	addresses := e.get("addresses")
	v.declaredSince(37, func() {
		if n := addresses.length(); n == 0 {
			detail := "must contain at least 1 address"
			if v.minor >= 37 {
				detail = ""
			}
			v.required(addresses, detail)
		} else if n > maxSliceAddresses {
			v.tooMany(addresses, n, maxSliceAddresses)
		}
	})
	for _, a := range addresses.items {
		v.sliceAddress(addresses, a, kind)
	}
	if name := e.get("nodeName"); name.isSet() {
		v.dnsSubdomain(name, name.text())
	}
	topology := e.get("deprecatedTopology")
	if topology.length() > maxSliceTopology {
		v.tooMany(topology, topology.length(), maxSliceTopology)
	}
	v.labels(topology)
	if host := e.get("hostname"); host.isSet() {
		v.dnsLabel(host, host.text())
	}
	if v.hints(e.at("hints", "forZones"), func(n node) { v.invalidString(n, n.text(), labelValueErrors(v.minor, n.text())) }) {
		nodes := v.gated("PreferSameTrafficDistribution", v.since(33, e.at("hints", "forNodes")))
		v.hints(nodes, func(n node) { v.dnsSubdomain(n, n.text()) })
	}
}

// hints checks one list of hints. It returns false if the list is too long.
func (v *validator) hints(list node, name func(node)) bool {
	if list.length() > maxSliceHints {
		v.tooMany(list, list.length(), maxSliceHints)
		return false
	}
	seen := newNames(list.length())
	for _, h := range list.items {
		n := h.get("name")
		if !seen.add(n.text()) {
			v.duplicate(n, strconv.Quote(n.text()))
		}
		name(n)
	}
	return true
}

// sliceAddress checks an address of an endpoint slice. kind is the slice's
// addressType.
func (v *validator) sliceAddress(list, a node, kind string) {
	text := a.text()
	addError := func(n node, detail string) {
		if detail != "" {
			v.invalidString(n, text, []string{detail})
		}
	}
	switch {
	case kind == "FQDN":
		v.fullName(a)
	case kind != "IPv4" && kind != "IPv6":
	case v.minor < 33:
		if kind == "IPv4" {
			addError(a, netvalue.IPv4Error(text))
		} else {
			addError(a, netvalue.IPv6Error(text))
		}
		v.endpointIP(a)
	default:
		before := len(v.causes)
		if kind == "IPv4" {
			v.legacyIP(a)
		} else {
			addError(a, netvalue.CanonicalIPError(text))
		}
		if len(v.causes) > before {
			return
		}
		if isIPv6(text) != (kind == "IPv6") {
			addError(a.withPath(list.p), "must be an "+kind+" address")
		}
		v.endpointIP(a)
	}
}

// fullName checks a fully qualified domain name. Source:
// IsFullyQualifiedDomainName.
func (v *validator) fullName(n node) {
	name := n.text()
	if name == "" {
		v.required(n, "")
		return
	}
	name = strings.TrimSuffix(name, ".")
	if errs := subdomainErrors(v.minor, name); len(errs) > 0 {
		v.invalidString(n, name, errs)
		return
	}
	labels := strings.Split(name, ".")
	if len(labels) < 2 {
		v.invalidString(n, name, []string{"should be a domain with at least two segments separated by dots"})
		return
	}
	for _, label := range labels {
		v.dnsLabel(n, label)
	}
}
