package tally

import (
	"cmp"
	"slices"
)

// MergeOther adds the counts of a state that was made for any target. It checks
// the requested APIs again, for the target of the tally. The state has the
// positions of requests only if their API is old for the target of the state.
// For other requests, reports show name instead of a position.
//
// left reports whether findings in the objects that clients sent are left out.
// This happens if the state was made for another target, because a state does
// not have these objects. MergeOther fails, and adds nothing, if the state is
// damaged.
func (t *Tally) MergeOther(s *State, name string) (left bool, err error) {
	if err := s.check(); err != nil {
		return false, err
	}
	mine := t.config()
	same := s.Config.Target == mine.Target && s.Config.Verdicts == mine.Verdicts
	merged := *s
	if !same {
		merged.Bodies, left = nil, s.Config.Bodies
	}
	type pair struct{ client, api int }
	counted := map[pair]bool{}
	for _, g := range s.Groups {
		counted[pair{g.Client, g.API}] = true
	}
	merged.Groups = slices.Clip(s.Groups)
	more := map[pair]int64{}
	for _, u := range s.Uses {
		more[pair{u.Client, u.API}] += int64(u.Reads) + int64(u.Lists) + int64(u.Writes)
	}
	for _, o := range s.Open {
		if !o.Detail { // such as a watch of an API that is not old for the state's target
			more[pair{o.Client, o.API}]++
		}
	}
	for k, n := range more {
		a := s.APIs[k.api]
		if counted[k] || k.api == 0 || !t.isOld(&API{Known: lookup(a.Group, a.Version, a.Resource)}) {
			continue
		}
		merged.Groups = append(merged.Groups, stateGroup{Client: k.client, API: k.api, Count: n, Derived: n, At: mark{Place: Place{Input: name}}})
	}
	slices.SortFunc(merged.Groups[len(s.Groups):], func(a, b stateGroup) int { return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.API, b.API)) })
	t.merge(&merged)
	return left, nil
}
