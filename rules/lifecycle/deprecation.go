package lifecycle

// Lifecycle has the values of an API's lifecycle methods in one release.
type Lifecycle struct {
	// Deprecated is the minor that deprecates the API; it may be in the future. Zero
	// means not deprecated.
	Deprecated Minor
	// Removed is the minor that is to remove the API. Zero means that no removal is
	// planned.
	Removed Minor
	// Replacement is the replacement that the release names; zero if it names none.
	Replacement API
}

// LifecycleAt returns the lifecycle of the API in the release of minor m. Releases
// change these values.
//
// Releases before 1.19 have no such methods, and some types got theirs later. For those
// minors the result is that of the first release with the methods. After the removal of
// an API, it is that of the last release with the type.
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
	l.Replacement, _ = at(h.replacement)
	return l
}

// IsDeprecated reports whether minor m has the API and today's knowledge says that it
// is deprecated there. The server of that minor may not say so (see Warning): servers
// before 1.19 never do, and some types got their dates late.
func (a API) IsDeprecated(m Minor) bool {
	d := a.LifecycleAt(m).Deprecated
	return d != 0 && d <= m && a.served().servable.Has(m)
}

// Warning returns the literal text of the Warning header that the server of minor m
// sends with every answer about the API; "" if it sends none. There are none before
// 1.19, none about kinds of lists, and none about APIs that the minor lacks. The result
// does not depend on whether the server serves the API by default.
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

// Introduced returns the first minor that has the API, enabled or not; zero for APIs of
// 1.0, and if it is not known.
func (a API) Introduced() Minor { return a.served().introduced }

// Deprecated returns the minor that deprecates the API according to the newest release;
// it may be in the future. Zero means never.
func (a API) Deprecated() Minor { return a.LifecycleAt(Newest).Deprecated }

// Removed returns the first minor after the last one with the API. While the API
// exists, it is the minor in which the newest release plans to remove it. Zero means
// that no removal is planned.
func (a API) Removed() Minor {
	last := a.served().servable.Newest()
	if a.r == nil || last == 0 {
		return 0
	}
	if last < Newest {
		return last + 1
	}
	return a.LifecycleAt(Newest).Removed
}

// NotServedByDefault returns the first minor after which no server serves the API by
// default; zero if the newest one does, or none ever did.
func (a API) NotServedByDefault() Minor {
	last := a.ServedMinors(Known()).Newest()
	if last == 0 || last == Newest {
		return 0
	}
	return last + 1
}

// Successor returns the best replacement at the newest known minor: the end of the
// chain of replacements, a later version of the same kind, or the entry of the
// generator's curated list. ok is false if there is no replacement, or if the API
// itself is still the best.
func (a API) Successor() (API, bool) { return at(a.rec().successor) }

// ReplacementAt returns the API to use instead at minor m of the target. It is the
// first of these that the server serves: the release's replacement, the successor, or a
// better version of the API itself. Otherwise it is the most stable served version of
// the same kind and group. If the server serves none of them, ok is false, and
// replacement is the one that the successor or the release names, if any.
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

// bestVersion returns a itself if the server serves it, otherwise the most stable
// served version of the kind in a's group. It never returns instead, or a version of
// the same group that is not better than instead.
func (a API) bestVersion(instead API, m Minor, t Target) API {
	if a.r == nil || a != instead && a.State(m, t) == Served {
		return a
	}
	var best API
	for i := range apis {
		o := API{&apis[i]}
		if o == instead || o.r.kind != a.r.kind || o.Group() != a.Group() || o.State(m, t) != Served {
			continue
		}
		if o.Group() == instead.Group() && compareVersions(o.Version(), instead.Version()) <= 0 {
			continue
		}
		if best.r == nil || compareVersions(o.Version(), best.Version()) > 0 {
			best = o
		}
	}
	return best
}
