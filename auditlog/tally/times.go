package tally

import (
	"math"
	"slices"
)

// Times counts requests by time, in steps of equal length. It uses the shortest
// length with at most maxTimes steps. The result depends only on the times of
// the requests, and not on their order or on how Times were merged. The zero
// value has no requests.
type Times struct {
	// Step is the length of a step, and Start is the beginning of the first
	// step, both in microseconds. Start counts from 1970 and is a multiple of
	// Step.
	Step  int64 `json:"step"`
	Start int64 `json:"start"`
	// Counts has the number of requests in each step. The first and the last
	// number are not 0. A number that would overflow stays at the largest
	// value.
	Counts []uint32 `json:"counts"`
}

// maxTimes is the largest number of steps.
const maxTimes = 96

const (
	second = int64(1e6)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// stepLengths are the possible lengths of a step. Each length is a multiple of
// the length before, so that a longer step is the sum of shorter steps. The
// last length is long enough for all times.
var stepLengths = [...]int64{
	second, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute, 30 * minute,
	hour, 2 * hour, 6 * hour, 12 * hour, day, 7 * day, 28 * day, 364 * day,
	3640 * day, 36_400 * day, 1_820_000 * day,
}

// Add counts n requests at a time. at is in microseconds since 1970; 0 means
// unknown, and the requests are not counted.
func (t *Times) Add(at int64, n uint32) {
	if at == 0 || n == 0 {
		return
	}
	if t.Step == 0 {
		t.Step = stepLengths[0]
		t.Start = floor(at, t.Step)
	}
	from, to := t.spanned(at)
	t.stretch(from, to)
	i := (floor(at, t.Step) - t.Start) / t.Step
	t.Counts[i] = plus(t.Counts[i], n)
}

// Merge adds the counts of o.
func (t *Times) Merge(o *Times) {
	if len(o.Counts) == 0 {
		return
	}
	if t.Step == 0 {
		t.Step, t.Start = o.Step, o.Start
	}
	for t.Step < o.Step {
		t.coarsen()
	}
	from, _ := t.spanned(o.Start)
	_, to := t.spanned(o.Start + int64(len(o.Counts)-1)*o.Step)
	t.stretch(from, to)
	for i, n := range o.Counts {
		at := (floor(o.Start+int64(i)*o.Step, t.Step) - t.Start) / t.Step
		t.Counts[at] = plus(t.Counts[at], n)
	}
}

// spanned returns the beginnings of the first and the last step if a step for
// the time at is added.
func (t *Times) spanned(at int64) (from, to int64) {
	first := floor(at, t.Step)
	from, to = min(t.Start, first), first
	if n := len(t.Counts); n > 0 {
		to = max(to, t.Start+int64(n-1)*t.Step)
	}
	return from, to
}

// stretch adds steps so that they cover the times from and to. If there would
// be too many steps, it makes them longer.
func (t *Times) stretch(from, to int64) {
	for (to-from)/t.Step >= maxTimes {
		t.coarsen()
		from, to = floor(from, t.Step), floor(to, t.Step)
	}
	n := int((to-from)/t.Step) + 1
	if n == len(t.Counts) {
		return
	}
	counts := make([]uint32, n)
	copy(counts[(t.Start-from)/t.Step:], t.Counts)
	t.Start, t.Counts = from, counts
}

// coarsen changes to the next length of steps.
func (t *Times) coarsen() {
	for i, l := range stepLengths[:len(stepLengths)-1] {
		if l != t.Step {
			continue
		}
		step := stepLengths[i+1]
		start := floor(t.Start, step)
		counts := t.Counts[:0]
		for j, n := range t.Counts {
			at := int((floor(t.Start+int64(j)*l, step) - start) / step)
			if at == len(counts) {
				counts = append(counts, n)
			} else {
				counts[at] = plus(counts[at], n)
			}
		}
		t.Step, t.Start, t.Counts = step, start, counts
		return
	}
}

// clone returns a copy.
func (t *Times) clone() Times { return Times{t.Step, t.Start, slices.Clone(t.Counts)} }

// valid reports whether a decoded Times has a form that Times itself can have.
func (t *Times) valid() bool {
	if t.Step == 0 {
		return t.Start == 0 && len(t.Counts) == 0
	}
	known := false
	for _, l := range stepLengths {
		known = known || l == t.Step
	}
	n := len(t.Counts)
	const most = math.MaxInt64 / 4 // so that differences cannot overflow
	return known && n > 0 && n <= maxTimes && t.Counts[0] > 0 && t.Counts[n-1] > 0 &&
		t.Start > -most && t.Start < most && int64(n-1) < (most-t.Start)/t.Step+1 && floor(t.Start, t.Step) == t.Start
}

func floor(at, step int64) int64 {
	f := at / step * step
	if f > at {
		f -= step
	}
	return f
}

func plus(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), math.MaxUint32)) }
