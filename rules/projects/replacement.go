package projects

import "slices"

// Version returns the history of a version of the kind. ok is false if no release
// has the version.
func (k Kind) Version(name string) (_ Version, ok bool) {
	all := k.Versions()
	if i := slices.IndexFunc(all, func(v Version) bool { return v.Name == name }); i >= 0 {
		return all[i], true
	}
	return Version{}, false
}

// Preferred returns the version that clients of a release should use. It is the
// first version in the server's order that is served and not deprecated, or else
// the first that is served. If none is served, it is "".
func (k Kind) Preferred(r Release) string {
	served := ""
	for _, v := range k.Versions() {
		switch v.At(r).State {
		case Served:
			return v.Name
		case Deprecated:
			if served == "" {
				served = v.Name
			}
		}
	}
	return served
}

// Replacement returns the kind and version to use instead of a version at release
// r, such as "cert-manager.io/v1 Certificate":
//
//   - the preferred version of the kind, or "" if version is the preferred
//     version
//   - if no version of the kind is served, the preferred version of the kind's
//     successor in the same project
//   - "" if there is no successor
func (k Kind) Replacement(version string, r Release) string {
	if name := k.Preferred(r); name != "" {
		if name == version {
			return ""
		}
		return k.Group + "/" + name + " " + k.Kind
	}
	to, ok := k.Successor()
	if !ok || to.project != k.project {
		return ""
	}
	if name := to.Preferred(r); name != "" {
		return to.Group + "/" + name + " " + to.Kind
	}
	return ""
}

// Warning returns the server's warning about a version at release r, or "" if the
// release does not deprecate the version. Source of the default text:
// apiextensions-apiserver, pkg/apiserver/customresource_handler.go.
func (k Kind) Warning(version string, r Release) string {
	all := k.Versions()
	i := slices.IndexFunc(all, func(v Version) bool { return v.Name == version })
	if i < 0 {
		return ""
	}
	span := all[i].At(r)
	switch {
	case span.State != Deprecated:
		return ""
	case span.Warning != "":
		return span.Warning
	}
	text := k.Group + "/" + version + " " + k.Kind + " is deprecated"
	for _, better := range all[:i] { // the server recommends only versions that it prefers
		if better.At(r).State == Served {
			return text + "; use " + k.Group + "/" + better.Name + " " + k.Kind
		}
	}
	return text
}

// RemovedIn returns the first release that no longer serves version v of the
// kind. It is zero if no release serves v, or if the newest release still does.
func (k Kind) RemovedIn(v Version) Release {
	last := v.LastServed()
	if last == (Release{}) {
		return Release{}
	}
	for _, r := range k.Project().Releases() {
		if r.Compare(last) > 0 {
			return r
		}
	}
	return Release{}
}
