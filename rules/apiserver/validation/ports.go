package validation

import (
	"strconv"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// protocols are the values of the server's set supportedPortProtocols, sorted.
var protocols = []string{"SCTP", "TCP", "UDP"}

// containerPorts checks the ports of a container. Source: validateContainerPorts.
func (v *validator) containerPorts(c node) {
	list := c.get("ports")
	if list.length() == 0 {
		return
	}
	seen := newNames(list.length())
	for _, p := range list.items {
		if name := p.str("name"); name != "" {
			if errs := portNameErrors(v.minor, name); len(errs) > 0 {
				v.invalidString(p.get("name"), name, errs)
			} else if !seen.add(name) {
				v.duplicate(p.get("name"), strconv.Quote(name))
			}
		}
		if p.num("containerPort", 0) == 0 {
			v.required(p.get("containerPort"), "")
		} else {
			v.inRange(p.get("containerPort"), 1, 65535)
		}
		if host := v.hostPort(p); host != 0 && (host < 1 || host > 65535) {
			v.invalid(p.get("hostPort"), itoa(host), rangeText(1, 65535))
		}
		if protocol := p.get("protocol"); protocol.text() != "" {
			v.enum(protocol, protocol.text(), protocols...)
		}
	}
}

func (v *validator) hostPort(p node) int64 {
	if host := p.num("hostPort", 0); host != 0 || !v.pod.defaultHostPorts {
		return host
	}
	return p.num("containerPort", 0)
}

// hostPorts adds errors for host ports that are used twice. Source:
// AccumulateUniqueHostPorts.
func (v *validator) hostPorts(c node, seen *names) {
	for _, p := range c.get("ports").items {
		host := v.hostPort(p)
		if host == 0 {
			continue
		}
		if key := p.strOr("protocol", "TCP") + "/" + p.str("hostIP") + "/" + itoa(host); !seen.add(key) {
			v.duplicate(p.get("hostPort"), strconv.Quote(key))
		}
	}
}

// hostPortsMatch checks the host ports of a pod on the host's network. Source:
// validatePodHostNetworkDeps (since 1.28), and validateHostNetwork in earlier
// releases.
func (v *validator) hostPortsMatch(spec node) {
	if !v.pod.hostNetwork {
		return
	}
	for _, c := range spec.get("containers").items {
		for _, p := range c.get("ports").items {
			host, port := v.hostPort(p), p.num("containerPort", 0)
			switch {
			case host == port:
			case v.minor <= 27:
				v.invalid(p.get("containerPort"), itoa(port), "must match `hostPort` when `hostNetwork` is true")
			case v.pod.isPod || host != 0:
				v.invalid(p.get("hostPort"), itoa(host), "must match `containerPort` when `hostNetwork` is true")
			}
		}
	}
}

// portOrName checks a port that is a number or a name. An absent port counts as
// 0. Source: ValidatePortNumOrName.
func (v *validator) portOrName(n node) {
	if n.v != nil && n.v.Kind == wire.String {
		v.invalidString(n, n.text(), portNameErrors(v.minor, n.text()))
		return
	}
	port, _ := n.number()
	if port < 1 || port > 65535 {
		v.invalid(n, itoa(port), rangeText(1, 65535))
	}
}
