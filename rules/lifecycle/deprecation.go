package lifecycle

// Lifecycle are the values of an API's lifecycle methods in one release.
type Lifecycle struct {
	// Deprecated is the minor since which the API is deprecated; it may lie
	// in the future. Zero means not deprecated.
	Deprecated Minor
	// Removed is the minor in which the API is gone, by plan. Zero means that
	// no removal is planned.
	Removed Minor
	// Replacement is what the release names instead; none if it names nothing.
	Replacement API
}

// LifecycleAt returns what the release of minor m says about the API. These
// values move between releases. Releases before 1.19 have no such methods,
// and some types got theirs later than they came: for those minors it is what
// the first release says that has them. After an API is gone, it is what the
// last release with the type said.
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

// IsDeprecated reports whether minor m has the API and it is deprecated there
// by what is known today, whether that minor's server says so (see Warning) or
// not: servers before 1.19 never do, and some types got their dates late.
func (a API) IsDeprecated(m Minor) bool {
	d := a.LifecycleAt(m).Deprecated
	return d != 0 && d <= m && a.served().servable.Has(m)
}

// Warning is the text of the Warning header that the server of minor m sends
// with every answer about the API, verbatim; "" where it sends none. It sends
// none before 1.19, none about kinds of lists, and none about what it does
// not have; whether it serves the API by default is not asked here.
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

// WarningMinors are the minors whose servers warn about the API.
func (a API) WarningMinors() Minors {
	var s Minors
	for _, w := range a.rec().warnings {
		s |= w.minors
	}
	return s
}

// Introduced is the first minor that has the API, enabled or not; zero for
// those of 1.0, and where it is not known.
func (a API) Introduced() Minor { return a.served().introduced }

// Deprecated is the minor since which the newest release that says so
// considers the API deprecated; it may lie in the future. Zero means never.
func (a API) Deprecated() Minor { return a.LifecycleAt(Newest).Deprecated }

// Removed is the first minor after the last one that has the API, or, while
// it is there, the minor in which the newest release plans to remove it. Zero
// means that it stays.
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

// NotServedByDefault is the first minor from which on no server serves the
// API unless told to; zero where the newest still does, or none ever did.
func (a API) NotServedByDefault() Minor {
	last := a.ServedMinors(Known()).Newest()
	if last == 0 || last == Newest {
		return 0
	}
	return last + 1
}

// Successor is the best way to say the same at the newest known minor: the
// end of the chain of replacements, a later version of the same kind, or what
// the generator's curated list names. None if nothing took the API's place,
// or if the API itself is still the best.
func (a API) Successor() (API, bool) { return at(a.rec().successor) }

// ReplacementAt returns what to use instead of the API at minor m of the
// target: the release's replacement, the successor, or a better version of
// the API itself, the first of them that the server serves; where it does not
// serve a version yet, another of the same kind and group, the most stable
// one. ok is false if it serves none of them; then replacement is what the
// successor or the release names, if anything.
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

// bestVersion returns a itself if the server serves it, otherwise the most
// stable version of the kind in a's group that it serves. It never returns
// instead, nor, in its own group, what is no better than it.
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
