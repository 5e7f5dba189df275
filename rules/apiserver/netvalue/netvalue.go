// Package netvalue checks the text of an IP address or a CIDR value as a
// kube-apiserver does. It returns the parsed value, and the server's errors and
// warnings.
//
// Servers up to 1.35 accept more than today's standard library: numbers with
// leading zeros ("010.0.0.1"), and IPv4-mapped IPv6 addresses
// ("::ffff:10.0.0.1"). From 1.27 on they warn about both. From 1.36 on they
// refuse both in new values.
//
// All functions accept any text. Their time is linear in its length.
package netvalue

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// ParseIP parses an IP address as the server does. It skips any number of leading
// zeros. ok is false if the value is not an address. The result for an
// IPv4-mapped IPv6 address is still a mapped address; see [netip.Addr.Is4In6].
//
// Source: ParseIPSloppy in k8s.io/utils/net, which is the parser of Go 1.16 and
// is used up to 1.37. Releases up to 1.22 use the net package of their Go
// release.
func ParseIP(value string) (ip netip.Addr, ok bool) {
	if strings.IndexByte(value, '%') >= 0 { // a zone, which no release accepts
		return netip.Addr{}, false
	}
	if ip, err := netip.ParseAddr(value); err == nil {
		return ip, true
	}
	plain, changed := withoutZeros(value)
	if !changed {
		return netip.Addr{}, false
	}
	ip, err := netip.ParseAddr(plain)
	return ip, err == nil
}

// ParseCIDR parses an IP address with a prefix length as the server does. It
// skips leading zeros in both. It returns the address, and its network in the
// form that the server prints. ok is false if the value is not a CIDR value.
//
// Source: ParseCIDRSloppy in k8s.io/utils/net.
func ParseCIDR(value string) (ip net.IP, network net.IPNet, ok bool) {
	addr, bits, found := strings.Cut(value, "/")
	if !found {
		return nil, net.IPNet{}, false
	}
	a, ok := ParseIP(addr)
	if !ok {
		return nil, net.IPNet{}, false
	}
	n, ok := prefixLength(bits, a.BitLen())
	if !ok {
		return nil, net.IPNet{}, false
	}
	ip = as16Bytes(a)
	mask := net.CIDRMask(n, a.BitLen())
	return ip, net.IPNet{IP: ip.Mask(mask), Mask: mask}, true
}

// as16Bytes returns an address as 16 bytes, the form in the server's parser.
func as16Bytes(a netip.Addr) net.IP {
	b := a.As16()
	return b[:]
}

// prefixLength parses the digits after the slash. It returns false if the text is
// not a number or the number exceeds limit.
func prefixLength(s string, limit int) (int, bool) {
	if s == "" {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if n = n*10 + int(s[i]-'0'); n > limit {
			return 0, false
		}
	}
	return n, true
}

// withoutZeros removes the leading zeros of each number in an address. If there
// are none, it returns value itself and false.
func withoutZeros(value string) (string, bool) {
	var out []byte
	start := true // i is the first digit of a number
	for i := range len(value) {
		c := value[i]
		if start && c == '0' && i+1 < len(value) && isDigit(value[i+1]) {
			if out == nil {
				out = append(make([]byte, 0, len(value)), value[:i]...)
			}
			continue
		}
		start = !isDigit(c)
		if out != nil {
			out = append(out, c)
		}
	}
	if out == nil {
		return value, false
	}
	return string(out), true
}

// isDigit reports whether c is a hexadecimal digit. Letters need no other check
// in an IPv4 address, because they are always wrong there.
func isDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func quoted(s string) string { return strconv.Quote(s) }
