package webhook

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Match says whether a rule or a selector applies. The zero value is No.
type Match uint8

// The answers, in ascending order. The answer for several conditions that must
// all apply is their minimum.
const (
	No  Match = iota
	May       // depends on an unknown fact
	Yes
)

// selector is a LabelSelector. The zero value selects everything.
type selector struct {
	requirements []requirement
}

type requirement struct {
	key, operator string
	values        []string
}

// readSelector reads a LabelSelector. For a selector that the server refuses, the
// result is arbitrary.
func readSelector(v *wire.Value) selector {
	var s selector
	if labels := v.Get("matchLabels"); labels != nil {
		for _, f := range labels.Fields {
			s.requirements = append(s.requirements, requirement{f.Name, "In", []string{f.Value.StringOr("")}})
		}
	}
	for _, e := range v.Get("matchExpressions").Elements() {
		s.requirements = append(s.requirements, requirement{
			e.Get("key").StringOr(""), e.Get("operator").StringOr(""), e.Get("values").Strings(),
		})
	}
	return s
}

// matches reports whether labels are selected. complete is set if all labels are
// known; otherwise there may be more labels with any value.
func (s *selector) matches(labels map[string]string, complete bool) Match {
	match := Yes
	for i := range s.requirements {
		r := &s.requirements[i]
		value, ok := labels[r.key]
		if !ok && !complete {
			match = min(match, May)
			continue
		}
		matched := false
		switch r.operator {
		case "In":
			matched = ok && slices.Contains(r.values, value)
		case "NotIn":
			matched = !ok || !slices.Contains(r.values, value)
		case "Exists":
			matched = ok
		case "DoesNotExist":
			matched = !ok
		}
		if !matched {
			return No
		}
	}
	return match
}
