package webhook

import (
	"slices"
	"strings"
)

// hookList has the configurations of mutating or of validating webhooks, in the
// server's order and grouped by name. A name is left out if all its webhooks
// support dry runs. The index by resource saves time, because most objects match
// few configurations.
type hookList struct {
	byName [][]*Configuration
	// These maps contain the places of configurations, which are indices into
	// byName:
	//   - byResource: for each resource, the configurations with a rule that
	//     names the resource.
	//   - allOfGroup: for each group, the configurations with a rule for all
	//     resources of the group.
	//   - anyOfGroup: for each group, the configurations with any rule for the
	//     group.
	//
	// Rules for all groups have the key "*".
	byResource, allOfGroup, anyOfGroup map[string][]int
}

// newHookList returns the list for configurations that are sorted by name.
func newHookList(sorted []*Configuration) hookList {
	l := hookList{byResource: map[string][]int{}, allOfGroup: map[string][]int{}, anyOfGroup: map[string][]int{}}
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Name == sorted[0].Name {
			n++
		}
		if variants := sorted[:n:n]; slices.ContainsFunc(variants, (*Configuration).blocksDryRun) {
			l.add(variants)
		}
		sorted = sorted[n:]
	}
	return l
}

func (l *hookList) add(variants []*Configuration) {
	place := len(l.byName)
	l.byName = append(l.byName, variants)
	for _, c := range variants {
		for _, h := range c.Hooks {
			if !h.BlocksDryRun() {
				continue
			}
			for i := range h.rules {
				l.addRule(&h.rules[i], place)
			}
		}
	}
}

func (l *hookList) addRule(r *rule, place int) {
	if !containsOrWildcard(r.operations, "CREATE") && !containsOrWildcard(r.operations, "UPDATE") {
		return
	}
	all := false
	for _, resource := range r.resources {
		name, sub, _ := strings.Cut(resource, "/")
		switch {
		case sub != "" && sub != "*":
		case name == "*":
			all = true
		default:
			addPlace(l.byResource, name, place)
		}
	}
	for _, group := range r.groups {
		addPlace(l.anyOfGroup, group, place)
		if all {
			addPlace(l.allOfGroup, group, place)
		}
	}
}

// addPlace adds a place to the list of a key. Places must come in ascending
// order; a repeated place is ignored.
func addPlace(places map[string][]int, key string, place int) {
	if list := places[key]; len(list) == 0 || list[len(list)-1] != place {
		places[key] = append(list, place)
	}
}

// candidates returns the indices in byName, in ascending order, of the
// configurations that may have a rule for an object.
func (l *hookList) candidates(o *Object) []int {
	if len(l.byName) == 0 || o.exempt {
		return nil
	}
	var found []int
	byGroup := l.anyOfGroup
	if o.Resource != "" {
		found, byGroup = append(found, l.byResource[o.Resource]...), l.allOfGroup
	}
	found = append(found, byGroup["*"]...)
	for _, form := range o.versions {
		if form.group != "*" {
			found = append(found, byGroup[form.group]...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// blocksDryRun reports whether a webhook of the configuration does not support
// dry runs.
func (c *Configuration) blocksDryRun() bool {
	return slices.ContainsFunc(c.Hooks, (*Hook).BlocksDryRun)
}
