package codetrace

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Place is a place in the code that may send a request.
type Place struct {
	At token.Position
	// Does describes the code at the place, such as "uses policy/v1beta1
	// PodDisruptionBudget" or "update of apps/v1 Deployment".
	Does string
	// Signed is true for a write with a field manager of the client.
	Signed bool

	weight       int
	fit          int  // the result of verbFit
	groupUnknown bool // the group in the code is unknown
}

// maxPlaces is the maximal number of places for one match.
const maxPlaces = 3

// Uses returns places where the code of a match may send a request with one of the verbs
// for an API version. It returns the best kind of places that exists, in this order:
// calls with these verbs, calls with other verbs, places that name the resource, places
// that name the whole API version. left is the number of places that are not returned.
func (m *Match) Uses(api API, verbs ...string) (places []Place, left int) {
	list, how := m.uses(m.scope, api, verbs)
	if how < placesSending && len(m.fallback) > 0 {
		if more, better := m.uses(m.fallback, api, verbs); better > how {
			list = more
		}
	}
	return bestPlaces(list)
}

// These are the kinds of places, the worst first.
const (
	placesOfVersion = iota + 1 // the code names the whole API version
	placesNamingResource
	placesOtherVerb // calls with another verb
	placesSending
)

// uses returns the places of the best kind in the packages of scope. how is the kind.
func (m *Match) uses(scope []*analyzers.Trace, api API, verbs []string) (places []Place, how int) {
	gv := api.Version
	if api.Group != "" {
		gv = api.Group + "/" + api.Version
	}
	var sent, other, named, whole []Place
	exact := false // true if a place names the group
	for _, t := range scope {
		for _, p := range t.Places {
			if p.Version != api.Version || resourceOfPlace(p) != api.Resource || !p.AnyGroup && p.Group != api.Group || p.AnyGroup && !isCustomGroup(api.Group) {
				continue
			}
			exact = exact || !p.AnyGroup
			place := Place{At: p.Pos, Does: describePlace(p, gv), weight: m.weight(t), groupUnknown: p.AnyGroup}
			switch how := verbFit(p.Verb, p.Cached, verbs); {
			case p.Verb == "":
				named = append(named, place)
			case how > 0:
				place.fit = how
				sent = append(sent, place)
			default:
				other = append(other, place)
			}
		}
		for _, w := range t.Writes {
			if w.Version != api.Version || w.Kind == "" || resourceOf(w) != api.Resource || !w.AnyGroup && w.Group != api.Group || w.AnyGroup && !isCustomGroup(api.Group) {
				continue
			}
			exact = exact || !w.AnyGroup
			place := Place{At: w.Pos, Does: does(w), weight: m.weight(t), groupUnknown: w.AnyGroup}
			if how := verbFit(w.Verb, false, verbs); how > 0 {
				place.fit = how
				sent = append(sent, place)
			} else {
				other = append(other, place)
			}
		}
		for _, u := range t.Uses {
			if u.GroupVersion != gv {
				continue
			}
			p := Place{At: u.Pos, Does: strings.TrimSpace("uses " + gv + " " + u.Kind), weight: m.weight(t)}
			switch {
			case u.Resource == "":
				whole = append(whole, p)
			case u.Resource != api.Resource:
			case u.Calls:
				p.weight += 4
				other = append(other, p)
			case u.Decides:
				p.weight += 2
				named = append(named, p)
			default:
				named = append(named, p)
			}
		}
	}
	for kind, list := range [][]Place{placesSending: sent, placesOtherVerb: other, placesNamingResource: named, placesOfVersion: whole} {
		if exact {
			list = slices.DeleteFunc(list, func(p Place) bool { return p.groupUnknown })
		}
		best := 0
		for _, p := range list {
			best = max(best, p.fit)
		}
		list = slices.DeleteFunc(list, func(p Place) bool { return p.fit < best })
		if len(list) > 0 {
			places, how = list, kind
		}
	}
	return places, how
}

// isCustomGroup reports whether a group has custom resources.
func isCustomGroup(group string) bool {
	return strings.Contains(group, ".") && !lifecycle.IsGroup(group)
}

// verbFit returns how well the verb of a call agrees with the verbs of requests, from 0
// (not at all) to 3 (exactly). cached is true if the call may read from a cache.
func verbFit(verb string, cached bool, verbs []string) int {
	best := 0
	for _, v := range verbs {
		how := 0
		switch {
		case v == verb:
			how = 3
		case verb == "informer" && cached && (v == "list" || v == "watch"):
			how = 2
		case verb == "informer" && (v == "list" || v == "watch"):
			how = 3
		case cached && (v == "list" || v == "watch"):
			how = 1
		case v == "patch" && (verb == "apply" || verb == "createorpatch"),
			v == "update" && (verb == "scale" || verb == "approval" || verb == "createorupdate"),
			v == "create" && (verb == "createorupdate" || verb == "createorpatch" || verb == "evict" || verb == "bind" || verb == "token"):
			how = 3
		case v == "create" && verb == "apply":
			how = 1
		case v == "get" && (verb == "createorupdate" || verb == "createorpatch"):
			how = 2
		}
		best = max(best, how)
	}
	return best
}

func describePlace(p analyzers.TracedPlace, gv string) string {
	what := gv + " " + p.Kind
	if p.Kind == "" {
		what = gv + " " + p.Resource
	}
	switch p.Verb {
	case "":
		return "names " + what
	case "informer":
		return "watches " + what
	}
	return p.Verb + " of " + what
}

// resourceOfPlace returns the resource of a place, or the resource for its kind.
func resourceOfPlace(p analyzers.TracedPlace) string {
	if p.Resource != "" {
		return p.Resource
	}
	return resourceOf(analyzers.TracedWrite{Group: p.Group, Version: p.Version, Kind: p.Kind})
}

// Writes returns the places where the code of a match writes a resource, in any version.
// Places with one of the field managers come first. left is the number of places that are
// not returned.
func (m *Match) Writes(group, resource string, managers []string) (places []Place, left int) {
	for _, t := range m.scope {
		for _, w := range t.Writes {
			if w.Kind == "" || resourceOf(w) != resource || !w.AnyGroup && w.Group != group || w.AnyGroup && !isCustomGroup(group) {
				continue
			}
			p := Place{At: w.Pos, Does: does(w), weight: m.weight(t)}
			if w.Manager != "" && slices.Contains(managers, w.Manager) {
				p.Signed = true
				p.weight += 8
			}
			places = append(places, p)
		}
		for _, p := range t.Places {
			if writeVerbs[p.Verb] && resourceOfPlace(p) == resource && !p.AnyGroup && p.Group == group {
				places = append(places, Place{At: p.Pos, Does: describePlace(p, strings.TrimPrefix(p.Group+"/"+p.Version, "/")), weight: m.weight(t)})
			}
		}
	}
	if signed := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return !p.Signed }); len(signed) > 0 {
		places = signed
	}
	return bestPlaces(places)
}

var writeVerbs = map[string]bool{"create": true, "update": true, "patch": true, "delete": true, "deletecollection": true}

// weight returns 1 for a package that sets the name of the client, and 0 for others.
func (m *Match) weight(t *analyzers.Trace) int {
	if m.namingPackages[t.Package] {
		return 1
	}
	return 0
}

// bestPlaces returns the first places by weight, at most one for each line, and the
// number of the others.
func bestPlaces(places []Place) ([]Place, int) {
	slices.SortStableFunc(places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), comparePositions(a.At, b.At))
	})
	type line struct {
		file string
		line int
	}
	seen := map[line]bool{}
	var distinct []Place
	for _, p := range places {
		if at := (line{p.At.Filename, p.At.Line}); !seen[at] {
			seen[at] = true
			distinct = append(distinct, p)
		}
	}
	if len(distinct) <= maxPlaces {
		return distinct, 0
	}
	return distinct[:maxPlaces], len(distinct) - maxPlaces
}

func does(w analyzers.TracedWrite) string {
	verb := w.Verb
	if w.Subresource != "" {
		verb += " of the " + w.Subresource
	}
	what := w.Version
	if w.Group != "" {
		what = strings.TrimSuffix(w.Group+"/"+w.Version, "/")
	}
	return strings.TrimSpace(verb + " of " + strings.TrimSpace(what+" "+w.Kind))
}

// resourceOf returns the resource for the kind of a write. For a custom resource it
// guesses like Kubernetes (apimachinery, pkg/api/meta/restmapper.go,
// UnsafeGuessKindToResource, v0.37).
func resourceOf(w analyzers.TracedWrite) string {
	if api, ok := lifecycle.Lookup(w.Group, w.Version, w.Kind); ok {
		return api.Resource()
	}
	if w.Group == "metrics.k8s.io" { // in this group, a resource has the name of the measured resource
		return map[string]string{"PodMetrics": "pods", "NodeMetrics": "nodes"}[w.Kind]
	}
	kind := strings.ToLower(w.Kind)
	switch {
	case kind == "":
		return ""
	case strings.HasSuffix(kind, "endpoints"):
		return kind
	case strings.HasSuffix(kind, "s"):
		return kind + "es"
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	}
	return kind + "s"
}
