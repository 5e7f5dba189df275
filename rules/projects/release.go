package projects

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Release is a minor release of a project, such as 1.18. The zero value means no
// release, because the table has no release 0.0.
type Release struct{ Major, Minor int }

// ParseRelease parses a version such as 1.18, v1.18.2 or v1.18.2-rc.1. The patch
// is ignored. Other texts and numbers above 65535 are errors.
func ParseRelease(s string) (Release, error) {
	number, _, _ := strings.Cut(strings.TrimPrefix(s, "v"), "-")
	number, _, _ = strings.Cut(number, "+")
	parts := strings.SplitN(number, ".", 4)
	if len(parts) < 2 || len(parts) > 3 {
		return Release{}, fmt.Errorf("%.64q is not a version such as 1.18", s)
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 16)
		if err != nil {
			return Release{}, fmt.Errorf("%.64q is not a version such as 1.18", s)
		}
		n[i] = int(v)
	}
	return Release{n[0], n[1]}, nil
}

// String returns a text such as "1.18", or "" for the zero value.
func (r Release) String() string {
	if r == (Release{}) {
		return ""
	}
	return strconv.Itoa(r.Major) + "." + strconv.Itoa(r.Minor)
}

// Compare returns -1 if r is older than o, 0 if both are equal, and 1 if r is
// newer.
func (r Release) Compare(o Release) int {
	return cmp.Or(cmp.Compare(r.Major, o.Major), cmp.Compare(r.Minor, o.Minor))
}
