package conversion

import (
	"fmt"
	"strings"

	"github.com/kubevet/kubevet/rules/apiserver/wire"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Safety says whether a plan may be applied without a review.
type Safety uint8

// The safeties, in increasing order. The zero value is Manual.
const (
	// Manual means that nothing can be edited before a human decides what the
	// notes ask.
	Manual Safety = iota
	// Review means that the new object may behave differently, as the notes
	// explain.
	Review
	// Safe means that the server's own conversion of the old object equals the
	// new object.
	Safe
)

var safetyNames = [...]string{Manual: "manual", Review: "review", Safe: "safe"}

// String returns the name in lower case.
func (s Safety) String() string {
	if int(s) < len(safetyNames) {
		return safetyNames[s]
	}
	return fmt.Sprintf("Safety(%d)", uint8(s))
}

// Plan changes one object. The zero Plan changes nothing and is Manual.
type Plan struct {
	// From is the API of the object, and To the API of the result. To is zero if
	// no API replaces From, and equals From if only fields change.
	From, To lifecycle.API
	// Steps are applied in order. It is empty if the plan is Manual.
	Steps  []Step
	Safety Safety
	// Message is the plan as an instruction, such as "convert to
	// networking.k8s.io/v1 Ingress". It is empty if the plan is Manual.
	Message string
	// Notes are sentences about what a human must decide or review.
	Notes []string
}

// Of plans the conversion of an object to an API that every minor of the target
// serves. ok is false if there is nothing to convert: the object's API is
// unknown, or the whole target serves it and has not deprecated it. The plan is
// Manual if no API is served in the whole target, or if a human must decide
// something.
//
// An object of a list kind such as extensions/v1beta1 IngressList is converted
// together with its items. Notes about an item begin with its path. For a v1 List
// ok is false, because callers convert its items one by one.
func Of(object *wire.Value, target lifecycle.Target) (plan Plan, ok bool) {
	from, ok := lifecycle.LookupGV(object.Get("apiVersion").StringOr(""), object.Get("kind").StringOr(""))
	if !ok {
		return Plan{}, false
	}
	if from.Class() == lifecycle.List {
		return planList(object, from, target)
	}
	if !mustConvert(from, target) {
		return Plan{}, false
	}
	e, known := table()[from.String()]
	if !known {
		return Plan{}, false // The target does not serve the API yet, or a setting can enable it.
	}
	to, how, found := choose(e, from, target)
	if !found {
		return Plan{From: from, To: to, Notes: []string{noDestinationNote(e, from, to, target)}}, true
	}
	d := newDraft(object)
	if how.review != "" {
		d.review("%s", how.review)
	}
	if to.GroupVersion() != from.GroupVersion() {
		d.set(Fields("apiVersion"), text(to.GroupVersion()), "")
	}
	if to.Kind() != from.Kind() {
		d.set(Fields("kind"), text(to.Kind()), "")
	}
	if how.convert != nil {
		how.convert(d, how)
	}
	d.limitSafety(from, to, object, target)
	return d.plan(from, to, "convert to "+to.String()), true
}

// mustConvert reports whether an object must be converted: a minor of the target
// does not serve the API, or has deprecated it.
func mustConvert(api lifecycle.API, target lifecycle.Target) bool {
	for m := range target.All() {
		if api.IsDeprecated(m) || !served(api, m, target) {
			return true
		}
	}
	return false
}

func served(api lifecycle.API, m lifecycle.Minor, target lifecycle.Target) bool {
	return api.State(m, target) == lifecycle.Served
}

// choose returns the best destination that all minors of the target serve. If
// there is none, ok is false, and to is the best destination that kubevet knows,
// or zero.
func choose(e entry, from lifecycle.API, target lifecycle.Target) (to lifecycle.API, chosen destination, ok bool) {
	for _, candidate := range e.destinations {
		kind := candidate.kind
		if kind == "" {
			kind = from.Kind()
		}
		api, known := lifecycle.LookupGV(candidate.apiVersion, kind)
		if !known {
			continue
		}
		if to.IsZero() {
			to = api
		}
		if everywhere(api, target) {
			return api, candidate, true
		}
	}
	return to, destination{}, false
}

func everywhere(api lifecycle.API, target lifecycle.Target) bool {
	return api.ServedMinors(target) == target.Minors()
}

func noDestinationNote(e entry, from, to lifecycle.API, target lifecycle.Target) string {
	switch {
	case e.noDestination != "":
		return e.noDestination
	case to.IsZero():
		return fmt.Sprintf("Nothing takes the place of %s.", from)
	}
	on := to.ServedMinors(target)
	if on.Len() == 0 {
		gate := to.DisabledBy(target.To, target)
		switch {
		case to.State(target.To, target) == lifecycle.NotYet:
			return fmt.Sprintf("%s takes its place, but %s does not have it yet: it comes with %s.", to, target, to.Introduced())
		case gate != "":
			return fmt.Sprintf("%s takes its place, but %s serves it only with the feature gate %s.", to, target, gate)
		}
		return fmt.Sprintf("%s takes its place, but %s does not serve it by default.", to, target)
	}
	return fmt.Sprintf("%s takes its place and is served in %s, but not in the whole target %s: convert once the target begins with %s, or keep one manifest for each side.",
		to, on, target, on.Oldest())
}

// planList plans the conversion of a list and its items. The items may lack
// apiVersion and kind.
func planList(list *wire.Value, from lifecycle.API, target lifecycle.Target) (Plan, bool) {
	item := from.Item()
	if !mustConvert(item, target) {
		return Plan{}, false
	}
	e, ok := table()[item.String()]
	if !ok {
		return Plan{}, false
	}
	to, _, found := choose(e, item, target)
	listTo, known := lifecycle.LookupGV(to.GroupVersion(), to.Kind()+"List")
	if !found || !known {
		return Plan{From: from, To: listTo, Notes: []string{noDestinationNote(e, item, to, target)}}, true
	}
	listPlan := Plan{From: from, To: listTo, Safety: Safe, Message: "convert to " + listTo.String()}
	listPlan.Steps = []Step{{Op: Set, Path: Fields("apiVersion"), Value: text(listTo.GroupVersion())}}
	if listTo.Kind() != from.Kind() {
		listPlan.Steps = append(listPlan.Steps, Step{Op: Set, Path: Fields("kind"), Value: text(listTo.Kind())})
	}
	items := list.Get("items")
	if items == nil || items.Kind != wire.List {
		return listPlan, true
	}
	for i, v := range items.Items {
		if !isMap(v) {
			continue
		}
		typed := v
		if v.Get("apiVersion") == nil || v.Get("kind") == nil {
			typed = withType(v, item)
		}
		p, ok := Of(typed, target)
		if !ok {
			continue
		}
		name := v.At("metadata", "name").StringOr("")
		for _, n := range p.Notes {
			listPlan.Notes = append(listPlan.Notes, strings.TrimSpace(fmt.Sprintf("items[%d] %s", i, name))+": "+n)
		}
		listPlan.Safety = min(listPlan.Safety, p.Safety)
		for _, s := range p.Steps {
			if s.Op == Set && len(s.Path) == 1 && (s.Path[0].Name == "apiVersion" || s.Path[0].Name == "kind") && v.Get(s.Path[0].Name) == nil {
				continue
			}
			listPlan.Steps = append(listPlan.Steps, s.inside(Fields("items").Item(i)))
		}
	}
	if listPlan.Safety == Manual {
		listPlan.Steps, listPlan.Message = nil, ""
	}
	return listPlan, true
}

// withType returns an item of a list with the apiVersion and kind of api.
func withType(v *wire.Value, api lifecycle.API) *wire.Value {
	clone := *v
	clone.Fields = nil
	for _, f := range v.Fields {
		if f.Name != "apiVersion" && f.Name != "kind" {
			clone.Fields = append(clone.Fields, f)
		}
	}
	clone.Fields = append(clone.Fields,
		wire.Field{Name: "apiVersion", Value: text(api.GroupVersion())},
		wire.Field{Name: "kind", Value: text(api.Kind())})
	return &clone
}

// inside returns the step for a larger object, which contains the step's object
// at path. An example is an item of a list.
func (s Step) inside(path Path) Step {
	s.Path = append(path.Field(), s.Path...)
	if s.To != nil {
		s.To = append(path.Field(), s.To...)
	}
	return s
}
