package customresource

import "github.com/kubevet/kubevet/rules/lifecycle"

// Warning returns the deprecation warning that comes with every answer to a request for
// a version, whatever the verb and the result: the version's own, or the server's. It
// is empty for a version that is not deprecated or not served. It is also empty before
// 1.19, when definitions had no such field.
//
// It re-states defaultDeprecationWarning and its callers in
// apiextensions-apiserver/pkg/apiserver/customresource_handler.go, the same from 1.19
// to 1.37.
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

// Better returns the version that the server recommends instead of a deprecated one:
// the greatest one that is served, not deprecated and greater. It is empty if there is
// none.
func (d *Definition) Better(version string) string {
	if d.current != "" && CompareVersions(version, d.current) < 0 {
		return d.current
	}
	return ""
}
