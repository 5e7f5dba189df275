package contention

// webhookTurns finds, in a log without bodies, a webhook that changes every update
// of a client that sends the object from a template. A webhook changes an object
// once, unless the client removes the change.
func (c *Collector) webhookTurns(o *object, writes []observation, t Thresholds) *Fight {
	hooked := map[uint32][]reversal{}
	var last *observation
	for i := range writes {
		w := &writes[i]
		switch {
		case w.how == HowCreate || w.how == HowDelete:
			last = nil
			continue
		case w.kind == kindNone && w.how == HowUpdate && w.flags&flagTemplate != 0 && last != nil && w.at-last.at <= t.Answer:
			for _, h := range o.hooks[w.hooks] {
				hooked[h.writer] = append(hooked[h.writer], reversal{w.at, h.writer, HowWebhook, Probable, nil})
			}
		}
		last = w
	}
	enough := turnsFactor * t.MinReversals
	best := uint32(0)
	for w, turns := range hooked {
		if n := len(hooked[best]); len(turns) >= enough && (len(turns) > n || len(turns) == n && compareWriters(c.writers[w], c.writers[best]) < 0) {
			best = w
		}
	}
	turns := hooked[best]
	if len(turns) < enough {
		return nil
	}
	sides := map[uint32]*Side{best: {Writer: c.writers[best], Reversals: int64(len(turns))}}
	for _, w := range writes {
		if w.how == HowUpdate && w.hooks != 0 && sides[w.writer] == nil {
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
