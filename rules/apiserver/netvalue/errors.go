package netvalue

import (
	"net/netip"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

// StrictGate is the feature gate that makes validation strict in fields older than the
// gate: alpha and off in 1.33 to 1.35, on from 1.36.
const StrictGate = "StrictIPCIDRValidation"

// IPError returns the error of a server about a value of an IP address field, without
// the "Invalid value: …: " before it; "" if the server accepts it. strict is the
// setting of StrictGate; minors without the gate are not strict. The caller skips
// values that the stored object already has, because the server does not validate them.
//
// It re-states IsValidIP (to 1.32) and IsValidIPForLegacyField (1.33–1.37) of
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

// CIDRError is like IPError for a CIDR field. To 1.29 the server has no text of its own
// for such fields: callers then use ParseCIDR.
//
// It re-states IsValidCIDR (1.30–1.32) and IsValidCIDRForLegacyField (1.33–1.37) of
// k8s.io/apimachinery/pkg/util/validation.
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

// CanonicalIPError returns the error of a server from 1.33 on about a value of a field
// that is younger than strict validation, such as the name of an IPAddress; "" if the
// server accepts it. It re-states IsValidIP of
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

// IPv4Error returns the error of a server from 1.20 on about a text that is not an IPv4
// address; "" if it is one. An IPv4-mapped IPv6 address counts as an IPv4 address. It
// re-states IsValidIPv4Address of k8s.io/apimachinery/pkg/util/validation.
func IPv4Error(value string) string {
	if ip, ok := ParseIP(value); !ok || !ip.Unmap().Is4() {
		return "must be a valid IPv4 address"
	}
	return ""
}

// IPv6Error is like IPv4Error for an IPv6 address. An IPv4-mapped address is not an
// IPv6 address.
func IPv6Error(value string) string {
	if ip, ok := ParseIP(value); !ok || ip.Unmap().Is4() {
		return "must be a valid IPv6 address"
	}
	return ""
}
