// Package buildinfo tells which version of kubevet a program is.
package buildinfo

import (
	"regexp"
	"runtime/debug"
	"time"
)

// A release sets these with -ldflags=-X: the version with its v, the commit, and
// the commit's date in RFC 3339.
var version, commit, date string

// Info says from what a program was built. A field is empty if the build does not
// know it.
type Info struct {
	// Version is the version of a release, such as "v0.1.0", or the go command's name
	// for a commit; "devel" for a build that knows neither.
	Version string
	// Commit is the commit, or its first 12 digits.
	Commit string
	// Modified reports whether the checkout had changes that are not committed.
	Modified bool
	// Date is the date of the commit, in RFC 3339.
	Date string
}

// Read returns what the build wrote into the running program.
func Read() Info {
	if version != "" {
		return Info{Version: version, Commit: commit, Date: date}
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: "devel"}
	}
	return of(build)
}

// of returns what the go command wrote. It knows the commit of a checkout. The
// module proxy tells it none for a tag, and a pseudo-version has both in its name.
func of(build *debug.BuildInfo) Info {
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

// pseudoVersion returns the commit and its date from a version that the go command
// made of them, such as v0.1.1-0.20260102150405-0123456789ab.
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
