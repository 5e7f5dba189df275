package codetrace

import (
	"cmp"
	"go/token"
	"slices"
	"strings"

	"github.com/kubevet/kubevet/analyzers"
	"github.com/kubevet/kubevet/rules/lifecycle"
)

// Place is code that a request can come from.
type Place struct {
	At token.Position
	// Does says what the code does, such as "uses policy/v1beta1
	// PodDisruptionBudget" or "update of apps/v1 Deployment".
	Does string
	// Signed is set for a write with the client's own field manager.
	Signed bool

	weight int
	fit    int  // how well the verb fits
	loose  bool // the group is not known
}

// maxPlaces is the number of places named for one match.
const maxPlaces = 3

// Uses finds where the code of a match asks for a version of an API with one of some
// verbs, or with any verb if there is no such place. Calls that send such requests come
// first. After them come the places that choose the version, those that only name it,
// and those that name the version as a whole; only the first group that exists is
// returned. left is the number of places that are not returned.
func (m *Match) Uses(api API, verbs ...string) (places []Place, left int) {
	list, how := m.uses(m.scope, api, verbs)
	if how < sends && len(m.rest) > 0 {
		if more, better := m.uses(m.rest, api, verbs); better > how {
			list = more
		}
	}
	return first(list)
}

// How well places answer the question, the worst first.
const (
	ofVersion = iota + 1 // they name the version as a whole
	naming
	asking // with another verb
	sends
)

// uses finds the places in some packages, all of one kind.
func (m *Match) uses(scope []*analyzers.Trace, api API, verbs []string) (places []Place, how int) {
	gv := api.Version
	if api.Group != "" {
		gv = api.Group + "/" + api.Version
	}
	var sent, other, named, whole []Place
	exact := false // a place that tells the group
	for _, t := range scope {
		for _, p := range t.Places {
			if p.Version != api.Version || resourceOfPlace(p) != api.Resource || !p.AnyGroup && p.Group != api.Group || p.AnyGroup && !custom(api.Group) {
				continue
			}
			exact = exact || !p.AnyGroup
			place := Place{At: p.Pos, Does: doesPlace(p, gv), weight: m.weight(t), loose: p.AnyGroup}
			switch how := matches(p.Verb, p.Cached, verbs); {
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
			if w.Version != api.Version || w.Kind == "" || resourceOf(w) != api.Resource || !w.AnyGroup && w.Group != api.Group || w.AnyGroup && !custom(api.Group) {
				continue
			}
			exact = exact || !w.AnyGroup
			place := Place{At: w.Pos, Does: does(w), weight: m.weight(t), loose: w.AnyGroup}
			if how := matches(w.Verb, false, verbs); how > 0 {
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
	for kind, list := range [][]Place{sends: sent, asking: other, naming: named, ofVersion: whole} {
		if exact {
			list = slices.DeleteFunc(list, func(p Place) bool { return p.loose })
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

// custom reports whether a group does not belong to Kubernetes itself.
func custom(group string) bool {
	return strings.Contains(group, ".") && !lifecycle.IsGroup(group)
}

// matches says how well the verb of a call fits the verbs of requests: 0 for not
// at all.
func matches(verb string, cached bool, verbs []string) int {
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

// doesPlace says what a place does.
func doesPlace(p analyzers.TracedPlace, gv string) string {
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

// resourceOfPlace is the resource of a place.
func resourceOfPlace(p analyzers.TracedPlace) string {
	if p.Resource != "" {
		return p.Resource
	}
	return resourceOf(analyzers.TracedWrite{Group: p.Group, Version: p.Version, Kind: p.Kind})
}

// Writes finds where the code of a match writes a resource, in any version: with one of
// the managers first.
func (m *Match) Writes(group, resource string, managers []string) (places []Place, left int) {
	for _, t := range m.scope {
		for _, w := range t.Writes {
			if w.Kind == "" || resourceOf(w) != resource || !w.AnyGroup && w.Group != group || w.AnyGroup && !custom(group) {
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
			if writing[p.Verb] && resourceOfPlace(p) == resource && !p.AnyGroup && p.Group == group {
				places = append(places, Place{At: p.Pos, Does: doesPlace(p, strings.TrimPrefix(p.Group+"/"+p.Version, "/")), weight: m.weight(t)})
			}
		}
	}
	if signed := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return !p.Signed }); len(signed) > 0 {
		places = signed
	}
	return first(places)
}

// writing are the verbs of changes.
var writing = map[string]bool{"create": true, "update": true, "patch": true, "delete": true, "deletecollection": true}

// weight prefers the packages that have the client's name.
func (m *Match) weight(t *analyzers.Trace) int {
	if m.home[t.Package] {
		return 1
	}
	return 0
}

// first returns the weightiest places, one for a line, and the number of others.
func first(places []Place) ([]Place, int) {
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

// resourceOf is the resource of a write's kind. That of a custom resource is
// guessed as Kubernetes' tools do (apimachinery, pkg/api/meta/restmapper.go,
// UnsafeGuessKindToResource, v0.37).
func resourceOf(w analyzers.TracedWrite) string {
	if api, ok := lifecycle.Lookup(w.Group, w.Version, w.Kind); ok {
		return api.Resource()
	}
	if w.Group == "metrics.k8s.io" { // whose resources are called as what they measure
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
