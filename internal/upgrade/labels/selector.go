// Package labels reads label selectors as they are written.
package labels

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Selector is a label selector (apimachinery, meta/v1, LabelSelector). The zero value
// selects everything.
type Selector struct {
	// none selects nothing.
	none         bool
	requirements []requirement
}

type requirement struct {
	key, operator string
	values        []string
}

// Read reads a selector. A value that is absent or not a map selects nothing, and neither do
// requirements with an unknown operator.
func Read(v *wire.Value) Selector {
	if v == nil || v.Kind != wire.Map {
		return Selector{none: true}
	}
	var s Selector
	for _, f := range v.Get("matchLabels").Entries() {
		s.requirements = append(s.requirements, requirement{strings.Clone(f.Name), "In", []string{strings.Clone(f.Value.StringOr(""))}})
	}
	for _, e := range v.Get("matchExpressions").Elements() {
		r := requirement{key: strings.Clone(e.Get("key").StringOr("")), operator: strings.Clone(e.Get("operator").StringOr(""))}
		for _, value := range e.Get("values").Strings() {
			r.values = append(r.values, strings.Clone(value))
		}
		s.requirements = append(s.requirements, r)
	}
	return s
}

// Selects reports whether labels match.
func (s *Selector) Selects(labels map[string]string) bool {
	if s.none {
		return false
	}
	for _, r := range s.requirements {
		value, has := labels[r.key]
		ok := false
		switch r.operator {
		case "In":
			ok = has && slices.Contains(r.values, value)
		case "NotIn":
			ok = !has || !slices.Contains(r.values, value)
		case "Exists":
			ok = has
		case "DoesNotExist":
			ok = !has
		}
		if !ok {
			return false
		}
	}
	return true
}

// Of reads the labels in a map.
func Of(v *wire.Value) map[string]string {
	all := map[string]string{}
	for _, f := range v.Entries() {
		all[strings.Clone(f.Name)] = strings.Clone(f.Value.StringOr(""))
	}
	return all
}
