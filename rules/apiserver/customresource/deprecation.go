package customresource

import "github.com/kubevet/kubevet/rules/lifecycle"

// Warning returns the deprecation warning for a version: the text in the
// definition, or else the server's default text. The server sends it with every
// answer to a request for the version. The result is empty in these cases:
//
//   - The version is not deprecated.
//   - The version is not served.
//   - m is before 1.19. Definitions could not deprecate a version then.
//
// Source: defaultDeprecationWarning and its callers in
// apiextensions-apiserver/pkg/apiserver/customresource_handler.go, the same from
// 1.19 to 1.37.
func (d *Definition) Warning(m lifecycle.Minor, version string) string {
	v := d.Version(version)
	if m < 19 || v == nil || !v.Served || !v.Deprecated {
		return ""
	}
	if v.DeprecationWarning != nil {
		return *v.DeprecationWarning
	}
	text := d.Group + "/" + version + " " + d.Kind + " is deprecated"
	if better := d.Better(version); better != "" {
		text += "; use " + d.Group + "/" + better + " " + d.Kind
	}
	return text
}

// Better returns the version that the server recommends instead of a deprecated
// version: the greatest served version that is not deprecated. It returns "" if no
// such version exists or if version is greater.
func (d *Definition) Better(version string) string {
	if d.current != "" && CompareVersions(version, d.current) < 0 {
		return d.current
	}
	return ""
}
