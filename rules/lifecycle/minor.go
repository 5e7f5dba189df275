package lifecycle

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// Minor is the number of a Kubernetes minor release: 33 means 1.33. Zero means no
// release.
type Minor uint8

// String returns "1.33", and "" for zero.
func (m Minor) String() string {
	if m == 0 {
		return ""
	}
	return "1." + strconv.Itoa(int(m))
}

// ParseMinor parses a Kubernetes version and returns its minor: 1.33, v1.33,
// v1.33.2, or with the suffix of a distribution (1.33.2-gke.100, v1.33.2+k3s1).
// If kubevet does not know the minor, the error names the known minors.
func ParseMinor(s string) (Minor, error) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s, "v"), "1.")
	if !ok {
		return 0, versionError(s)
	}
	n := digits(rest)
	minor, err := strconv.Atoi(rest[:n])
	if err != nil {
		return 0, versionError(s)
	}
	if rest = rest[n:]; rest != "" && !patchAndSuffix(rest) {
		return 0, versionError(s)
	}
	if minor < int(Oldest) || minor > int(Newest) {
		return 0, fmt.Errorf("unknown Kubernetes version %.32q: known are %v to %v", s, Oldest, Newest)
	}
	return Minor(minor), nil
}

func versionError(s string) error {
	return fmt.Errorf("invalid Kubernetes version %.32q: want one such as %v or v%v.1, known are %v to %v", s, Newest, Newest, Oldest, Newest)
}

// patchAndSuffix reports whether s is a patch version such as ".2", optionally
// with a suffix that begins with "-" or "+". A suffix without a patch is not
// allowed, because 1.31-1.33 is a misspelt range.
func patchAndSuffix(s string) bool {
	patch, ok := strings.CutPrefix(s, ".")
	n := digits(patch)
	if !ok || n == 0 {
		return false
	}
	suffix := patch[n:]
	return suffix == "" || len(suffix) > 1 && (suffix[0] == '-' || suffix[0] == '+') && plainSuffix(suffix)
}

// digits returns the number of decimal digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// plainSuffix reports whether s has only the characters of a semantic version's
// pre-release and build parts.
func plainSuffix(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '-', c == '+':
		default:
			return false
		}
	}
	return true
}

// Range is an inclusive range of minors. The zero Range is empty.
type Range struct{ From, To Minor }

// ParseRange parses one version, or two versions with ".." between them, such as
// 1.31..1.37, in the forms of ParseMinor. The empty string means the newest known
// minor. It is an error if the second version is older than the first.
func ParseRange(s string) (Range, error) {
	if s == "" {
		return Range{Newest, Newest}, nil
	}
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		to = from
	}
	var r Range
	var err error
	if r.From, err = ParseMinor(from); err != nil {
		return Range{}, err
	}
	if r.To, err = ParseMinor(to); err != nil {
		return Range{}, err
	}
	if r.To < r.From {
		return Range{}, fmt.Errorf("invalid range of Kubernetes versions %.64q: %v comes before %v", s, r.To, r.From)
	}
	return r, nil
}

// String returns "1.31..1.37", or "1.33" for a range of one minor, or "" for an
// empty range.
func (r Range) String() string { return r.Minors().String() }

// Contains reports whether m is in the range.
func (r Range) Contains(m Minor) bool { return m != 0 && r.From <= m && m <= r.To }

// All yields the minors of the range, oldest first.
func (r Range) All() iter.Seq[Minor] { return r.Minors().All() }

// Minors returns the range as a set.
func (r Range) Minors() Minors {
	if r.From == 0 || r.To < r.From || r.To > maxMinor {
		return 0
	}
	return Minors(1)<<(r.To+1) - Minors(1)<<r.From
}

// maxMinor is the newest minor that fits into a Minors.
const maxMinor Minor = 62

// Minors is a set of minors. Bit n is set if 1.n is in the set. The zero value is
// the empty set.
type Minors uint64

// Has reports whether m is in the set.
func (s Minors) Has(m Minor) bool { return m <= maxMinor && s&(1<<m) != 0 }

// With returns the set with m added.
func (s Minors) With(m Minor) Minors {
	if m == 0 || m > maxMinor {
		return s
	}
	return s | 1<<m
}

// Len returns the number of minors in the set.
func (s Minors) Len() int { return bits.OnesCount64(uint64(s)) }

// Oldest returns the oldest minor of the set, or zero if the set is empty.
func (s Minors) Oldest() Minor {
	if s == 0 {
		return 0
	}
	return Minor(bits.TrailingZeros64(uint64(s)))
}

// Newest returns the newest minor of the set, or zero if the set is empty.
func (s Minors) Newest() Minor {
	if s == 0 {
		return 0
	}
	return Minor(63 - bits.LeadingZeros64(uint64(s)))
}

// All yields the minors of the set, oldest first.
func (s Minors) All() iter.Seq[Minor] {
	return func(yield func(Minor) bool) {
		for s != 0 {
			m := s.Oldest()
			s &^= 1 << m
			if !yield(m) {
				return
			}
		}
	}
}

// String returns the set with consecutive minors as ranges, such as "1.25..1.37"
// or "1.16..1.18,1.22". It returns "" for the empty set.
func (s Minors) String() string {
	var b strings.Builder
	for s != 0 {
		from := s.Oldest()
		to := from
		for s.Has(to + 1) {
			to++
		}
		s &^= Range{from, to}.Minors()
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(from.String())
		if to > from {
			b.WriteString("..")
			b.WriteString(to.String())
		}
	}
	return b.String()
}
