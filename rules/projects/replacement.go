package projects

import "slices"

// Version returns the history of a version of the kind, and false if no release
// has it.
func (k Kind) Version(name string) (Version, bool) {
	all := k.Versions()
	if i := slices.IndexFunc(all, func(v Version) bool { return v.Name == name }); i >= 0 {
		return all[i], true
	}
	return Version{}, false
}

// Preferred returns the version that a release prefers, "" if it serves none:
// the first one that is not deprecated, or the first one.
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

// Replacement returns what to use instead of another version of the kind at a
// release, such as "cert-manager.io/v1 Certificate"; "" if nothing is known. It is
// a version of the kind, or of the kind that took its place.
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

// Warning returns the server's warning about a version at a release; "" if the
// release does not deprecate the version. The default text is that of
// apiextensions-apiserver, pkg/apiserver/customresource_handler.go.
func (k Kind) Warning(version string, r Release) string {
	all := k.Versions()
	i := slices.IndexFunc(all, func(v Version) bool { return v.Name == version })
	if i < 0 {
		return ""
	}
	span := all[i].At(r)
	if span.State != Deprecated || span.Warning != "" {
		return span.Warning
	}
	text := k.Group + "/" + version + " " + k.Kind + " is deprecated"
	for _, better := range all[:i] { // the preferred versions are first
		if better.At(r).State == Served {
			return text + "; use " + k.Group + "/" + better.Name + " " + k.Kind
		}
	}
	return text
}

// RemovedIn returns the first release after the newest one that serves the
// version, or the zero Release if the newest release serves it or none does.
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
