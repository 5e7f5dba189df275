package tally

import "slices"

// APIsOf returns the APIs that any of the clients requested, sorted. It
// includes APIs that are not old, but no APIs beyond the tally's limits.
func (r *Report) APIsOf(clients ...*Client) []*API {
	if r.asked == nil {
		r.asked = map[uint32][]uint32{}
		for k := range r.used {
			r.asked[k.client] = append(r.asked[k.client], k.api)
		}
	}
	seen := map[uint32]bool{}
	var all []*API
	for _, c := range clients {
		for _, id := range r.asked[c.id] {
			if a := r.apiList[id]; !seen[id] && a.Resource != "" {
				seen[id] = true
				all = append(all, a)
			}
		}
	}
	slices.SortFunc(all, compareAPIs)
	return all
}
