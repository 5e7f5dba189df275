package contention

import (
	"cmp"
	"maps"
	"slices"
)

// A log without bodies has no values, so no single write is known to revert
// another. What it has is who wrote when and by which method. In a fight, writers
// answer each other. If one side answers soon and the other one later, as a GitOps
// tool does that looks every ten minutes, it looks the same as a controller that
// follows releases. So turns are a fight only if both sides answer soon, and if the
// method of one suggests that it overrides what others wrote, see grip. Otherwise
// they are undecided.

// grip is how a writer treats what others wrote, as far as its method shows.
type grip uint8

const (
	// gripUnknown: patches, applies, and updates of what was read.
	gripUnknown grip = iota
	// gripOnce: the client is a tool that people and pipelines run, and writes only
	// what differs from what it wants.
	gripOnce
	// gripCompares: the client does the same all the time.
	gripCompares
	// gripStates: the method sets fields whoever owns them: a forced apply, or
	// subresource scale.
	gripStates
	// gripReplaces: an update from a template, which removes everything else.
	gripReplaces
)

// party is one writer's part in the turns of two.
type party struct {
	writer   uint32
	grip     grip
	yields   bool    // every write is an apply without force, which the server refuses if it would override
	runs     int     // series of writes without one of the other
	episodes int     // the same, but a pause ends a series
	after    []int64 // sorted times from the other's last write to its answer
}

// pause is the time, in microseconds, that separates the episodes of a writer.
const pause = 500e3

// turnsFactor multiplies MinReversals if only turns are known.
const turnsFactor = 3

// maxParties bounds the writers of an object that are compared pairwise.
const maxParties = 8

// turns finds a fight in a log without bodies. If it finds none, it returns the
// turns of writers that may be one.
func (c *Collector) turns(o *object, writes []observation, t Thresholds) (*Fight, *Turns) {
	if len(writes) <= 2*t.MinReversals {
		return nil, nil
	}
	fighters := map[uint32]bool{}
	var open *Turns
	writers := c.parties(writes)
	for i, a := range writers {
		for _, b := range writers[i+1:] {
			p, q, n := c.pair(o, writes, a, b)
			switch {
			case n < 2*t.MinReversals || !answering(p, q, t):
			case n >= needed(p, q, t) && mutual(p, q, t):
				fighters[a], fighters[b] = true, true
			case n >= turnsFactor*t.MinReversals && (open == nil || int64(n) > open.Turns):
				open = c.open(o, writes, p, q, n)
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

// silent reports whether the fields that a write changed are unknown and it may be
// a turn. Creations and deletions are known without bodies.
func (c *Collector) silent(w *observation) bool {
	if w.kind != kindNone || w.how == HowCreate || w.how == HowDelete || w.flags&flagMade != 0 {
		return false
	}
	return w.how == HowScale || !partOfKubernetes(c.writers[w.writer].User)
}

// parties returns the writers with most writes of unknown fields.
func (c *Collector) parties(writes []observation) []uint32 {
	n := map[uint32]int{}
	for i := range writes {
		if c.silent(&writes[i]) {
			n[writes[i].writer]++
		}
	}
	out := slices.SortedFunc(maps.Keys(n), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), compareWriters(c.writers[a], c.writers[b]))
	})
	return out[:min(len(out), maxParties)]
}

// pair returns the parts of two writers in their turns, and the number of turns.
func (c *Collector) pair(o *object, writes []observation, a, b uint32) (p, q *party, turns int) {
	p, q = &party{writer: a, yields: true}, &party{writer: b, yields: true}
	var last *observation
	for i := range writes {
		w := &writes[i]
		if w.how == HowCreate || w.how == HowDelete {
			last = nil
		}
		if w.writer != a && w.writer != b || !c.silent(w) {
			continue
		}
		at := p
		if w.writer == b {
			at = q
		}
		at.grip = max(at.grip, c.gripOf(o, w))
		at.yields = at.yields && w.how == HowApply
		switch {
		case last == nil || last.writer != w.writer:
			at.runs++
			at.episodes++
			if last != nil {
				turns++
				at.after = append(at.after, w.at-last.at)
			}
		case w.at-last.at > pause:
			at.episodes++
		}
		last = w
	}
	slices.Sort(p.after)
	slices.Sort(q.after)
	return p, q, turns
}

// gripOf returns what the method of a write suggests.
func (c *Collector) gripOf(o *object, w *observation) grip {
	switch {
	case w.how == HowForcedApply, w.how == HowScale:
		return gripStates
	case w.how == HowUpdate && w.flags&flagTemplate != 0:
		return gripReplaces
	case w.how == HowUpdate && len(o.versions) > 1:
		return gripStates // one version of the API may lack fields of another
	}
	return comparing(&c.writers[w.writer], o.Group)
}

// answering reports whether each write of two writers gets an answer of the other,
// and at least one side answers soon. An apply without force answers nothing: the
// server refuses it if it would override another manager.
func answering(p, q *party, t Thresholds) bool {
	return len(p.after) > 0 && len(q.after) > 0 && 4*p.runs >= 3*p.episodes && 4*q.runs >= 3*q.episodes &&
		!p.yields && !q.yields && (soon(p.after, t) || soon(q.after, t))
}

// mutual reports whether both sides answer soon. If only one does, it may follow
// what the other does of its own accord, such as a release. But an update from a
// template removes what the other wrote, whenever it comes.
func mutual(p, q *party, t Thresholds) bool {
	return soon(p.after, t) && soon(q.after, t) || p.grip == gripReplaces || q.grip == gripReplaces
}

// soon reports whether most answers come in time.
func soon(after []int64, t Thresholds) bool { return after[len(after)-1-len(after)/5] <= t.Answer }

// needed returns the number of turns that make a fight of a reaction.
func needed(p, q *party, t Thresholds) int {
	switch {
	case p.grip >= gripStates && q.grip >= gripStates:
		return 2 * t.MinReversals
	case max(p.grip, q.grip) >= gripCompares, min(p.grip, q.grip) >= gripOnce:
		return turnsFactor * t.MinReversals
	}
	return maxWrites + 1
}

// fightOfTurns returns the fight of some writers.
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
		if !fighters[w.writer] || !c.silent(w) {
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

// open returns the turns of two writers.
func (c *Collector) open(o *object, writes []observation, p, q *party, turns int) *Turns {
	out := &Turns{Object: o.Object, Turns: int64(turns), First: writes[0].at, Last: writes[len(writes)-1].at}
	for _, x := range [...]*party{p, q} {
		out.Sides = append(out.Sides, TurnSide{c.writers[x.writer], int64(x.episodes), middle(x.after)})
	}
	return out
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
