package contention

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestOffsets holds the table of places to what a map does.
func TestOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var table offsets
	var a arena
	want := map[uint64]uint32{}
	for i := range 200_000 {
		// Few enough keys that they come again, and many in one place of the table.
		key := uint64(r.IntN(5000))
		switch at, ok := table.get(key, &a); {
		case ok != (want[key] != 0) || ok && at+1 != want[key]:
			t.Fatalf("step %d: %d is at %d, %v, want %d", i, key, at, ok, want[key])
		case r.IntN(3) > 0:
			at := a.add(binary.LittleEndian.AppendUint64(nil, key))
			table.put(key, at, &a)
			want[key] = at + 1
		case ok:
			table.remove(key, &a)
			delete(want, key)
		}
	}
	if table.n != len(want) || len(want) < 100 {
		t.Errorf("%d objects, want %d", table.n, len(want))
	}
	for key, at := range want {
		if got, ok := table.get(key, &a); !ok || got+1 != at {
			t.Errorf("%d is at %d, %v, want %d", key, got, ok, at-1)
		}
	}
}

// wrote makes a write of an object's, with a state where value is not 0.
func wrote(c *Collector, object, writer int, at int64, value uint64) (key uint64, w *loneWrite, set *leafSet) {
	name := fmt.Sprint("object-", object)
	w = &loneWrite{where: c.where(where{"apps", "deployments", "shop", "v1"}), name: name}
	w.at, w.id, w.how, w.kind = at, uint32(at), HowUpdate, kindCreated
	w.writer, w.input, w.line = c.writer(Writer{User: fmt.Sprint("user-", writer)}), c.input("a.log"), uint32(at)
	if value != 0 {
		l := []leaf{{1, 1}, {2, value}, {uint64(object) + 10, 7}}
		set = &leafSet{stateHash(l), l}
		w.state, w.kind = set.hash, kindFull
	}
	o := Object{"apps", "deployments", "shop", name}
	return o.key(), w, set
}

// TestLone holds that what is kept of an object does not depend on whether it
// is kept as lone ones are, nor on the order in which its writes come.
func TestLone(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		lone, plain := New(Config{}), New(Config{})
		type step struct {
			object int
			at     int64
		}
		var steps []step
		for range 1 + r.IntN(120) {
			steps = append(steps, step{r.IntN(4), int64(1 + r.IntN(100))})
		}
		rare := int64(2 + r.IntN(100)) // how often the second writer writes
		// Of one object, the same time is the same event.
		write := func(c *Collector, s step) (uint64, *loneWrite, *leafSet) {
			writer := 0
			if s.at%rare == 1 {
				writer = 1
			}
			return wrote(c, s.object, writer, s.at, uint64(s.at%5))
		}
		for _, s := range steps {
			key, w, set := write(lone, s)
			lone.keepWrite(key, w, set, nil)
		}
		r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		for _, s := range steps {
			key, w, set := write(plain, s)
			if plain.objects[key] == nil {
				plain.object(key, w, nil)
			}
			plain.keepWrite(key, w, set, nil)
		}
		a, b := lone.Report(Thresholds{}), plain.Report(Thresholds{})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\nwant %+v", a, b)
		}
		if got, want := lone.Encode(), plain.Encode(); string(got) != string(want) {
			t.Fatalf("%d bytes, want %d", len(got), len(want))
		}
	}
}

// TestLimits holds that what is kept is bounded, that what is forgotten is
// counted, and that it does not depend on more than the log.
func TestLimits(t *testing.T) {
	limits := Limits{Objects: 50, Lone: 1000, Writes: 2000, Leaves: 4000}
	var encoded [2][]byte
	for i := range encoded {
		c := New(Config{Limits: limits})
		at := int64(0)
		put := func(object, writer int, value uint64) {
			at++
			key, w, set := wrote(c, object, writer, at, value)
			c.keepWrite(key, w, set, nil)
		}
		for n := range 20_000 {
			put(n, 0, uint64(n))
			if n%2 == 0 {
				put(n, 0, 1)
			}
			if n%10 == 0 { // two writers, without end
				put(n, 1, 5)
			}
			if n%7 == 0 { // the fight
				put(-1, n%2, uint64(1+n%2))
			}
		}
		r := c.Report(Thresholds{})
		if len(r.Fights) == 0 || r.Fights[0].Object.Name != "object--1" || r.Fights[0].Evidence != Exact && r.Fights[0].Evidence != Partial {
			t.Errorf("the fight is not found: %+v", r.Fights)
		}
		if r.Forgotten == 0 || r.Forgotten+r.Writes < at*9/10 {
			t.Errorf("%d writes, %d forgotten, %d kept", at, r.Forgotten, r.Writes)
		}
		if len(c.objects) > limits.Objects || c.alone.now.last.n+c.alone.before.last.n > limits.Lone+2 || c.writes > limits.Writes {
			t.Errorf("%d objects, %d lone ones, %d writes", len(c.objects), c.alone.now.last.n+c.alone.before.last.n, c.writes)
		}
		if n := c.alone.states.now.leaves + c.alone.states.before.leaves; n > limits.Leaves {
			t.Errorf("%d leaves of lone objects", n)
		}
		encoded[i] = c.Encode()
	}
	if string(encoded[0]) != string(encoded[1]) {
		t.Error("two runs differ")
	}
}
