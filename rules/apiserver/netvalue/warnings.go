package netvalue

import (
	"net/netip"
	"strconv"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// IPWarnings returns the warnings of a server about an accepted IP address. A text that
// is not an address has none, except to 1.32, where the warning says that it was
// accepted. field is the path as the server writes it.
//
// It re-states GetWarningsForIP of k8s.io/apimachinery/pkg/util/validation/ip.go
// (1.33–1.37) and getWarningsForIP of pkg/api/service/warnings.go (1.27–1.32, for the
// addresses of a Service only). Earlier releases have no warnings about addresses.
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
		return []string{field + ": non-standard IP address " + quoted(value) + refusedNow(m) + quoted(ip.Unmap().String())}
	case addr.Is6() && addr.String() != value:
		return []string{field + ": IPv6 address " + quoted(value) + " should be in RFC 5952 canonical format (" + quoted(addr.String()) + ")"}
	}
	return nil
}

// CIDRWarnings returns the warnings of a server about an accepted CIDR value, as
// IPWarnings does for an address.
//
// It re-states GetWarningsForCIDR of k8s.io/apimachinery/pkg/util/validation/ip.go
// (1.33–1.37) and getWarningsForCIDR of pkg/api/service/warnings.go (1.27–1.32).
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
		warnings = append(warnings, field+": non-standard CIDR value "+quoted(value)+refusedNow(m)+quoted(network.String()))
	}
	if warnings == nil && prefix.Addr().Is6() && prefix.String() != value {
		warnings = append(warnings, field+": IPv6 CIDR value "+quoted(value)+" should be in RFC 5952 canonical format ("+quoted(prefix.String())+")")
	}
	return warnings
}

// refusedNow returns the warning of a minor from 1.33 on about a value that it accepts
// only for compatibility.
func refusedNow(m lifecycle.Minor) string {
	if m < 36 {
		return " will be considered invalid in a future Kubernetes release: use "
	}
	return " is invalid: use "
}
