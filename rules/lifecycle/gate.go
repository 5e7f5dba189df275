package lifecycle

import (
	"iter"
	"sort"
)

// Stage is the maturity of a feature gate.
type Stage uint8

// The stages. The zero value is not a stage.
const (
	Alpha Stage = iota + 1
	Beta
	GA
	// Deprecated is the stage of deprecated features. It is also the stage of
	// gates that exist for some releases only: to restore an old behaviour, or to
	// enable a new behaviour early.
	Deprecated
)

// String returns Kubernetes' name of the stage: "Alpha", "Beta", "GA" or
// "Deprecated". It returns "" for the zero value.
func (s Stage) String() string {
	switch s {
	case Alpha:
		return "Alpha"
	case Beta:
		return "Beta"
	case GA:
		return "GA"
	case Deprecated:
		return "Deprecated"
	}
	return ""
}

// Gate is a feature gate in one release of kube-apiserver.
type Gate struct {
	Name  string
	Stage Stage
	// Default is the value of the gate if the administrator does not set it.
	Default bool
	// Locked is set if the gate can only be set to its default.
	Locked bool
}

// gateRecord is a line of the generated table of gates.
type gateRecord struct {
	name  string
	spans []gateSpan
}

// gateSpan is the stage and the default of a gate in some minors.
type gateSpan struct {
	minors Minors
	stage  Stage
	on     bool
	locked bool
}

// gateNamed returns a gate of any known minor by name, or nil.
func gateNamed(name string) *gateRecord {
	i := sort.Search(len(gates), func(i int) bool { return gates[i].name >= name })
	if i < len(gates) && gates[i].name == name {
		return &gates[i]
	}
	return nil
}

func (g *gateRecord) spanAt(m Minor) *gateSpan {
	for i := range g.spans {
		if g.spans[i].minors.Has(m) {
			return &g.spans[i]
		}
	}
	return nil
}

// GateDefault returns a feature gate as kube-apiserver of minor m registers it.
// ok is false if it does not have the gate. Gates that only other components have
// are not in the tables.
func GateDefault(name string, m Minor) (gate Gate, ok bool) {
	g := gateNamed(name)
	if g == nil {
		return Gate{}, false
	}
	s := g.spanAt(m)
	if s == nil {
		return Gate{}, false
	}
	return Gate{Name: g.name, Stage: s.stage, Default: s.on, Locked: s.locked}, true
}

// Gates yields the names of all gates of the known minors, sorted.
func Gates() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range gates {
			if !yield(gates[i].name) {
				return
			}
		}
	}
}

// GateMinors returns the minors whose kube-apiserver has the gate.
func GateMinors(name string) Minors {
	var s Minors
	if g := gateNamed(name); g != nil {
		for i := range g.spans {
			s |= g.spans[i].minors
		}
	}
	return s
}

// enabledByDefault reports whether the feature is on in a release by default.
// Before the first release with the gate, the feature is off. After the last
// release with the gate, the gate's last default applies: off if the feature was
// abandoned, and on if it was established.
func (g *gateRecord) enabledByDefault(m Minor) bool {
	if s := g.spanAt(m); s != nil {
		return s.on
	}
	last := &g.spans[len(g.spans)-1]
	return last.on && m > last.minors.Newest()
}
