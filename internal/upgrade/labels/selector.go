// Package labels reads and evaluates label selectors in objects.
package labels

import (
	"slices"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
)

// Selector is a label selector (apimachinery, meta/v1, LabelSelector). The zero value
// selects everything.
type Selector struct {
	selectsNothing bool
	requirements   []requirement
}

type requirement struct {
	key, operator string
	values        []string
}

// Read reads a selector. If the value is missing or not a map, or an operator is unknown,
// the selector selects nothing.
func Read(v *wire.Value) Selector {
	if v == nil || v.Kind != wire.Map {
		return Selector{selectsNothing: true}
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

// Selects reports whether the selector matches an object with the labels.
func (s *Selector) Selects(labels map[string]string) bool {
	if s.selectsNothing {
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

// Of returns the labels in a map value.
func Of(v *wire.Value) map[string]string {
	all := map[string]string{}
	for _, f := range v.Entries() {
		all[strings.Clone(f.Name)] = strings.Clone(f.Value.StringOr(""))
	}
	return all
}
