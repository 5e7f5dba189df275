package contention

import (
	"cmp"
	"maps"
	"slices"
)

// A log without bodies shows who wrote when, and by which method, but not what.
// Writers that fight take turns: each one writes only after the other one
// wrote. But a controller that follows releases also takes turns. So turns are
// a fight only if a method, a rhythm or a known program suggests that one side
// reverts the other side: see fighting. Other turns are undecided.

// party is one of two writers that take turns.
type party struct {
	writer   uint32
	traits   traits
	runs     int     // series of writes without a write of the other writer
	episodes int     // the same series, also split by pauses
	after    []int64 // times from the other party's last write to the next write of this party, sorted
	// compares is set if the log has more dry runs of the writer than writes.
	compares bool
	// wrote is set if the writer has written since the object was created, or
	// if the log does not have its creation.
	wrote bool
}

// Two writes of one writer count as one write if the time between them is less
// than a tenth of the usual time between turns. This limit is at least minPause
// and at most maxPause, in microseconds.
const (
	minPause = 500e3
	maxPause = 10e6
)

// turnsFactor is the factor for MinReversals if only turns are known, and for scaling.
const turnsFactor = 3

// maxParties is the largest number of an object's writers that are compared in
// pairs.
const maxParties = 8

// turns returns the fight in a log without bodies. If there is none, it returns
// turns that may be a fight.
func (c *Collector) turns(o *object, writes []observation, t Thresholds) (*Fight, *Turns) {
	if len(writes) <= 2*t.MinReversals {
		return nil, nil
	}
	fighters := map[uint32]bool{}
	var open *Turns
	writers := c.parties(o, writes)
	for i, a := range writers {
		for _, b := range writers[i+1:] {
			p, q, n := c.pair(o, writes, a, b)
			switch {
			case n < 2*t.MinReversals || !alternating(p, q):
			case c.fighting(o, writes, p, q, n, t):
				fighters[a], fighters[b] = true, true
			case n >= turnsFactor*t.MinReversals && (open == nil || int64(n) > open.Turns):
				open = c.undecidedTurns(o, writes, p, q, n)
			}
		}
	}
	if len(fighters) == 0 {
		if f := c.webhookTurns(o, writes, t); f != nil {
			return f, nil
		}
		return nil, open
	}
	return c.fightOfTurns(o, writes, fighters), nil
}

// canBeTurn reports whether a write can be a turn. Only a write whose fields
// are unknown can be one. Creations and deletions are known even without
// bodies.
func (c *Collector) canBeTurn(o *object, w *observation) bool {
	if w.kind != kindNone || w.flags&flagIdle != 0 || w.how == HowCreate || w.how == HowDelete || w.flags&flagMade != 0 {
		return false
	}
	user := c.writers[w.writer].User
	return w.how == HowScale || !partOfKubernetes(user) || ownsContent(user, o)
}

// parties returns the writers with the most writes whose fields are unknown.
func (c *Collector) parties(o *object, writes []observation) []uint32 {
	n := map[uint32]int{}
	for i := range writes {
		if c.canBeTurn(o, &writes[i]) {
			n[writes[i].writer]++
		}
	}
	out := slices.SortedFunc(maps.Keys(n), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), compareWriters(c.writers[a], c.writers[b]))
	})
	return out[:min(len(out), maxParties)]
}

// pair returns two writers as parties, and the number of their turns. A
// writer's first write to a new object is no turn: the writer has no value there
// that it can restore. Two controllers that each add a finalizer, and remove it
// at the end, thus have no turns.
func (c *Collector) pair(o *object, writes []observation, a, b uint32) (p, q *party, turns int) {
	p, q = &party{writer: a, traits: traitMethods, wrote: true}, &party{writer: b, traits: traitMethods, wrote: true}
	ofPair := c.ofPair(o, a, b)
	pause := usualPause(writes, ofPair)
	var last *observation
	for i := range writes {
		w := &writes[i]
		if w.how == HowCreate || w.how == HowDelete || w.flags&flagMade != 0 {
			last = nil
			p.wrote, q.wrote = w.how != HowDelete && w.writer == a, w.how != HowDelete && w.writer == b
		}
		if !ofPair(w) {
			continue
		}
		own := p
		if w.writer == b {
			own = q
		}
		own.traits = own.traits.add(c.traitsOf(o, w))
		switch {
		case last == nil || last.writer != w.writer:
			own.runs++
			own.episodes++
			if last != nil && own.wrote && !c.retries(o, w, last) {
				turns++
				own.after = append(own.after, w.at-last.at)
			}
		case w.at-last.at > pause:
			own.episodes++
		}
		own.wrote = true
		last = w
	}
	if x, y := c.writers[a].Manager, c.writers[b].Manager; x == y && x != "" {
		p.traits |= traitShares
		q.traits |= traitShares
	}
	for _, x := range [...]*party{p, q} {
		if c.dryRuns(o, x.writer) > x.runs {
			x.compares = true
			x.traits |= traitSyncs | traitPolls
		}
		slices.Sort(x.after)
	}
	return p, q, turns
}

// ofPair returns a function that reports whether a write is a turn of the
// writers a or b.
func (c *Collector) ofPair(o *object, a, b uint32) func(w *observation) bool {
	return func(w *observation) bool { return (w.writer == a || w.writer == b) && c.canBeTurn(o, w) }
}

// usualPause returns the time after which a second write of one writer counts
// as a new write. It is a tenth of the usual time between turns. ofPair selects
// the writes of both writers.
func usualPause(writes []observation, ofPair func(*observation) bool) int64 {
	var turns []int64
	var last *observation
	for i := range writes {
		w := &writes[i]
		if !ofPair(w) {
			continue
		}
		if last != nil && last.writer != w.writer {
			turns = append(turns, w.at-last.at)
		}
		last = w
	}
	if len(turns) == 0 {
		return minPause
	}
	slices.Sort(turns)
	return min(max(turns[len(turns)*3/4]/10, minPause), maxPause)
}

// alternating reports whether two writers respond to each other: each of them
// rarely writes twice in succession, and at most half of its turns are retries
// of refused writes. The result is false if one of them only sends applies
// without force. These are not responses, because the server refuses such an
// apply if another manager owns the field.
func alternating(p, q *party) bool {
	return 2*len(p.after) >= p.runs && 2*len(q.after) >= q.runs && 4*p.runs >= 3*p.episodes && 4*q.runs >= 3*q.episodes &&
		p.traits&traitYields == 0 && q.traits&traitYields == 0
}

// fightOfTurns returns the fight between these writers.
func (c *Collector) fightOfTurns(o *object, writes []observation, fighters map[uint32]bool) *Fight {
	var turns []reversal
	sides := map[uint32]*Side{}
	for w := range fighters {
		sides[w] = &Side{Writer: c.writers[w]}
	}
	scale := true
	var last *observation
	for i := range writes {
		w := &writes[i]
		if !fighters[w.writer] || !c.canBeTurn(o, w) {
			continue
		}
		if last != nil && last.writer != w.writer {
			turns = append(turns, reversal{w.at, w.writer, w.how, Probable, nil})
			sides[w.writer].Reversals++
			scale = scale && (last.how == HowScale || w.how == HowScale)
		}
		last = w
	}
	f := &Fight{Object: o.Object, Versions: o.versions, AtLeast: len(o.forgotten) > 0, Evidence: Probable}
	if scale {
		f.Fields = []Field{{Path: "spec.replicas", Reversals: int64(len(turns))}}
	}
	c.finish(f, o, writes, turns, sides)
	c.show(f, o, writes, nil, turns)
	f.Winner = winner(f, c.writers[last.writer])
	f.Cause = c.causeOfTurns(f, o)
	return f
}

// undecidedTurns returns the undecided turns of two writers.
func (c *Collector) undecidedTurns(o *object, writes []observation, p, q *party, turns int) *Turns {
	out := &Turns{Object: o.Object, Turns: int64(turns), First: writes[0].at, Last: writes[len(writes)-1].at}
	ofPair := c.ofPair(o, p.writer, q.writer)
	for _, x := range [...]*party{p, q} {
		hows := map[How]int{}
		for i := range writes {
			if w := &writes[i]; w.writer == x.writer && ofPair(w) {
				hows[w.how]++
			}
		}
		out.Sides = append(out.Sides, TurnSide{c.writers[x.writer], mostFrequent(hows), int64(x.episodes), median(x.after)})
	}
	for i := len(writes) - 1; i >= 0 && len(out.Examples) < maxTurns; i-- {
		if w := &writes[i]; ofPair(w) {
			side := 0
			if w.writer == q.writer {
				side = 1
			}
			out.Examples = append(out.Examples, Turn{At: w.at, Side: side, How: w.how, Place: c.place(w.input, w.line), AuditID: c.auditIDText(w.audit)})
		}
	}
	slices.Reverse(out.Examples)
	return out
}

// winner returns the index of a writer's side, and counts a win for it; -1 if
// the writer is on no side.
func winner(f *Fight, w Writer) int {
	for i, s := range f.Sides {
		if s.Writer == w {
			f.Sides[i].Wins = 1
			return i
		}
	}
	return -1
}
