package netvalue

import (
	"net/netip"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// StrictGate is the feature gate for strict validation of IP addresses and CIDR
// values in fields that are older than the gate. It is off by default from 1.33
// to 1.35, and on from 1.36.
const StrictGate = "StrictIPCIDRValidation"

// IPError returns a server's error about the value of an IP address field,
// without the beginning "Invalid value: …: ". It returns "" if the server
// accepts the value. strict is the setting of StrictGate, and false for minors
// without the gate. Callers must skip values that the stored object already has,
// because the server does not check them.
//
// Source: IsValidIP (up to 1.32) and IsValidIPForLegacyField (1.33–1.37) in
// k8s.io/apimachinery/pkg/util/validation.
func IPError(m lifecycle.Minor, value string, strict bool) string {
	if _, ok := ParseIP(value); !ok {
		if m < 20 {
			return "must be a valid IP address, (e.g. 10.9.8.7)"
		}
		return "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
	}
	if !strict {
		return ""
	}
	addr, err := netip.ParseAddr(value)
	switch {
	case err != nil:
		return "must not have leading 0s"
	case addr.Is4In6():
		return "must not be an IPv4-mapped IPv6 address"
	}
	return ""
}

// CIDRError is like IPError for a CIDR field, from 1.30 on. Up to 1.29 the text
// depends on the field, so callers use ParseCIDR.
//
// Source: IsValidCIDR (1.30–1.32) and IsValidCIDRForLegacyField (1.33–1.37)
// in k8s.io/apimachinery/pkg/util/validation.
func CIDRError(value string, strict bool) string {
	if _, _, ok := ParseCIDR(value); !ok {
		return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
	}
	if !strict {
		return ""
	}
	prefix, err := netip.ParsePrefix(value)
	switch {
	case err != nil:
		return "must not have leading 0s in IP or prefix length"
	case prefix.Addr().Is4In6():
		return "must not have an IPv4-mapped IPv6 address"
	case prefix != prefix.Masked():
		return "must not have bits set beyond the prefix length"
	}
	return ""
}

// CanonicalIPError is like IPError for fields that are newer than StrictGate,
// such as the name of an IPAddress. It returns the error of a server from 1.33
// on, or "" if the server accepts the value. Source: IsValidIP in
// k8s.io/apimachinery/pkg/util/validation/ip.go.
func CanonicalIPError(value string) string {
	if e := IPError(37, value, true); e != "" {
		return e
	}
	ip, _ := ParseIP(value)
	if s := ip.String(); s != value {
		return "must be in canonical form (" + quoted(s) + ")"
	}
	return ""
}

// IPv4Error returns the error of a server from 1.20 on about a value that is not
// an IPv4 address, or "". An IPv4-mapped IPv6 address counts as an IPv4 address.
// Source: IsValidIPv4Address in k8s.io/apimachinery/pkg/util/validation.
func IPv4Error(value string) string {
	if ip, ok := ParseIP(value); !ok || !ip.Unmap().Is4() {
		return "must be a valid IPv4 address"
	}
	return ""
}

// IPv6Error is like IPv4Error for IPv6 addresses. An IPv4-mapped address does not
// count as an IPv6 address.
func IPv6Error(value string) string {
	if ip, ok := ParseIP(value); !ok || ip.Unmap().Is4() {
		return "must be a valid IPv6 address"
	}
	return ""
}
