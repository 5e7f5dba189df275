package webhook

import (
	"slices"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Match is whether something applies. The zero value is No.
type Match uint8

// The answers, ordered so that the least of several applies to all of them.
const (
	No  Match = iota
	May       // it depends on what is not known
	Yes
)

// selector is a LabelSelector; the zero value selects everything.
type selector struct {
	requirements []requirement
}

type requirement struct {
	key, operator string
	values        []string
}

// readSelector reads a LabelSelector. Its result does not matter for a selector
// that the server refuses.
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

// matches reports whether labels are selected. If labels are only partly known,
// the others may have any value.
func (s *selector) matches(labels map[string]string, full bool) Match {
	match := Yes
	for i := range s.requirements {
		r := &s.requirements[i]
		value, ok := labels[r.key]
		if !ok && !full {
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
