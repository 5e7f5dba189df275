package lifecycle

import (
	"strconv"
	"strings"
)

// Module is a version of a Go module, such as k8s.io/client-go v0.31.2.
type Module struct {
	Path, Version string
	// Replacement and ReplacementVersion come from a replace directive, and are
	// empty without one. If the replacement is a directory, ReplacementVersion is
	// empty.
	Replacement, ReplacementVersion string
}

// String returns the path and the version of the code that is really built, which
// can be the replacement.
func (m Module) String() string {
	if m.ReplacementVersion != "" {
		return m.Replacement + " " + m.ReplacementVersion
	}
	return m.Path + " " + m.Version
}

// releaseModules are the modules that are released together with Kubernetes and
// that clients use. The module that shows the minor most reliably is first.
var releaseModules = []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/kubernetes"}

// ClientMinor returns the Kubernetes minor for which a program was written, such
// as 31 for k8s.io/client-go v0.31.2. modules are all modules of the program.
// from is the module whose version shows the minor. The minor may be unknown to
// kubevet. ok is false if no module shows a minor.
//
// Versions of replacements come first. The version of a replaced module counts
// only if no replacement shows a minor.
func ClientMinor(modules []Module) (minor int, from Module, ok bool) {
	byPath := map[string]Module{}
	for _, m := range modules {
		byPath[m.Path] = m
	}
	for _, replaced := range []bool{false, true} {
		for _, path := range releaseModules {
			m, known := byPath[path]
			if !known {
				continue
			}
			version, modulePath := m.Version, m.Path
			switch {
			case m.Replacement == "" && replaced:
				continue
			case m.Replacement != "" && replaced:
				m.Replacement, m.ReplacementVersion = "", ""
			case m.Replacement != "":
				version, modulePath = m.ReplacementVersion, m.Replacement
			}
			if n, ok := releaseMinor(modulePath, version); ok {
				return n, m, true
			}
		}
	}
	return 0, Module{}, false
}

// releaseMinor returns the Kubernetes minor of a version of a module in
// releaseModules. The rules are:
//
//   - v0.31.2 is 1.31, from 1.16 on.
//   - v11.0.0+incompatible of client-go is 1.14: the major is the minor minus 3.
//   - v1.31.2 of k8s.io/kubernetes, and of its forks, is 1.31.
//   - Pseudo-versions up to 2019 are 1.16 or older. They count as 1.15.
func releaseMinor(path, version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "v")
	if !ok || len(version) > 100 {
		return 0, false
	}
	if stamp, pseudo := strings.CutPrefix(rest, "0.0.0-"); pseudo {
		if len(stamp) < 14 || stamp[:4] > "2019" || !allDigits(stamp[:14]) {
			return 0, false
		}
		return 15, true
	}
	parts := strings.SplitN(rest, ".", 3)
	if len(parts) < 3 {
		return 0, false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	switch {
	case err1 != nil || err2 != nil:
		return 0, false
	case major == 0 && minor > 0:
		return minor, true
	case major == 1:
		return minor, strings.Contains(path, "kubernetes") && minor > 0
	case 2 <= major && major <= 12 && strings.HasSuffix(version, "+incompatible"):
		return major + 3, true
	}
	return 0, false
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// Origin says where the target of a program comes from.
type Origin struct {
	// Module is the module that shows the minor, such as "k8s.io/client-go v0.31.2".
	// It is empty if no module shows a minor.
	Module string
	// Limit is "oldest" or "newest" if the module is of an older or newer minor than
	// the known ones, and the target is the oldest or newest known minor. It is
	// "newest" if no module shows a minor.
	Limit string
}

// ClientTarget returns the target for a program that is built from modules: the
// minor of its client-go, or the nearest known minor. If no module shows a minor,
// the target is the newest minor.
func ClientTarget(modules []Module) (Target, Origin) {
	n, m, ok := ClientMinor(modules)
	switch {
	case !ok:
		return Target{Range: Range{Newest, Newest}}, Origin{Limit: "newest"}
	case n > int(Newest):
		return Target{Range: Range{Newest, Newest}}, Origin{m.String(), "newest"}
	case n < int(Oldest):
		return Target{Range: Range{Oldest, Oldest}}, Origin{m.String(), "oldest"}
	}
	minor := Minor(n)
	return Target{Range: Range{minor, minor}}, Origin{Module: m.String()}
}
