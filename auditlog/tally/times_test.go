package tally

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// naive computes Times from the definition: the shortest step with at most
// maxTimes steps.
func naive(at []int64) (t Times) {
	for _, step := range stepLengths {
		by := map[int64]uint32{}
		from, to := floor(at[0], step), floor(at[0], step)
		for _, x := range at {
			f := floor(x, step)
			by[f]++
			from, to = min(from, f), max(to, f)
		}
		if (to-from)/step >= maxTimes {
			continue
		}
		t = Times{Step: step, Start: from}
		for f := from; f <= to; f += step {
			t.Counts = append(t.Counts, by[f])
		}
		return t
	}
	return t
}

// TestTimes checks that Times equals naive, whether times are added one by one
// or merged from parts in any order.
func TestTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	steps := map[int64]bool{}
	for range 3000 {
		at := make([]int64, 1+r.IntN(40))
		begin := time.Date(1970+r.IntN(200), 1, 1+r.IntN(300), 0, 0, 0, 0, time.UTC).UnixMicro()
		span := int64(1) << (10 + r.IntN(46))
		for i := range at {
			at[i] = max(1, begin+r.Int64N(span))
		}
		want := naive(at)
		steps[want.Step] = true
		parts := make([]Times, 1+r.IntN(4))
		for _, x := range at {
			parts[r.IntN(len(parts))].Add(x, 1)
		}
		for i := range parts {
			if !parts[i].valid() {
				t.Fatalf("%+v is not valid", parts[i])
			}
		}
		for len(parts) > 1 {
			i := r.IntN(len(parts) - 1)
			parts[i].Merge(&parts[i+1])
			parts = append(parts[:i+1], parts[i+2:]...)
		}
		if !reflect.DeepEqual(parts[0], want) {
			t.Fatalf("%v\ncame to %+v\nwant %+v", at, parts[0], want)
		}
	}
	if len(steps) < 12 {
		t.Errorf("steps of %d lengths were tried", len(steps))
	}
	var far Times
	far.Add(1, 1)
	far.Add(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro(), 1<<32-1)
	far.Add(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMicro(), 7)
	if !far.valid() || far.Counts[0] != 1 || far.Counts[len(far.Counts)-1] != 1<<32-1 {
		t.Errorf("%+v", far)
	}
	for i := range len(stepLengths) - 1 {
		if stepLengths[i+1]%stepLengths[i] != 0 {
			t.Errorf("%d is no multiple of %d", stepLengths[i+1], stepLengths[i])
		}
	}
}

// TestTimesValid checks that invalid times are rejected.
func TestTimesValid(t *testing.T) {
	for _, bad := range []Times{
		{Step: 7, Counts: []uint32{1}}, {Step: second}, {Step: second, Counts: []uint32{0, 1}}, {Step: second, Counts: []uint32{1, 0}},
		{Step: minute, Start: second, Counts: []uint32{1}}, {Step: second, Counts: make([]uint32, maxTimes+1)}, {Counts: []uint32{1}},
		{Step: second, Start: -1 << 62, Counts: []uint32{1}},
	} {
		if bad.valid() {
			t.Errorf("%+v is taken for valid", bad)
		}
	}
}

// TestTimesHostile decodes values of Times that kubevet would not write. All
// accepted values must be mergeable with others.
func TestTimesHostile(t *testing.T) {
	longest := stepLengths[len(stepLengths)-1]
	ones := func(n int) []uint32 { return slices.Repeat([]uint32{1}, n) }
	for _, c := range []struct {
		times Times
		want  bool
	}{
		{Times{}, true},
		{Times{second, 0, ones(maxTimes)}, true},
		{Times{longest, 0, ones(2)}, true},
		{Times{longest, -longest, ones(2)}, true},
		{Times{longest, 0, ones(maxTimes)}, false},
		{Times{second, 0, ones(maxTimes + 1)}, false},
		{Times{second, 1, ones(1)}, false},
		{Times{2 * second, 0, ones(1)}, false},
		{Times{second, 0, []uint32{1, 0}}, false},
		{Times{second, 0, nil}, false},
		{Times{second, floor(math.MaxInt64, second), ones(1)}, false},
	} {
		if got := c.times.valid(); got != c.want {
			t.Errorf("%d steps of %d from %d on: valid is %t", len(c.times.Counts), c.times.Step, c.times.Start, got)
			continue
		}
		if !c.want {
			continue
		}
		var early, late Times
		early.Add(-1<<60, 1)
		late.Add(1<<60, 1)
		for _, other := range []Times{{}, early, late, c.times.clone()} {
			a, b := c.times.clone(), other.clone()
			a.Merge(&other)
			b.Merge(&c.times)
			if a.Step != b.Step || a.Start != b.Start || !slices.Equal(a.Counts, b.Counts) {
				t.Errorf("%v and %v merge to %v and to %v", c.times, other, a, b)
			}
		}
	}
}
