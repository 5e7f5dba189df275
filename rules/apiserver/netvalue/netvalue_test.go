package netvalue

import (
	"slices"
	"testing"

	"github.com/kubevet/kubevet/internal/recorded"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// TestRecorded compares every function with the recorded results of the releases'
// own functions.
func TestRecorded(t *testing.T) {
	type answers struct {
		Value string
		W     map[string][]string
		E     map[string]string
	}
	n := 0
	for _, want := range recorded.Lines[answers](t, "testdata/netvalues.jsonl.gz") {
		n++
		const field = "spec.x[0]"
		v := want.Value
		for _, era := range []struct {
			name        string
			first, last lifecycle.Minor
		}{{"27", 27, 32}, {"33", 33, 35}, {"36", 36, 37}} {
			for m := era.first; m <= era.last; m++ {
				if got := IPWarnings(m, field, v); !slices.Equal(got, want.W["ip"+era.name]) {
					t.Errorf("IPWarnings(%v, %q) = %q, want %q", m, v, got, want.W["ip"+era.name])
				}
				if got := CIDRWarnings(m, field, v); !slices.Equal(got, want.W["cidr"+era.name]) {
					t.Errorf("CIDRWarnings(%v, %q) = %q, want %q", m, v, got, want.W["cidr"+era.name])
				}
			}
		}
		if got := slices.Concat(IPWarnings(24, field, v), CIDRWarnings(26, field, v)); got != nil {
			t.Errorf("%q: %q from a minor without warnings", v, got)
		}
		for name, got := range map[string]string{
			"ip": IPError(30, v, false), "ipstrict": IPError(36, v, true),
			"cidr": CIDRError(v, false), "cidrstrict": CIDRError(v, true),
			"newip": CanonicalIPError(v),
		} {
			if got != want.E[name] {
				t.Errorf("%s of %q: %q, want %q", name, v, got, want.E[name])
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d values", n)
	}
}

func TestFamilies(t *testing.T) {
	for _, c := range []struct{ value, four, six string }{
		{"10.0.0.1", "", "must be a valid IPv6 address"},
		{"010.0.0.1", "", "must be a valid IPv6 address"},
		{"::ffff:10.0.0.1", "", "must be a valid IPv6 address"},
		{"fe80::1", "must be a valid IPv4 address", ""},
		{"fe80::1%eth0", "must be a valid IPv4 address", "must be a valid IPv6 address"},
		{"", "must be a valid IPv4 address", "must be a valid IPv6 address"},
	} {
		if four, six := IPv4Error(c.value), IPv6Error(c.value); four != c.four || six != c.six {
			t.Errorf("%q: %q and %q", c.value, four, six)
		}
	}
	if got := IPError(19, "x", false); got != "must be a valid IP address, (e.g. 10.9.8.7)" {
		t.Error(got)
	}
}

func FuzzWarnings(f *testing.F) {
	for _, v := range []string{"10.0.0.1", "::ffff:01.2.3.4/120", "fe80::1%0", "1::/000000000000000064"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		for _, m := range []lifecycle.Minor{24, 27, 33, 36} {
			IPWarnings(m, "f", v)
			CIDRWarnings(m, "f", v)
		}
		_, taken := ParseIP(v)
		if (IPError(36, v, false) == "") != taken {
			t.Errorf("%q", v)
		}
	})
}
