package validation

import (
	"net"
	"strconv"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/netvalue"
)

// Source of the functions below: pkg/apis/networking/validation.

// networkPolicy checks a NetworkPolicy. Source: ValidateNetworkPolicy.
func (v *validator) networkPolicy(obj node) {
	v.metadata(obj, true, subdomainErrors)
	spec := obj.get("spec")
	v.labelSelector(spec.get("podSelector"))
	old := v.oldBlocks()
	for _, direction := range []struct{ rules, peers string }{{"ingress", "from"}, {"egress", "to"}} {
		for _, r := range spec.get(direction.rules).items {
			for _, p := range r.get("ports").items {
				v.policyPort(p)
			}
			for _, peer := range r.get(direction.peers).items {
				v.policyPeer(peer, old)
			}
		}
	}
	types := spec.get("policyTypes")
	if types.length() > 2 {
		list := strings.Replace(v.stringList(types.texts()), "[]string", "[]networking.PolicyType", 1)
		v.invalid(types, list, "may not specify more than two policyTypes")
		return
	}
	for _, t := range types.items {
		v.enum(t, t.text(), "Ingress", "Egress")
	}
}

// oldBlocks returns the CIDRs of the stored policy. From 1.33 on, the server does
// not check them again.
func (v *validator) oldBlocks() (old []string) {
	if v.req.Old == nil {
		return nil
	}
	spec := root(v.req.Old).get("spec")
	for _, direction := range [][2]string{{"ingress", "from"}, {"egress", "to"}} {
		for _, r := range spec.get(direction[0]).items {
			for _, peer := range r.get(direction[1]).items {
				block := peer.get("ipBlock")
				if block.isSet() {
					old = append(append(old, block.str("cidr")), block.get("except").texts()...)
				}
			}
		}
	}
	return old
}

func (v *validator) policyPort(p node) {
	protocol, port, end := p.get("protocol"), p.get("port"), p.get("endPort")
	if text := p.strOr("protocol", "TCP"); protocol.isSet() {
		v.enum(protocol, text, "TCP", "UDP", "SCTP")
	}
	last, ends := end.number()
	switch n, isNumber := port.number(); {
	case !port.isSet():
		if ends {
			v.invalid(end, itoa(last), "may not be specified when `port` is not specified")
		}
	case isNumber:
		v.portNumber(port)
		if !ends {
			break
		}
		if last < n {
			shown := last
			if v.minor < 37 {
				shown = n
			}
			v.invalid(end, itoa(shown), "must be greater than or equal to `port`")
		}
		v.portNumber(end)
	default:
		if ends {
			v.invalid(end, itoa(last), "may not be specified when `port` is non-numeric")
		}
		v.invalidString(port, port.text(), portNameErrors(v.minor, port.text()))
	}
}

func (v *validator) policyPeer(peer node, old []string) {
	peers := 0
	for _, field := range []string{"podSelector", "namespaceSelector"} {
		if s := peer.get(field); s.isSet() {
			peers++
			v.labelSelector(s)
		}
	}
	block := peer.get("ipBlock")
	if block.isSet() {
		peers++
		v.ipBlock(block, old)
	}
	switch {
	case peers == 0:
		v.required(peer, "must specify a peer")
	case peers > 1 && block.isSet():
		v.forbidden(peer, "may not specify both ipBlock and another peer")
	}
}

// ipBlock checks an IP block of a NetworkPolicy. It does not check the CIDRs in
// old again. Source: ValidateIPBlock.
func (v *validator) ipBlock(b node, old []string) {
	cidr := b.get("cidr")
	if cidr.text() == "" {
		v.declaredSince(37, func() { v.required(cidr, "") })
		return
	}
	check := func(n node) (*net.IPNet, bool) {
		_, network, ok := netvalue.ParseCIDR(n.text())
		if v.minor >= 30 {
			v.legacyCIDR(n, n.text(), old...)
		} else if !ok {
			v.invalidString(n, n.text(), []string{"not a valid CIDR"})
		}
		return &network, ok
	}
	block, ok := check(cidr)
	if !ok {
		return
	}
	size, _ := block.Mask.Size()
	for _, e := range b.get("except").items {
		part, ok := check(e)
		if !ok {
			if v.minor < 30 {
				return
			}
			continue
		}
		if inner, _ := part.Mask.Size(); !block.Contains(part.IP) || size >= inner {
			v.invalidString(e, e.text(), []string{"must be a strict subset of `cidr`"})
		}
	}
}

// ingressClass checks an IngressClass. Source: ValidateIngressClass.
func (v *validator) ingressClass(obj node) {
	v.metadata(obj, false, subdomainErrors)
	controller := obj.at("spec", "controller")
	if v.req.Old != nil {
		if old := root(v.req.Old).at("spec", "controller"); old.text() != controller.text() {
			v.invalid(controller, strconv.Quote(controller.text()), "field is immutable")
		}
	}
	if len(controller.text()) > 250 {
		v.tooLong(controller, 250)
	}
	v.domainPath(controller, controller.text())
	v.classParameters(obj.at("spec", "parameters"))
}

// classParameters checks the parameters of an IngressClass. Source:
// validateIngressClassParametersReference.
func (v *validator) classParameters(p node) {
	if !p.isSet() {
		return
	}
	v.typedReference(p, 37)
	scope, namespace := p.get("scope"), p.get("namespace")
	name := scope.text()
	if !scope.isSet() {
		name = "Cluster" // the default
	}
	switch {
	case name != "Cluster" && name != "Namespace":
		v.oneOf(scope, "Cluster", "Namespace")
	case name == "Cluster" && namespace.isSet():
		v.forbidden(namespace, "`parameters.scope` is set to 'Cluster'")
	case name == "Namespace" && !namespace.isSet():
		v.required(namespace, "`parameters.scope` is set to 'Namespace'")
	case name == "Namespace":
		v.dnsLabel(namespace, namespace.text())
	}
}
