package netvalue

import (
	"net/netip"
	"strconv"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// IPWarnings returns a server's warnings about the text of an IP address. field
// is the path in the server's notation. For a text that is not an address, it
// returns nil. Only 1.27 to 1.32 accept such a text and warn about it.
//
// Source: GetWarningsForIP in k8s.io/apimachinery/pkg/util/validation/ip.go
// (1.33–1.37) and getWarningsForIP in pkg/api/service/warnings.go
// (1.27–1.32), only for the addresses of a Service. Earlier releases do not
// warn.
func IPWarnings(m lifecycle.Minor, field, value string) []string {
	if m < 27 {
		return nil
	}
	if m < 33 {
		addr, err := netip.ParseAddr(value)
		switch {
		case err != nil:
			return []string{field + ": IP address was accepted, but will be invalid in a future Kubernetes release: " + err.Error()}
		case addr.Is6() && addr.String() != value:
			return []string{field + ": IPv6 address " + quoted(value) + " is not in RFC 5952 canonical format (" + quoted(addr.String()) + "), which may cause controller apply-loops"}
		}
		return nil
	}
	ip, ok := ParseIP(value)
	if !ok {
		return nil
	}
	addr, err := netip.ParseAddr(value)
	switch {
	case err != nil || addr.Is4In6():
		return []string{field + ": non-standard IP address " + quoted(value) + compatibilityText(m) + quoted(ip.Unmap().String())}
	case addr.Is6() && addr.String() != value:
		return []string{field + ": IPv6 address " + quoted(value) + " should be in RFC 5952 canonical format (" + quoted(addr.String()) + ")"}
	}
	return nil
}

// CIDRWarnings is like IPWarnings for a CIDR value.
//
// Source: GetWarningsForCIDR in k8s.io/apimachinery/pkg/util/validation/ip.go
// (1.33–1.37) and getWarningsForCIDR in pkg/api/service/warnings.go
// (1.27–1.32).
func CIDRWarnings(m lifecycle.Minor, field, value string) []string {
	if m < 27 {
		return nil
	}
	prefix, err := netip.ParsePrefix(value)
	if m < 33 {
		switch {
		case err != nil:
			return []string{field + ": IP prefix was accepted, but will be invalid in a future Kubernetes release: " + err.Error()}
		case prefix.Addr().Is6() && prefix.String() != value:
			return []string{field + ": IPv6 prefix " + quoted(value) + " is not in RFC 5952 canonical format (" + quoted(prefix.String()) + "), which may cause controller apply-loops"}
		}
		return nil
	}
	ip, network, ok := ParseCIDR(value)
	if !ok {
		return nil
	}
	var warnings []string
	if !ip.Equal(network.IP) {
		_, bits := network.Mask.Size()
		warnings = append(warnings, field+": CIDR value "+quoted(value)+" is ambiguous in this context (should be "+
			quoted(network.String())+" or "+quoted(ip.String()+"/"+strconv.Itoa(bits))+"?)")
	}
	if err != nil || prefix.Addr().Is4In6() {
		warnings = append(warnings, field+": non-standard CIDR value "+quoted(value)+compatibilityText(m)+quoted(network.String()))
	}
	if warnings == nil && prefix.Addr().Is6() && prefix.String() != value {
		warnings = append(warnings, field+": IPv6 CIDR value "+quoted(value)+" should be in RFC 5952 canonical format ("+quoted(prefix.String())+")")
	}
	return warnings
}

// compatibilityText returns the middle of a warning about a value that servers
// from 1.33 on accept only for compatibility.
func compatibilityText(m lifecycle.Minor) string {
	if m < 36 {
		return " will be considered invalid in a future Kubernetes release: use "
	}
	return " is invalid: use "
}
