package contention

import "slices"

// turnsFactor multiplies MinReversals if only alternations of writers are known.
const turnsFactor = 3

// turns finds a fight in a log without bodies: writers that take turns, each soon
// after the other. It returns undecided if the writers take turns as cooperating
// clients also do. These read the object and change it, and let the server refuse
// the update if the object has changed.
func (c *Collector) turns(o *object, writes []observation, t Thresholds) (f *Fight, undecided bool) {
	var turns []reversal
	var careful int
	hooked := map[uint32][]reversal{}
	sides := map[uint32]*Side{}
	var last *observation
	scale := true
	chained := map[uint32]int{} // answers to answers
	answer := false             // last is one
	for i := range writes {
		w := &writes[i]
		switch {
		case w.how == HowCreate || w.how == HowDelete:
			last, answer = nil, false
			continue
		case last != nil && last.writer != w.writer && (last.kind == kindNone || w.kind == kindNone) && w.at-last.at <= t.Answer:
			if peaceful(last) && peaceful(w) && len(o.versions) == 1 {
				careful++
				answer = false
				break
			}
			if answer {
				chained[w.writer]++
			}
			answer = true
			turns = append(turns, reversal{w.at, w.writer, w.how, Probable, nil})
			if last.how != HowScale && w.how != HowScale {
				scale = false
			}
			for _, id := range [...]uint32{last.writer, w.writer} {
				if sides[id] == nil {
					sides[id] = &Side{Writer: c.writers[id]}
				}
			}
			sides[w.writer].Reversals++
		default:
			answer = false
		}
		if w.kind == kindNone && w.how == HowUpdate && w.flags&flagTemplate != 0 && last != nil && w.at-last.at <= t.Answer {
			for _, h := range o.hooks[w.hooks] {
				hooked[h.writer] = append(hooked[h.writer], reversal{w.at, h.writer, HowWebhook, Probable, nil})
			}
		}
		last = w
	}
	enough := turnsFactor * t.MinReversals
	switch {
	case len(turns) < enough:
		return c.webhookTurns(o, writes, hooked, enough), careful >= enough
	case !mutual(chained, t.MinReversals):
		// One writer follows the other, as controllers do.
		return c.webhookTurns(o, writes, hooked, enough), true
	}
	turns = bystanders(turns, sides)
	f = &Fight{Object: o.Object, Versions: o.versions, AtLeast: len(o.forgotten) > 0, Evidence: Probable}
	if scale {
		f.Fields = []Field{{Path: "spec.replicas", Reversals: int64(len(turns))}}
	}
	c.finish(f, o, writes, turns, sides)
	c.show(f, o, writes, nil, turns)
	f.Winner = winner(f, c.writers[turns[len(turns)-1].writer])
	f.Cause = c.causeOfTurns(f, o)
	return f, false
}

// mutual reports whether at least two writers answer each other's answers.
func mutual(chained map[uint32]int, enough int) bool {
	n := 0
	for _, answers := range chained {
		if answers >= enough {
			n++
		}
	}
	return n > 1
}

// bystanders removes the sides that take part rarely.
func bystanders(turns []reversal, sides map[uint32]*Side) []reversal {
	most := int64(0)
	for _, s := range sides {
		most = max(most, s.Reversals)
	}
	for w, s := range sides {
		if 3*s.Reversals < most {
			delete(sides, w)
		}
	}
	return slices.DeleteFunc(turns, func(r reversal) bool { return sides[r.writer] == nil })
}

// peaceful reports whether an update states the version that it builds on.
func peaceful(w *observation) bool {
	return w.how == HowUpdate && w.flags&flagGuarded != 0 && w.flags&flagTemplate == 0
}

// winner returns the side of a writer and counts its win. It returns -1 if the
// writer is on no side.
func winner(f *Fight, w Writer) int {
	for i, s := range f.Sides {
		if s.Writer == w {
			f.Sides[i].Wins = 1
			return i
		}
	}
	return -1
}

// webhookTurns finds a webhook that changes every update of a client that sends
// the object from a template. A webhook changes an object once, unless the client
// removes the change.
func (c *Collector) webhookTurns(o *object, writes []observation, hooked map[uint32][]reversal, enough int) *Fight {
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
