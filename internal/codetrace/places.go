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
}

// maxPlaces is how many places of one match are named.
const maxPlaces = 3

// Uses finds where the code of a match uses a version of an API: the places that
// choose the version or call it, else those that name the version as a whole,
// else the writes to it. left is how many more there are.
func (m *Match) Uses(group, version, resource string) (places []Place, left int) {
	gv := version
	if group != "" {
		gv = group + "/" + version
	}
	var whole []Place
	for _, t := range m.scope {
		for _, u := range t.Uses {
			if u.GroupVersion != gv {
				continue
			}
			p := Place{At: u.Pos, Does: strings.TrimSpace("uses " + gv + " " + u.Kind), weight: m.weight(t)}
			if u.Decides {
				p.weight += 2
			}
			if u.Calls {
				p.weight += 4
			}
			switch u.Resource {
			case resource:
				places = append(places, p)
			case "":
				whole = append(whole, p)
			}
		}
	}
	if len(places) == 0 {
		for _, t := range m.scope {
			for _, w := range t.Writes {
				if w.Group == group && w.Version == version && resourceOf(w) == resource {
					places = append(places, Place{At: w.Pos, Does: does(w), weight: m.weight(t)})
				}
			}
		}
	}
	if len(places) == 0 {
		places = whole
	}
	return first(places)
}

// Writes finds where the code of a match writes a resource, through whatever
// version: with one of the managers first.
func (m *Match) Writes(group, resource string, managers []string) (places []Place, left int) {
	for _, t := range m.scope {
		for _, w := range t.Writes {
			if w.Group != group || w.Kind == "" || resourceOf(w) != resource {
				continue
			}
			p := Place{At: w.Pos, Does: does(w), weight: m.weight(t)}
			if w.Manager != "" && slices.Contains(managers, w.Manager) {
				p.Signed = true
				p.weight += 8
			}
			places = append(places, p)
		}
	}
	if signed := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return !p.Signed }); len(signed) > 0 {
		places = signed
	}
	return first(places)
}

// weight prefers the packages that have the client's name.
func (m *Match) weight(t *analyzers.Trace) int {
	if m.home[t.Package] {
		return 1
	}
	return 0
}

// first gives the weightiest places, one for a line, and the number of others.
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
