// Package netvalue says what a kube-apiserver thinks of the text of an IP
// address or a CIDR value: whether it takes it, what it says if it does not,
// and what it warns of if it does.
//
// The server has always taken more than the standard library of today does:
// numbers with leading zeros ("010.0.0.1") and IPv4 addresses in IPv6 clothes
// ("::ffff:10.0.0.1"). From 1.27 on it warns of them, from 1.36 on it refuses
// them where they are new.
//
// Everything here works on any text in time linear in its length.
package netvalue

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// ParseIP reads an IP address as the server does: zeros before a number are
// skipped, however many. ok is false for what is no address. An IPv4 address
// that is written as an IPv6 one stays one, see [netip.Addr.Is4In6].
//
// It re-states ParseIPSloppy of k8s.io/utils/net, the parser of Go 1.16, which
// all releases to 1.37 use (to 1.22 by way of the net package of their Go).
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

// ParseCIDR reads an IP address with a prefix length as the server does:
// leading zeros are skipped in both. It gives the address, and the network it
// is in as the server prints it. ok is false for what is no CIDR value.
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

// sixteen gives an address in the form in which the server's parser gives all.
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

// withoutZeros cuts the zeros before the digits of each number of an address.
// Where nothing is cut, it gives value itself and false.
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

// isDigit reports whether c may be part of a hexadecimal number. In an IPv4
// address the letters are wrong, with zeros before them or without.
func isDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func quoted(s string) string { return strconv.Quote(s) }
