package contention

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// newFight returns a fight over the fields in paths. turns are the reversals.
func (c *Collector) newFight(o *object, x *analysis, writes []observation, paths []uint64, turns []reversal, self bool) Fight {
	in := map[uint64]bool{}
	for _, p := range paths {
		in[p] = true
	}
	var kept []reversal
	for _, r := range turns {
		r.paths = slices.DeleteFunc(slices.Clone(r.paths), func(p uint64) bool { return !in[p] })
		if len(r.paths) > 0 {
			kept = append(kept, r)
		}
	}
	f := Fight{Object: o.Object, Versions: o.versions, Self: self, AtLeast: len(o.forgotten) > 0}
	sides := map[uint32]*Side{}
	side := func(w uint32) *Side {
		if sides[w] == nil {
			sides[w] = &Side{Writer: c.writers[w]}
		}
		return sides[w]
	}
	for _, r := range kept {
		side(r.writer).Reversals++
	}
	if !self {
		for w, lost := range x.lostFields {
			for p := range lost {
				if in[p] {
					side(w)
				}
			}
		}
	}
	for _, p := range paths {
		n := x.paths[p].reversals
		if self {
			n = x.paths[p].flaps
		}
		f.Fields = append(f.Fields, Field{Path: c.pathText(p), Reversals: n})
		if s := x.fields[p]; s != nil && s.setter >= 0 && sides[uint32(s.setter)] != nil {
			side(uint32(s.setter)).Wins++
		}
	}
	slices.SortFunc(f.Fields, func(a, b Field) int {
		return cmp.Or(cmp.Compare(b.Reversals, a.Reversals), strings.Compare(a.Path, b.Path))
	})
	if n := len(f.Fields) - maxFields; n > 0 {
		f.Fields, f.FieldsLeft = f.Fields[:maxFields], n
	}
	f.Evidence = weigh(kept, min(len(kept), x.t.MinReversals))
	c.finish(&f, o, writes, kept, sides)
	c.show(&f, o, writes, paths, kept)
	f.Cause = c.cause(&f, o, x, writes, paths, kept)
	return f
}

// weigh returns the strongest evidence for which there are enough reversals.
func weigh(turns []reversal, enough int) Evidence {
	var n [Exact + 1]int
	for _, r := range turns {
		n[r.evidence]++
	}
	switch {
	case n[Exact] >= enough:
		return Exact
	case n[Exact]+n[Partial] >= enough:
		return Partial
	}
	return Probable
}

// finish sets the fields that all kinds of fights have.
func (c *Collector) finish(f *Fight, o *object, writes []observation, turns []reversal, sides map[uint32]*Side) {
	hows := countWrites(o, writes, turns, sides)
	ids := slices.SortedFunc(maps.Keys(sides), func(a, b uint32) int {
		p, q := sides[a], sides[b]
		return cmp.Or(cmp.Compare(q.Reversals, p.Reversals), compareWriters(p.Writer, q.Writer))
	})
	at := map[uint32]int{}
	for i, id := range ids {
		s := sides[id]
		s.How = mostFrequent(hows[id])
		f.Sides = append(f.Sides, *s)
		at[id] = i
	}
	f.Reversals = int64(len(turns))
	f.First, f.Last = turns[0].at, turns[0].at
	for _, r := range turns {
		f.First, f.Last = min(f.First, r.at), max(f.Last, r.at)
	}
	span := f.Last - f.First
	if n := int64(len(turns)) - 1; n > 0 && span > 0 {
		f.RatePerHour = float64(n) / (float64(span) / 3600e6)
		// Some writers fight in bursts. So the fight goes on during a break
		// that is at most twice as long as the longest break before.
		longest := int64(0)
		for i := range n {
			longest = max(longest, turns[i+1].at-turns[i].at)
		}
		f.Ongoing = c.end-f.Last <= max(quietGaps*span/n, 2*longest, 1e6)
	}
	f.Winner = -1
	best := int64(0)
	for i, s := range f.Sides {
		if s.Wins > best {
			f.Winner, best = i, s.Wins
		}
	}
	f.setTimeline(turns, at)
	first := o.writes[0]
	f.At = c.place(first.input, first.line)
}

// countWrites counts the writes of each side. It returns how often each writer
// used each method: for its reversals, or for all of its writes if it reverted
// nothing.
func countWrites(o *object, writes []observation, turns []reversal, sides map[uint32]*Side) map[uint32]map[How]int {
	hows := map[uint32]map[How]int{}
	for _, r := range turns {
		if hows[r.writer] == nil {
			hows[r.writer] = map[How]int{}
		}
		hows[r.writer][r.how]++
	}
	for _, w := range writes {
		if s := sides[w.writer]; s != nil {
			s.Writes++
			if len(hows[w.writer]) == 0 {
				hows[w.writer] = map[How]int{}
			}
			if s.Reversals == 0 {
				hows[w.writer][w.how]++
			}
		}
		for _, h := range o.hooks[w.hooks] {
			if s := sides[h.writer]; s != nil {
				s.Writes++
			}
		}
	}
	for w, n := range o.forgotten {
		if s := sides[w]; s != nil {
			s.Writes += n
		}
	}
	return hows
}

// setTimeline sets the timeline. at is the index of each writer's side.
func (f *Fight) setTimeline(turns []reversal, at map[uint32]int) {
	span := f.Last - f.First
	steps := int64(min(maxBuckets, max(len(turns), 1)))
	f.Step = max(span/steps+1, 1)
	f.Timeline = make([]Bucket, span/f.Step+1)
	for i := range f.Timeline {
		f.Timeline[i] = Bucket{f.First + int64(i)*f.Step, make([]int64, len(f.Sides))}
	}
	for _, r := range turns {
		if i, ok := at[r.writer]; ok {
			f.Timeline[(r.at-f.First)/f.Step].Reversals[i]++
		}
	}
}

// mostFrequent returns the methods, the most frequent first.
func mostFrequent(n map[How]int) []How {
	return slices.SortedFunc(maps.Keys(n), func(a, b How) int {
		return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b))
	})
}

// quietGaps is the length of the break that ends a fight, as a multiple of the
// average time between reversals.
const quietGaps = 10

// compareWriters compares two writers field by field, for sorting.
func compareWriters(a, b Writer) int {
	return cmp.Or(strings.Compare(a.User, b.User), strings.Compare(a.Agent, b.Agent), strings.Compare(a.Manager, b.Manager), compareBool(a.Webhook, b.Webhook))
}

// pathText returns the text of a path.
func (c *Collector) pathText(path uint64) string {
	if path == wholePath {
		return WholeObject
	}
	if p, ok := c.paths[path]; ok && p.text != "" {
		return p.text
	}
	return fmt.Sprintf("(field %x)", path)
}
