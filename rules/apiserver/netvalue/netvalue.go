// Package netvalue re-states how a kube-apiserver checks the text of an IP address or a
// CIDR value: whether it accepts it, and its errors and warnings.
//
// The server accepts more than today's standard library: numbers with leading zeros
// ("010.0.0.1") and IPv4-mapped IPv6 addresses ("::ffff:10.0.0.1"). From 1.27 on it
// warns about them. From 1.36 on it refuses them in new values.
//
// All functions accept any text, and take time linear in its length.
package netvalue

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// ParseIP reads an IP address as the server does: it skips any number of leading zeros.
// ok is false if the value is not an address. An IPv4-mapped IPv6 address remains one:
// see [netip.Addr.Is4In6].
//
// It re-states ParseIPSloppy of k8s.io/utils/net, the parser of Go 1.16, which all
// releases to 1.37 use. Those to 1.22 use the net package of their Go.
func ParseIP(value string) (ip netip.Addr, ok bool) {
	if strings.IndexByte(value, '%') >= 0 { // a zone, which the server never took
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

// ParseCIDR reads an IP address with a prefix length as the server does, and skips
// leading zeros in both. It returns the address, and its network as the server prints
// it. ok is false if the value is not a CIDR value.
//
// It re-states ParseCIDRSloppy of k8s.io/utils/net.
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
	ip = sixteen(a)
	mask := net.CIDRMask(n, a.BitLen())
	return ip, net.IPNet{IP: ip.Mask(mask), Mask: mask}, true
}

// sixteen returns an address as 16 bytes, the form of the server's parser.
func sixteen(a netip.Addr) net.IP {
	b := a.As16()
	return b[:]
}

// prefixLength reads the digits after the slash, at most limit.
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

// withoutZeros removes the leading zeros of each number in an address. Without such
// zeros it returns value itself and false.
func withoutZeros(value string) (string, bool) {
	var out []byte
	start := true // at the first digit of a number
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

// isDigit reports whether c may be a digit of a hexadecimal number. In an IPv4 address
// letters are always wrong.
func isDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func quoted(s string) string { return strconv.Quote(s) }
