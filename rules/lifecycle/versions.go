package lifecycle

import (
	"cmp"
	"strconv"
	"strings"
)

// compareVersions compares versions of a group by Kubernetes' preference: v2, v1,
// v1beta2, v1beta1, v1alpha1. The result is positive if a is preferred. Only
// versions of this form exist in Kubernetes' own groups.
//
// Source: CompareKubeAwareVersionStrings in k8s.io/apimachinery/pkg/version.
func compareVersions(a, b string) int {
	x, y := parseVersion(a), parseVersion(b)
	return cmp.Or(cmp.Compare(x.stability, y.stability), cmp.Compare(x.major, y.major), cmp.Compare(x.minor, y.minor))
}

type apiVersion struct{ stability, major, minor int }

// The stabilities of a version, lowest first.
const (
	alpha = iota
	beta
	stable
)

func parseVersion(s string) apiVersion {
	rest := strings.TrimPrefix(s, "v")
	n := digits(rest)
	v := apiVersion{stability: stable}
	v.major, _ = strconv.Atoi(rest[:n])
	rest = rest[n:]
	if after, ok := strings.CutPrefix(rest, "alpha"); ok {
		v.stability, rest = alpha, after
	} else if after, ok := strings.CutPrefix(rest, "beta"); ok {
		v.stability, rest = beta, after
	}
	v.minor, _ = strconv.Atoi(rest)
	return v
}
