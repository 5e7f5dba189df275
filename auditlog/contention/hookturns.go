package contention

import (
	"maps"
	"slices"
)

// hookTurns counts the writes of one client, and the changes of a webhook to
// them.
type hookTurns struct {
	writes  int
	changed []reversal // writes that the webhook changed
}

// most reports whether the webhook changed at least four of five writes.
func (h *hookTurns) most() bool { return 5*len(h.changed) >= 4*h.writes }

// webhookTurns finds a webhook that changes nearly all updates or applies of
// one client, in a log without bodies. Usually a webhook changes an object only
// once. It must change the object again only if the client reverts the change.
// A webhook that changes the writes of several clients is left out, because it
// probably writes a new value each time, such as a time.
func (c *Collector) webhookTurns(o *object, writes []observation, t Thresholds) *Fight {
	byHook := map[uint32]map[uint32]*hookTurns{} // by webhook and by client
	for _, list := range o.hooks {
		for _, h := range list {
			byHook[h.writer] = map[uint32]*hookTurns{}
		}
	}
	fresh := true // the next write is the first one of an object
	last := int64(0)
	for i := range writes {
		w := &writes[i]
		switch w.how {
		case HowUpdate, HowApply, HowForcedApply:
			if w.kind == kindNone && !fresh && w.flags&flagMade == 0 && w.at-last <= t.Window {
				c.hookTurn(o, w, byHook)
			}
		}
		fresh, last = w.how == HowDelete, w.at
	}
	enough := turnsFactor * t.MinReversals
	best, turns := uint32(0), []reversal(nil)
	for _, hook := range slices.SortedFunc(maps.Keys(byHook), func(a, b uint32) int { return compareWriters(c.writers[a], c.writers[b]) }) {
		clients := byHook[hook]
		maps.DeleteFunc(clients, func(_ uint32, h *hookTurns) bool { return len(h.changed) < t.MinReversals || !h.most() })
		for _, h := range clients {
			if len(clients) == 1 && len(h.changed) >= max(enough, len(turns)+1) {
				best, turns = hook, h.changed
			}
		}
	}
	if len(turns) < enough {
		return nil
	}
	sides := map[uint32]*Side{best: {Writer: c.writers[best], Reversals: int64(len(turns))}}
	for _, w := range writes {
		if h := byHook[best][w.writer]; h != nil && sides[w.writer] == nil {
			sides[w.writer] = &Side{Writer: c.writers[w.writer]}
		}
	}
	f := &Fight{Object: o.Object, Versions: o.versions, AtLeast: len(o.forgotten) > 0, Evidence: Probable}
	c.finish(f, o, writes, turns, sides)
	c.show(f, o, writes, nil, turns)
	f.Winner = winner(f, c.writers[best])
	f.Cause = c.causeOfTurns(f, o)
	return f
}

// hookTurn counts a write for each webhook in byHook, and whether the webhook
// changed the write.
func (c *Collector) hookTurn(o *object, w *observation, byHook map[uint32]map[uint32]*hookTurns) {
	for hook, clients := range byHook {
		h := clients[w.writer]
		if h == nil {
			h = &hookTurns{}
			clients[w.writer] = h
		}
		h.writes++
		if slices.ContainsFunc(o.hooks[w.hooks], func(s hookState) bool { return s.writer == hook }) {
			h.changed = append(h.changed, reversal{w.at, hook, HowWebhook, Probable, nil})
		}
	}
}
