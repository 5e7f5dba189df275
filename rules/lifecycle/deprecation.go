package lifecycle

// Lifecycle has the values of an API's lifecycle methods in one release. These
// methods of the Go type say when the API is deprecated and removed.
type Lifecycle struct {
	// Deprecated is the minor that deprecates the API, which may be in the
	// future. Zero means that the API is not deprecated.
	Deprecated Minor
	// Removed is the minor that will remove the API. Zero means that no removal
	// is planned.
	Removed Minor
	// Replacement is the replacement that the release names, or the zero API.
	Replacement API
}

// LifecycleAt returns the lifecycle of the API as the release of minor m has it.
// Releases can change it.
//
// Releases before 1.19 have no lifecycle methods, and some types got the methods
// later. For a minor without the methods, the result is that of the first release
// with the methods. For a minor after the removal of the API, it is that of the
// last release with the API.
func (a API) LifecycleAt(m Minor) Lifecycle {
	history := a.rec().history
	if len(history) == 0 {
		return Lifecycle{}
	}
	h := history[0]
	for _, next := range history[1:] {
		if next.from > m {
			break
		}
		h = next
	}
	l := Lifecycle{Deprecated: h.deprecated, Removed: h.removed}
	l.Replacement, _ = apiAt(h.replacement)
	return l
}

// IsDeprecated reports whether minor m has the API and the API is deprecated in
// it, as far as known today. The server of minor m may still not warn: servers
// before 1.19 never warn, and some types got their lifecycle methods late. See
// Warning.
func (a API) IsDeprecated(m Minor) bool {
	d := a.LifecycleAt(m).Deprecated
	return d != 0 && d <= m && a.servedRecord().servable.Has(m)
}

// Warning returns the text of the Warning header that the server of minor m sends
// with every answer about the API. It is "" if the server does not warn: before
// 1.19, for list kinds, and if the minor lacks the API. It does not matter
// whether the server serves the API by default.
//
// Source: k8s.io/apiserver/pkg/endpoints/deprecation/deprecation.go.
func (a API) Warning(m Minor) string {
	for _, w := range a.rec().warnings {
		if w.minors.Has(m) {
			return w.text
		}
	}
	return ""
}

// WarningMinors returns the minors whose servers warn about the API.
func (a API) WarningMinors() Minors {
	var s Minors
	for _, w := range a.rec().warnings {
		s |= w.minors
	}
	return s
}

// Introduced returns the first minor that has the API, even if it is off by
// default. Zero means 1.0 or unknown.
func (a API) Introduced() Minor { return a.servedRecord().introduced }

// Deprecated returns the minor that deprecates the API according to the newest
// release. It may be in the future. Zero means never.
func (a API) Deprecated() Minor { return a.LifecycleAt(Newest).Deprecated }

// Removed returns the minor that removed the API: the one after the last minor
// that has it. If the newest release still has the API, it is the minor for
// which that release plans the removal. Zero means that no removal is planned.
func (a API) Removed() Minor {
	last := a.servedRecord().servable.Newest()
	if a.r == nil || last == 0 {
		return 0
	}
	if last < Newest {
		return last + 1
	}
	return a.LifecycleAt(Newest).Removed
}

// NotServedByDefault returns the minor after the last minor that serves the API
// by default. It is zero if the newest minor serves the API by default, or if
// no minor ever did.
func (a API) NotServedByDefault() Minor {
	last := a.ServedMinors(Known()).Newest()
	if last == 0 || last == Newest {
		return 0
	}
	return last + 1
}

// Successor returns the best replacement at the newest known minor. It is one of
// these:
//   - the end of the chain of replacements that the releases name
//   - a later version of the same kind
//   - a replacement from the generator's list, which is written by hand
//
// The result is false if there is no replacement, or if the API itself is still
// the best.
func (a API) Successor() (API, bool) { return apiAt(a.rec().successor) }

// ReplacementAt returns the API to use instead of this API at minor m of the
// target. It tries three candidates: the replacement that the release names, the
// successor, and this API. For each candidate it takes:
//
//   - the candidate, if the server serves it and it is not this API
//   - otherwise the most stable served version of the candidate's kind and group;
//     in the group of this API, the version must be better than the version of
//     this API
//
// The first API that is found is the replacement. If none is found, ok is false.
// replacement is then the successor, or else the replacement that the release
// names, or the zero API.
func (a API) ReplacementAt(m Minor, t Target) (replacement API, ok bool) {
	named := a.LifecycleAt(m).Replacement
	successor, _ := a.Successor()
	for _, candidate := range [...]API{named, successor, a} {
		if best := candidate.bestVersion(a, m, t); best.r != nil {
			return best, true
		}
	}
	if successor.r != nil {
		return successor, false
	}
	return named, false
}

// bestVersion returns the API itself if the server serves it and it is not
// replaced. Otherwise it returns the most stable served version of the API's kind
// and group. In the group of replaced, this version must be better than the
// version of replaced.
func (a API) bestVersion(replaced API, m Minor, t Target) API {
	if a.r == nil || a != replaced && a.State(m, t) == Served {
		return a
	}
	var best API
	for i := range apis {
		o := API{&apis[i]}
		if o == replaced || o.r.kind != a.r.kind || o.Group() != a.Group() || o.State(m, t) != Served {
			continue
		}
		if o.Group() == replaced.Group() && compareVersions(o.Version(), replaced.Version()) <= 0 {
			continue
		}
		if best.r == nil || compareVersions(o.Version(), best.Version()) > 0 {
			best = o
		}
	}
	return best
}
