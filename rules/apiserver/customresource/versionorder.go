package customresource

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// CompareVersions compares names of versions as Kubernetes does: first by
// stability, then by number. The result is positive if a is greater. From
// greatest to least: v10, v2, v1, v11beta2, v3beta1, v12alpha1, foo1, foo10.
// Source: CompareKubeAwareVersionStrings in apimachinery/pkg/version/helpers.go
// (1.16–1.37).
func CompareVersions(a, b string) int {
	if a == b {
		return 0
	}
	va, aok := parseVersion(a)
	vb, bok := parseVersion(b)
	switch {
	case aok && bok:
		return cmp.Or(cmp.Compare(va.stability, vb.stability), cmp.Compare(va.major, vb.major), cmp.Compare(va.minor, vb.minor))
	case aok:
		return 1
	case bok:
		return -1
	}
	return strings.Compare(b, a) // other names: the alphabetically first is the greatest
}

// sortVersions sorts names of versions. The greatest is first.
func sortVersions(names []string) {
	slices.SortStableFunc(names, func(a, b string) int { return CompareVersions(b, a) })
}

// kubeVersion is the parsed form of a name such as v2beta1.
type kubeVersion struct{ stability, major, minor int }

// IsVersion reports whether a version's name has the form that Kubernetes orders
// by stability, such as v1 or v2beta1.
func IsVersion(name string) bool {
	_, ok := parseVersion(name)
	return ok
}

// The stabilities, from least to greatest.
const (
	alpha = iota
	beta
	stable
)

// parseVersion parses names that match ^v([\d]+)(?:(alpha|beta)([\d]+))?$.
func parseVersion(name string) (v kubeVersion, ok bool) {
	rest, ok := strings.CutPrefix(name, "v")
	if !ok {
		return v, false
	}
	if v.major, rest, ok = leadingNumber(rest); !ok {
		return v, false
	}
	if rest == "" {
		v.stability = stable
		return v, true
	}
	if minor, ok := strings.CutPrefix(rest, "alpha"); ok {
		v.stability, rest = alpha, minor
	} else if minor, ok := strings.CutPrefix(rest, "beta"); ok {
		v.stability, rest = beta, minor
	} else {
		return v, false
	}
	v.minor, rest, ok = leadingNumber(rest)
	return v, ok && rest == ""
}

// leadingNumber parses the digits at the start of s and returns the rest. As on
// the server, ok is false if there are no digits or the number is too large.
func leadingNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(s[:i])
	return n, s[i:], err == nil
}
