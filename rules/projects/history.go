package projects

import (
	"slices"
	"strings"
)

// State is how a release treats a version of a kind. The zero value is Absent.
type State uint8

const (
	// Absent means that the release has no definition of the version.
	Absent State = iota
	// Served means that the release serves the version.
	Served
	// Deprecated means that the release serves the version with a warning.
	Deprecated
	// Unserved means that the release's definition has the version and does not
	// serve it.
	Unserved
)

// String returns the state as `kubevet api` prints it.
func (s State) String() string {
	return [...]string{"absent", "served", "deprecated", "not served"}[s]
}

// Serves reports whether a release in the state accepts requests.
func (s State) Serves() bool { return s == Served || s == Deprecated }

// Span is a state of a version over consecutive releases, both included.
type Span struct {
	State    State
	From, To Release
	// Warning is the definition's own deprecation warning; empty for the
	// server's default text.
	Warning string
}

// Version is the history of a version of a kind.
type Version struct {
	// Name is the version, such as v1beta1.
	Name string
	// Spans are in the order of the releases, without those where the version is
	// absent. They are never empty.
	Spans []Span
}

// At returns the version's span at a release; its state is Absent if the release
// does not have the version.
func (v Version) At(r Release) Span {
	for _, s := range v.Spans {
		if s.From.Compare(r) <= 0 && r.Compare(s.To) <= 0 {
			return s
		}
	}
	return Span{From: r, To: r}
}

// Introduced returns the first release that serves the version, or the zero
// Release.
func (v Version) Introduced() Release { return v.first(State.Serves) }

// Deprecated returns the first release that deprecates the version, or the zero
// Release.
func (v Version) Deprecated() Release {
	return v.first(func(s State) bool { return s == Deprecated })
}

func (v Version) first(is func(State) bool) Release {
	if i := slices.IndexFunc(v.Spans, func(s Span) bool { return is(s.State) }); i >= 0 {
		return v.Spans[i].From
	}
	return Release{}
}

// LastServed returns the newest release that serves the version, or the zero
// Release.
func (v Version) LastServed() Release {
	for _, s := range slices.Backward(v.Spans) {
		if s.State.Serves() {
			return s.To
		}
	}
	return Release{}
}

// Versions returns the versions of the kind in all releases. The versions that a
// server prefers are first.
func (k Kind) Versions() []Version {
	newest := Release{}
	var all []Version
	for line := range strings.Lines(k.lines) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == ">" {
			continue
		}
		if newest == (Release{}) {
			newest = k.Project().Newest()
		}
		if n := len(all); n == 0 || all[n-1].Name != name {
			all = append(all, Version{Name: name})
		}
		v := &all[len(all)-1]
		v.Spans = append(v.Spans, parseSpan(rest, newest))
	}
	return all
}

// parseSpan parses "STATE FROM-TO WARNING".
func parseSpan(text string, newest Release) Span {
	state, rest, _ := strings.Cut(text, " ")
	releases, warning, _ := strings.Cut(rest, " ")
	from, to, _ := strings.Cut(releases, "-")
	s := Span{Warning: warning, To: newest}
	s.From, _ = ParseRelease(from)
	if to != "" {
		s.To, _ = ParseRelease(to)
	}
	switch state {
	case "served":
		s.State = Served
	case "deprecated":
		s.State = Deprecated
	case "unserved":
		s.State = Unserved
	}
	return s
}

// Successor returns the kind that replaces this one, and false if the project does
// not name one.
func (k Kind) Successor() (Kind, bool) {
	line, _, _ := strings.Cut(k.lines, "\n")
	to, ok := strings.CutPrefix(line, "\t> ")
	if !ok {
		return Kind{}, false
	}
	group, kind, _ := strings.Cut(to, " ")
	return LookupKind(group, kind)
}
