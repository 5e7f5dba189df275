package projects

import (
	"slices"
	"strings"
)

// State says how a release treats a version of a kind. The zero value is Absent.
type State uint8

const (
	// Absent means that the release does not define the version.
	Absent State = iota
	// Served means that the release serves the version.
	Served
	// Deprecated means that the release serves the version with a warning.
	Deprecated
	// Unserved means that the release defines the version but does not serve it.
	Unserved
)

// String returns the state as `kubevet api` prints it.
func (s State) String() string {
	return [...]string{"absent", "served", "deprecated", "not served"}[s]
}

// Serves reports whether a release in which a version has this state accepts
// requests for the version.
func (s State) Serves() bool { return s == Served || s == Deprecated }

// Span is the state of a version in consecutive releases, from From to To
// inclusive.
type Span struct {
	State    State
	From, To Release
	// Warning is the definition's own deprecation warning, or empty if the server
	// uses its default text.
	Warning string
}

// Version is the history of a version of a kind.
type Version struct {
	// Name is the version, such as v1beta1.
	Name string
	// Spans are in the order of the releases, and never empty. Releases without
	// the version have no span.
	Spans []Span
}

// At returns the version's span that includes release r. If the release does not
// have the version, the span's state is Absent.
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

func (v Version) first(matches func(State) bool) Release {
	if i := slices.IndexFunc(v.Spans, func(s Span) bool { return matches(s.State) }); i >= 0 {
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

// Versions returns the versions of the kind in all releases, in the order of the
// server's preference.
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

// parseSpan parses a text of the form "STATE FROM-TO WARNING".
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

// Successor returns the kind that replaces this kind. ok is false if the project
// names no successor.
func (k Kind) Successor() (_ Kind, ok bool) {
	line, _, _ := strings.Cut(k.lines, "\n")
	to, ok := strings.CutPrefix(line, "\t> ")
	if !ok {
		return Kind{}, false
	}
	group, kind, _ := strings.Cut(to, " ")
	return LookupKind(group, kind)
}
