package lifecycle

import (
	"slices"
	"strings"
	"testing"
)

func TestParseMinor(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want Minor
	}{
		{"1.33", 33}, {"v1.33", 33}, {"v1.33.2", 33}, {"1.33.2", 33}, {"1.16", 16}, {"1.37", 37},
		{"1.33.2-gke.100", 33}, {"v1.33.2+k3s1", 33}, {"v1.33.2-eks-1a2b3c", 33},
		{"v1.33.0-alpha.1.2+0123456789abcd", 33}, {"1.033", 33},
	} {
		got, err := ParseMinor(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("ParseMinor(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{
		"", "1", "1.", "v", "33", "2.0", "1.15", "1.38", "1.99999999999999999999", "1.33.", "1.33.x", "1.33 ",
		" 1.33", "1.33-", "1.33+", "1.33.2-", "1.33.2-a b", "1.-33", "1.+33", "1.33/2", "vv1.33", "1.33..1.34", "1.33-beta.1", "1.33+", "latest", "1.33.2\n",
	} {
		if got, err := ParseMinor(in); err == nil {
			t.Errorf("ParseMinor(%q) = %v, want an error", in, got)
		} else if !strings.Contains(err.Error(), "1.16 to 1.37") {
			t.Errorf("ParseMinor(%q): error %q does not name the known versions", in, err)
		}
	}
}

func TestParseRange(t *testing.T) {
	for _, tt := range []struct {
		in, want string
	}{
		{"", "1.37"}, {"1.33", "1.33"}, {"1.31..1.37", "1.31..1.37"}, {"v1.31..v1.37", "1.31..1.37"}, {"1.20.3..1.20.7", "1.20"},
	} {
		got, err := ParseRange(tt.in)
		if err != nil || got.String() != tt.want {
			t.Errorf("ParseRange(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
	for _, in := range []string{"1.37..1.31", "1.31..", "..1.31", "..", "1.31...1.33", "1.31..1.33..1.35", "1.31-1.33", "1.1..1.20"} {
		if got, err := ParseRange(in); err == nil {
			t.Errorf("ParseRange(%q) = %v, want an error", in, got)
		}
	}
	r := Range{31, 33}
	if got := slices.Collect(r.All()); !slices.Equal(got, []Minor{31, 32, 33}) {
		t.Errorf("%v.All() = %v", r, got)
	}
	if r.Contains(30) || !r.Contains(31) || !r.Contains(33) || r.Contains(34) || (Range{}).Contains(0) {
		t.Error("Range.Contains is wrong at the edges")
	}
	if s := (Range{}).String(); s != "" {
		t.Errorf("the zero range is %q, want nothing", s)
	}
}

func TestMinorsString(t *testing.T) {
	set := func(list ...Minor) (s Minors) {
		for _, m := range list {
			s = s.With(m)
		}
		return s
	}
	for _, tt := range []struct {
		in   Minors
		want string
	}{
		{0, ""}, {set(33), "1.33"}, {set(16, 17, 18, 22), "1.16..1.18,1.22"}, {set(62), "1.62"}, {set(61, 62), "1.61..1.62"},
		{set(25, 27, 29), "1.25,1.27,1.29"}, {set(0, 63, 200), ""},
	} {
		if got := tt.in.String(); got != tt.want {
			t.Errorf("%b is %q, want %q", tt.in, got, tt.want)
		}
	}
	s := set(16, 17, 22)
	if s.Len() != 3 || s.Oldest() != 16 || s.Newest() != 22 || !s.Has(17) || s.Has(18) || s.Has(200) {
		t.Errorf("%v: wrong members", s)
	}
	if got := slices.Collect(s.All()); !slices.Equal(got, []Minor{16, 17, 22}) {
		t.Errorf("%v.All() = %v", s, got)
	}
}

// FuzzParseRange checks that accepted minors are known, and that parsing String
// returns the same range.
func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"", "1.33", "v1.16.2-gke.1..1.37", "1.37..1.16", "1.33+x", "1.2..1.3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRange(s)
		if err != nil {
			if len(err.Error()) > 300 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
			return
		}
		if r.From < Oldest || r.To > Newest || r.To < r.From {
			t.Errorf("ParseRange(%q) = %v", s, r)
		}
		if again, err := ParseRange(r.String()); err != nil || again != r {
			t.Errorf("%v reads back as %v, %v", r, again, err)
		}
	})
}
