package customresource

import "github.com/kubevet/kubevet/rules/lifecycle"

// Warning is the text of the deprecation warning that comes with every answer
// to a request for a version, whatever the verb and whether or not it
// succeeds: the version's own, or the server's. It is empty for a version that
// is not deprecated or not served, and before 1.19, when a definition could
// not say so.
//
// It re-states defaultDeprecationWarning and what calls it in
// apiextensions-apiserver/pkg/apiserver/customresource_handler.go, which is
// the same from 1.19 to 1.37.
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

// Better is the version that the server recommends instead of a deprecated
// one: the greatest that is served, not deprecated and greater than it. Empty
// if there is none.
func (d *Definition) Better(version string) string {
	if d.current != "" && CompareVersions(version, d.current) < 0 {
		return d.current
	}
	return ""
}
