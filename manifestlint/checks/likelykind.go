package checks

import (
	"cmp"
	"strings"

	"github.com/kubevet/kubevet/manifestlint"
	"github.com/kubevet/kubevet/rules/apiserver/customresource"
	"github.com/kubevet/kubevet/rules/lifecycle"
	"github.com/kubevet/kubevet/rules/nearest"
)

// likeness is how similar an API is to the API in a manifest. A lower value is
// more similar.
type likeness int

const (
	otherVersion  likeness = iota // kind and group are equal
	nearGroup                     // kind is equal, group is similar
	otherGroup                    // kind is equal, group differs
	nearKind                      // kind is similar, group is equal
	nearBoth                      // kind and group are similar
	nearElsewhere                 // kind is similar, group differs
	unlike
)

// likelyKinds returns the APIs of the target's newest server that the author of
// an object with an unknown kind probably meant. Several APIs can be equally
// likely, but if there are more than maxLikely, it returns none. If any
// Kubernetes release has the object's kind in the object's group, it returns
// only APIs of this kind.
func likelyKinds(o *manifestlint.Object, t lifecycle.Target) []lifecycle.API {
	group, version := customresource.SplitGroupVersion(o.APIVersion)
	best, distance := unlike, 0
	var likely []lifecycle.API
	_, existed := pastKind(o)
	for api := range lifecycle.All() {
		if api.Class() != lifecycle.Resource || api.State(t.To, t) != lifecycle.Served {
			continue
		}
		similarity, d := compareKinds(group, o.Kind, api)
		if similarity == unlike || existed && similarity > otherGroup {
			continue
		}
		switch c := cmp.Or(cmp.Compare(similarity, best), cmp.Compare(d, distance)); {
		case c > 0:
			continue
		case c < 0:
			best, distance, likely = similarity, d, likely[:0]
		}
		if last := len(likely) - 1; last >= 0 && likely[last].Group() == api.Group() && likely[last].Kind() == api.Kind() {
			if api.Version() == version || likely[last].Version() != version && customresource.CompareVersions(api.Version(), likely[last].Version()) > 0 {
				likely[last] = api
			}
			continue
		}
		likely = append(likely, api)
	}
	if len(likely) > maxLikely {
		return nil
	}
	return likely
}

// maxLikely is the largest number of APIs that a finding suggests.
const maxLikely = 3

// compareKinds compares a group and a kind with an API. Of two APIs with equal
// likeness, the one with the smaller distance is more similar.
func compareKinds(group, kind string, api lifecycle.API) (similarity likeness, distance int) {
	kindDistance, isNear := nearName(kind, api.Kind())
	if !isNear {
		return unlike, 0
	}
	groupDistance, groupNear := 0, true
	if group != api.Group() {
		groupDistance, groupNear = nearName(group, cmp.Or(api.Group(), "core"))
	}
	switch {
	case kind == api.Kind() && group == api.Group():
		return otherVersion, 0
	case kind == api.Kind() && groupNear:
		return nearGroup, groupDistance
	case kind == api.Kind():
		return otherGroup, 0
	case group == api.Group():
		return nearKind, kindDistance
	case groupNear:
		return nearBoth, kindDistance + groupDistance
	case kindDistance <= 1 && len(kind) > 5:
		return nearElsewhere, kindDistance
	}
	return unlike, 0
}

// nearName returns the edit distance of two names, without regard to case.
// isNear is true if the distance is at most 1, or at most a quarter of the
// length of name.
func nearName(name, other string) (distance int, isNear bool) {
	limit := max(1, len(name)/4)
	if len(name) > maxName || abs(len(name)-len(other)) > limit {
		return 0, false
	}
	distance = nearest.Distance(strings.ToLower(name), strings.ToLower(other))
	return distance, distance <= limit
}

// maxName is longer than any group or kind of Kubernetes.
const maxName = 64

func abs(n int) int { return max(n, -n) }

// pastKind returns the newest API with the object's kind and group in any
// Kubernetes release. ok is false if there is none.
func pastKind(o *manifestlint.Object) (api lifecycle.API, ok bool) {
	group, _ := customresource.SplitGroupVersion(o.APIVersion)
	for a := range lifecycle.All() {
		if a.Class() == lifecycle.Resource && a.Kind() == o.Kind && a.Group() == group &&
			(!ok || a.Servable().Newest() >= api.Servable().Newest()) {
			api, ok = a, true
		}
	}
	return api, ok
}

// isKind reports whether any Kubernetes release has a kind with this name.
func isKind(kind string) bool {
	for api := range lifecycle.All() {
		if api.Kind() == kind {
			return true
		}
	}
	return false
}
