package contention

import (
	"maps"
	"slices"
	"sort"

	"github.com/kubevet/kubevet/auditlog"
)

// A log without bodies does not show whether a write changed the object.
// Resource versions can show that it did not:
//
//   - An update has the version that its client had read. If two updates have
//     the same version, no write between them changed the object.
//   - Versions grow with each write to the cluster, so the highest version in
//     all requests up to a time is a clock. An update can succeed although its
//     version is older than the last write to the object. That write then
//     changed nothing.

// clock has the highest version in the requests of each interval.
type clock struct {
	step int64            // length of an interval in microseconds
	max  map[int64]uint64 // highest version by interval
}

// clockStep is the shortest length of a clock's intervals, in microseconds. It
// is longer than the differences between the clocks of servers.
const clockStep int64 = 2 * maxSkew

// maxIntervals is the largest number of intervals of a clock. If there are
// more, the intervals become longer.
const maxIntervals = 1 << 13

// tick is a version in a request, with the interval of clockStep in which it
// was sent.
type tick struct {
	at      int64 // number of the interval
	version uint64
}

// tick records the version in a request. It ignores requests for events, which
// may be stored in another place with other versions.
func (w *worker) tick(e *auditlog.Event, at int64, version uint64) {
	if at <= 0 || e.Ref.Resource.Is("events") {
		return
	}
	at = floorDiv(at, clockStep)
	n := len(w.part.ticks)
	if n > 0 && w.part.ticks[n-1].at == at {
		w.part.ticks[n-1].version = max(w.part.ticks[n-1].version, version)
		return
	}
	w.part.ticks = append(w.part.ticks, tick{at, version})
}

// add records a version for interval number at of a clock whose intervals have
// the length step. If the intervals of c are shorter, it makes them longer.
func (c *clock) add(at int64, step int64, version uint64) {
	if c.max == nil {
		c.max, c.step = map[int64]uint64{}, max(step, clockStep)
	}
	for c.step < step {
		c.slow()
	}
	at = floorDiv(at*step, c.step)
	c.max[at] = max(c.max[at], version)
	for len(c.max) > maxIntervals {
		c.slow()
	}
}

// slow doubles the length of the intervals.
func (c *clock) slow() {
	c.step *= 2
	old := c.max
	c.max = make(map[int64]uint64, len(old)/2)
	for at, version := range old {
		at = floorDiv(at, 2)
		c.max[at] = max(c.max[at], version)
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// merge adds the versions of another clock.
func (c *clock) merge(o *clock) {
	for at, version := range o.max {
		c.add(at, o.step, version)
	}
}

// versions has the highest version up to the end of each interval, sorted by
// time.
type versions struct {
	step int64
	list []tick
}

// versions returns the versions of the clock for searching.
func (c *clock) versions() versions {
	v := versions{step: c.step}
	greatest := uint64(0)
	for _, at := range slices.Sorted(maps.Keys(c.max)) {
		greatest = max(greatest, c.max[at])
		v.list = append(v.list, tick{at, greatest})
	}
	return v
}

// before returns the highest known version that existed before a time.
func (v *versions) before(at int64) uint64 {
	if len(v.list) == 0 {
		return 0
	}
	interval := floorDiv(at-maxSkew, v.step)
	n := sort.Search(len(v.list), func(i int) bool { return v.list[i].at >= interval })
	if n == 0 {
		return 0
	}
	return v.list[n-1].version
}

// idle marks the writes that changed nothing, as far as the versions in updates
// show it.
func (v *versions) idle(writes []observation) {
	from := -1 // index of the last update with a version
	for i := range writes {
		w := &writes[i]
		switch {
		case w.how == HowCreate || w.how == HowDelete || w.flags&flagMade != 0:
			from = -1
			continue
		case w.flags&flagStated == 0:
			continue
		case from >= 0 && writes[from].version == w.version:
			for j := from; j < i; j++ {
				writes[j].flags |= flagIdle
			}
		case from >= 0 && v.before(writes[from].at) < w.version:
			for j := from + 1; j < i; j++ {
				if v.before(writes[j].at) > w.version {
					writes[j].flags |= flagIdle
				}
			}
		}
		from = i
	}
}
