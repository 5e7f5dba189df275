package contention

import "slices"

// turnsFactor is how many times as many alternations as reversals there must
// be, where only those are known.
const turnsFactor = 3

// turns finds a fight in who writes when, where the log does not have what they
// write: writers that take turns, each soon after the other. It reports
// undecided where they do, but in a way that clients have as well that share an
// object in peace: each reads the object, changes it, and has the server refuse
// the update if it was changed since.
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
		// One follows what the other does, as controllers are made to.
		return c.webhookTurns(o, writes, hooked, enough), true
	}
	turns = bystanders(turns, sides)
	f = &Fight{Object: o.Object, Versions: o.versions, AtLeast: len(o.forgotten) > 0, Evidence: Probable}
	if scale {
		f.Fields = []Field{{"spec.replicas", int64(len(turns))}}
	}
	c.finish(f, o, writes, turns, sides)
	f.Winner = winner(f, c.writers[turns[len(turns)-1].writer])
	f.Cause = c.causeOfTurns(f, o)
	return f, false
}

// mutual reports whether two writers at least answer the others' answers.
func mutual(chained map[uint32]int, enough int) bool {
	n := 0
	for _, answers := range chained {
		if answers >= enough {
			n++
		}
	}
	return n > 1
}

// bystanders leaves out the sides that come in between now and then only.
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

// peaceful reports whether an update builds on what was read just before.
func peaceful(w *observation) bool {
	return w.how == HowUpdate && w.flags&flagGuarded != 0 && w.flags&flagTemplate == 0
}

func winner(f *Fight, w Writer) int {
	for i, s := range f.Sides {
		if s.Writer == w {
			f.Sides[i].Wins = 1
			return i
		}
	}
	return -1
}

// webhookTurns finds a webhook that changes every one of a client's updates,
// each of which states the object anew. A webhook has nothing left to change
// in an object that has passed it, unless the client takes it away.
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
	f.Winner = winner(f, c.writers[best])
	f.Cause = c.causeOfTurns(f, o)
	return f
}
