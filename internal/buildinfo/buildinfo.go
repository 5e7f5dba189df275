// Package buildinfo says which version of kubevet a program is.
package buildinfo

import (
	"regexp"
	"runtime/debug"
	"time"
)

// A release sets these variables with -ldflags=-X: the version with its v, the commit,
// and the date of the commit in RFC 3339.
var version, commit, date string

// Info says from which source a program was built. Unknown fields are empty.
type Info struct {
	// Version is the version of a release, such as "v0.1.0", or a pseudo-version of the
	// go command. It is "devel" if both are unknown.
	Version string
	// Commit is the hash of the commit, or its first 12 digits.
	Commit string
	// Modified is true if the checkout had uncommitted changes.
	Modified bool
	// Date is the time of the commit in RFC 3339.
	Date string
}

// Read returns the information that the build stored in the running program.
func Read() Info {
	if version != "" {
		return Info{Version: version, Commit: commit, Date: date}
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: "devel"}
	}
	return fromGoBuild(build)
}

// fromGoBuild returns the information that the go command stored in a program. The commit
// is known for a checkout and for a pseudo-version, and not for a tag from the module
// proxy.
func fromGoBuild(build *debug.BuildInfo) Info {
	v := Info{Version: "devel"}
	if m := build.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
		v.Commit, v.Date = pseudoVersion(m)
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

var pseudo = regexp.MustCompile(`[-.]([0-9]{14})-([0-9a-f]{12})(?:\+[0-9A-Za-z.-]+)?$`)

// pseudoVersion returns the commit and its date from a pseudo-version, such as
// v0.1.1-0.20260102150405-0123456789ab. Both are empty for other versions.
func pseudoVersion(v string) (commit, date string) {
	m := pseudo.FindStringSubmatch(v)
	if m == nil {
		return "", ""
	}
	t, err := time.Parse("20060102150405", m[1])
	if err != nil {
		return "", ""
	}
	return m[2], t.Format(time.RFC3339)
}
