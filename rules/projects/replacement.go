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

// Preferred returns the first version that a release serves and does not deprecate. If
// all are deprecated, it is the first one; if none is served, "".
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

// Replacement returns the version and kind to use instead of a version at a release,
// such as "cert-manager.io/v1 Certificate". It is the release's preferred version of
// the kind, or of its successor in the same project, or "" if there is none.
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
	switch {
	case span.State != Deprecated:
		return ""
	case span.Warning != "":
		return span.Warning
	}
	text := k.Group + "/" + version + " " + k.Kind + " is deprecated"
	for _, better := range all[:i] { // a server names only versions that it prefers
		if better.At(r).State == Served {
			return text + "; use " + k.Group + "/" + better.Name + " " + k.Kind
		}
	}
	return text
}

// RemovedIn returns the release that removes a version of the kind: the first one
// after the last that serves it. It is zero if no release serves the version, or if
// the project's newest one does.
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
