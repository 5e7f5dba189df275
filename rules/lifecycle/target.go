package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Target is the server with which input is compared: a minor or a range of
// minors, and the administrator's feature gates and runtime configuration.
// Targets are small immutable values and safe for concurrent use. The zero Target
// has no minors and default settings.
type Target struct {
	Range
	set *settings
}

// settings are the administrator's settings of a Target. nil means the defaults.
type settings struct {
	// gates are sorted by name.
	gates             []gateSetting
	allAlpha, allBeta gateSetting
	runtime           runtimeConfig
}

// gateSetting is an administrator's setting of one gate. set has the minors that
// accept the setting, and on has the minors in which the setting turns the gate on.
type gateSetting struct {
	name    string
	set, on Minors
}

// The gates that turn all gates of a stage on or off.
const (
	allAlphaGate = "AllAlpha"
	allBetaGate  = "AllBeta"
)

// NewTarget returns a target. versions is a version or a range for ParseRange.
// featureGates are values of kube-apiserver's flag --feature-gates
// ("A=true,B=false"), and runtimeConfig are values of --runtime-config
// ("api/beta=true").
//
// Settings are checked as the server checks them at start, with the server's
// texts. An unknown gate, a gate that is locked to the other value, and an
// unknown group or version are errors. Servers from 1.35 on also check
// dependencies between gates, but NewTarget does not.
//
// In a range, a setting is an error only if every minor refuses it. Otherwise it
// applies to the minors that accept it, and other minors use their defaults. So a
// range is like a server that is upgraded and drops settings which the next
// release does not know.
func NewTarget(versions string, featureGates, runtimeConfig []string) (Target, error) {
	r, err := ParseRange(versions)
	if err != nil {
		return Target{}, err
	}
	if len(featureGates) == 0 && len(runtimeConfig) == 0 {
		return Target{Range: r}, nil
	}
	s := new(settings)
	if err := s.setGates(featureGates, r); err != nil {
		return Target{}, err
	}
	if s.runtime, err = parseRuntimeConfig(runtimeConfig, r); err != nil {
		return Target{}, err
	}
	return Target{Range: r, set: s}, nil
}

// Known returns the target of all known minors with default settings.
func Known() Target { return Target{Range: Range{Oldest, Newest}} }

// At returns the target with the single minor m and the same settings.
func (t Target) At(m Minor) Target { return Target{Range{m, m}, t.set} }

// GateEnabled reports whether a feature gate is on in a server of minor m with
// the target's settings. The gate's own setting comes first, then AllAlpha or
// AllBeta, then the default:
//
//   - A gate that the minor does not have yet is off.
//   - A removed gate keeps its last default: on if the feature became stable, off
//     if the feature was abandoned.
//   - An unknown gate is off.
//
// The order of the settings in the flag does not matter. AllAlpha and AllBeta
// also change locked gates. Source:
// k8s.io/component-base/featuregate/feature_gate.go.
func (t Target) GateEnabled(name string, m Minor) bool {
	g := gateNamed(name)
	if g == nil {
		return false
	}
	if t.set != nil {
		if on, ok := t.set.gate(g, m); ok {
			return on
		}
	}
	return g.enabledByDefault(m)
}

// gate returns the administrator's setting of a gate at minor m. ok is false if
// there is none.
func (s *settings) gate(g *gateRecord, m Minor) (on, ok bool) {
	for i := range s.gates {
		if s.gates[i].name == g.name && s.gates[i].set.Has(m) {
			return s.gates[i].on.Has(m), true
		}
	}
	span := g.spanAt(m)
	if span == nil || g.name == allAlphaGate || g.name == allBetaGate {
		return false, false
	}
	switch {
	case span.stage == Alpha && s.allAlpha.set.Has(m):
		return s.allAlpha.on.Has(m), true
	case span.stage == Beta && s.allBeta.set.Has(m):
		return s.allBeta.on.Has(m), true
	}
	return false, false
}

// setGates parses the values of --feature-gates flags. As in the server, the last
// setting of a gate counts, and only it is checked.
func (s *settings) setGates(flags []string, r Range) error {
	var names []string
	values := map[string]bool{}
	for _, flag := range flags {
		for entry := range strings.SplitSeq(flag, ",") {
			if entry == "" {
				continue
			}
			name, value, ok := strings.Cut(entry, "=")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if !ok {
				return fmt.Errorf("missing bool value for %s", name)
			}
			on, err := strconv.ParseBool(value)
			if err != nil {
				return fmt.Errorf("invalid value of %s=%s, err: %w", name, value, err)
			}
			if _, ok := values[name]; !ok {
				names = append(names, name)
			}
			values[name] = on
		}
	}
	for _, name := range names {
		setting, err := acceptedGate(name, values[name], r)
		if err != nil {
			return err
		}
		switch name {
		case allAlphaGate:
			s.allAlpha = setting
		case allBetaGate:
			s.allBeta = setting
		}
		s.gates = append(s.gates, setting)
	}
	slices.SortFunc(s.gates, func(a, b gateSetting) int { return strings.Compare(a.name, b.name) })
	return nil
}

// acceptedGate returns the setting of a gate in the minors of the range that
// accept it. If none of them accepts the setting, acceptedGate returns the error
// of the newest minor that has the gate.
func acceptedGate(name string, on bool, r Range) (gateSetting, error) {
	s := gateSetting{name: name}
	err := fmt.Errorf("unrecognized feature gate: %s", name)
	for m := range r.All() {
		g, ok := GateDefault(name, m)
		switch {
		case !ok:
		case g.Locked && g.Default != on:
			err = fmt.Errorf("cannot set feature gate %s to %t, feature is locked to %t", name, on, g.Default)
		default:
			s.set = s.set.With(m)
			if on {
				s.on = s.on.With(m)
			}
		}
	}
	if s.set == 0 {
		return s, err
	}
	return s, nil
}
