package tally

import (
	"cmp"
	"slices"
)

// use has the numbers of requests of a client for an API.
type use struct{ api, reads, lists, writes uint32 }

// maxUses is the largest number of uses of all clients.
const maxUses = 1 << 20

func (t *Tally) use(c *Client, a *API, r *record) {
	u := t.useOf(c, a)
	switch {
	case u == nil:
	case r.verb.writes():
		u.writes++
	case r.verb == VerbList || r.verb == VerbWatch:
		u.lists++
	default:
		u.reads++
	}
}

// useOf returns the counts of a client for an API. They are valid until the
// next call. It returns nil for uses beyond maxUses.
func (t *Tally) useOf(c *Client, a *API) *use {
	// A client often uses the same API again.
	if c.lastUse < len(c.uses) && c.uses[c.lastUse].api == a.id {
		return &c.uses[c.lastUse]
	}
	i, found := slices.BinarySearchFunc(c.uses, a.id, func(u use, api uint32) int { return cmp.Compare(u.api, api) })
	if !found {
		if t.uses == maxUses {
			return nil
		}
		t.uses++
		c.uses = slices.Insert(c.uses, i, use{api: a.id})
	}
	c.lastUse = i
	return &c.uses[i]
}

// APIsOf returns the APIs that any of the clients requested, sorted. It
// includes APIs that are not old, but no APIs beyond the tally's limits.
func (r *Report) APIsOf(clients ...*Client) []*API {
	seen := map[uint32]bool{}
	var all []*API
	for _, c := range clients {
		for _, u := range c.uses {
			if a := r.apiList[u.api]; !seen[u.api] && a.Resource != "" {
				seen[u.api] = true
				all = append(all, a)
			}
		}
	}
	slices.SortFunc(all, compareAPIs)
	return all
}
