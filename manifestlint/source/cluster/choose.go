package cluster

import (
	"errors"
	"slices"

	"github.com/kubevet/kubevet/rules/lifecycle"
)

var errStale = errors.New("the server behind it does not answer")

// resourcesToList returns each resource in its first version that is not
// deprecated, in the server's order. It leaves out these resources:
//
//   - resources whose objects another group also has
//   - resources of aggregated servers, which may create objects for each
//     request, such as metrics
func (s *scan) resourcesToList() []resource {
	type key struct{ group, plural string }
	byName := map[key][]resource{}
	var order []key
	for _, r := range s.resources {
		if !r.lists || s.aggregated[r.apiVersion()] {
			continue
		}
		k := key{r.group, r.plural}
		if byName[k] == nil {
			order = append(order, k)
		}
		byName[k] = append(byName[k], r)
	}
	var plan []resource
	var old []resource
	for _, k := range order {
		versions := byName[k]
		i := slices.IndexFunc(versions, func(r resource) bool { return !s.isDeprecated(r) })
		if i < 0 {
			old = append(old, versions[0])
			continue
		}
		if k == (key{"", "events"}) && len(byName[key{"events.k8s.io", "events"}]) > 0 {
			continue // events.k8s.io has the same objects
		}
		plan = append(plan, versions[i])
	}
	for _, r := range old {
		// A resource of this kind in another group may have the same objects.
		if !slices.ContainsFunc(plan, func(o resource) bool { return o.kind == r.kind && sameObjects(r, o) }) {
			s.unlisted = append(s.unlisted, r)
		}
	}
	return plan
}

// isDeprecated reports whether a version of a resource is deprecated.
func (s *scan) isDeprecated(r resource) bool {
	if api, known := lifecycle.LookupGV(r.apiVersion(), r.kind); known {
		m := s.Version
		if m == 0 {
			m = lifecycle.Newest
		}
		return api.IsDeprecated(m)
	}
	return s.deprecated[r.apiVersion()+"/"+r.plural]
}

// sameObjects reports whether a kind in two groups has the same objects, such
// as Ingress in extensions and networking.k8s.io.
func sameObjects(older, newer resource) bool {
	api, known := lifecycle.LookupGV(older.apiVersion(), older.kind)
	if !known {
		return false
	}
	next, ok := api.Successor()
	return ok && next.Group() == newer.group && next.Kind() == newer.kind
}

// enabledByFlag returns the API versions that the server serves although its
// release does not serve them by default.
func (s *scan) enabledByFlag() []string {
	if s.Version == 0 {
		return nil
	}
	var all []string
	for _, r := range s.resources {
		api, known := lifecycle.LookupGV(r.apiVersion(), r.kind)
		if known && api.State(s.Version, lifecycle.Known()) == lifecycle.Disabled {
			all = append(all, r.apiVersion()+"=true")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
